import { Argument, type Command, Option } from 'commander';
import { usageFailure } from '../../../base/failure/failure.ts';
import { shortened } from '../../../base/text/plain-text.ts';
import { oneValue, type ValueSpec } from '../../../desk/values/values.ts';
import { globalOptions } from '../../console/grammar/global-options.ts';
import { type ArgumentSpec, camelCase, labelOf, type OptionSpec } from '../../console/grammar/spec.ts';

/** An argument with its allowed values. */
export class ValueArgument extends Argument {
  readonly value: ValueSpec;

  constructor(spec: ArgumentSpec) {
    const label = labelOf(spec);
    const shown = spec.repeat === true ? `${label}...` : label;
    super(spec.optional === true ? `[${shown}]` : `<${shown}>`, spec.summary);
    this.value = spec;
    if (spec.choices !== undefined) this.choices(spec.choices);
    this.argParser((text: string, previous: unknown) => {
      const value = oneValue(spec, text, label);
      return spec.repeat === true ? [...((previous as unknown[] | undefined) ?? []), value] : value;
    });
  }
}

/** An option with its allowed values. */
export class ValueOption extends Option {
  readonly value: OptionSpec;
  /** Its name in the input of a command. */
  readonly inputName: string;
  /** Commander requests it many times per line, and would recreate it each time. */
  readonly #attributeName: string;

  constructor(name: string, spec: OptionSpec) {
    const short = spec.short === undefined ? '' : `-${spec.short}, `;
    super(`${short}--${name}${spec.value === undefined ? '' : ` <${spec.value}>`}`, spec.summary);
    this.value = spec;
    this.inputName = camelCase(name);
    this.#attributeName = super.attributeName();
    if (spec.value === undefined) return;
    if (spec.choices !== undefined) this.choices(spec.choices);
    if (spec.required === true) this.makeOptionMandatory();
    this.argParser((text: string, previous: Boxed | undefined): Boxed => {
      // Commander takes the next word as the value, no matter what it is.
      if (/^--[a-z]/.test(text)) throw usageFailure(`--${name} needs a value, not ${shortened(text)}.`);
      const value = oneValue(spec, text, `--${name}`);
      if (spec.repeat === true) return { value: [...((previous?.value as unknown[] | undefined) ?? []), value] };
      return { value: once(this, value, previous?.value) };
    });
  }

  override attributeName(): string {
    return this.#attributeName;
  }
}

/** Commander treats null as a missing value; for perp it is a real one: `--stop-loss none`. */
interface Boxed {
  value: unknown;
}

/** A global option, accepted at every level of the tree. */
export class GlobalOption extends ValueOption {
  /** The same option for a command that uses the letter for its own option. */
  withoutShort(): GlobalOption {
    const { short: _, ...spec } = this.value;
    return new GlobalOption(this.name(), spec);
  }
}

let shared: readonly GlobalOption[] | undefined;

/** The global options, created on first use: a line without options needs none. */
export function sharedOptions(): readonly GlobalOption[] {
  shared ??= Object.entries(globalOptions).map(([name, spec]) => new GlobalOption(name, spec));
  return shared;
}

/** An option's value from the command line; true for a switch, even one that begins with `no-`. */
export function given(level: Command, option: ValueOption): unknown {
  const name = option.attributeName();
  if (level.getOptionValueSource(name) !== 'cli') return undefined;
  return option.value.value === undefined ? true : (level.getOptionValue(name) as Boxed).value;
}

/** Accepts an option that is repeated with the same value; throws a usage failure for different ones. */
export function once(option: Option, value: unknown, previous: unknown): unknown {
  if (previous === undefined || JSON.stringify(previous) === JSON.stringify(value)) return value;
  throw usageFailure(`--${option.name()} was given twice with different values.`, 'Give it once.');
}
