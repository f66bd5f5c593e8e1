import { exitCodes, Failure } from '../../ground/failure/failure.ts';
import type { GlobalInput } from '../grammar/global-options.ts';
import type { ArgumentSpec, OptionSpec } from '../grammar/spec.ts';

/** The missing input of a command line. */
export interface Missing {
  /** `order place`. */
  readonly path: string;
  /** The arguments that were given; the missing ones follow them. */
  readonly given: readonly string[];
  readonly globals: GlobalInput;
  /** Names of the command's options that were given: `stop-loss`. */
  readonly chosen: readonly string[];
  readonly args: readonly ArgumentSpec[];
  readonly options: readonly { readonly name: string; readonly spec: OptionSpec }[];
}

/** A usage failure that lists all missing arguments and options; on a terminal, perp prompts for them instead. */
export class MissingInput extends Failure {
  readonly missing: Missing;

  constructor(message: string, hint: string, missing: Missing) {
    super({ exit: exitCodes.usage, code: 'usage', message, hint });
    this.missing = missing;
  }
}
