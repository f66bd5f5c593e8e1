import { checkDay } from './calendar.ts';
import { usageFailure } from './failure.ts';
import { quoted } from './quoted.ts';
import type { ArgumentSpec, FlagSpec } from './spec.ts';
import { nearest } from './suggest.ts';
import { parseValue } from './values.ts';

/** Parses one value by its choices or its kind. */
export function oneValue(spec: FlagSpec | ArgumentSpec, text: string, label: string): unknown {
  if (spec.kind === 'time') checkDay(text, label);
  if (spec.choices === undefined) return parseValue(spec.kind ?? 'text', text, label, { maximum: spec.maximum });
  const choice = spec.choices.find((known) => known === text.toLowerCase());
  if (choice !== undefined) return choice;
  const near = nearest(text, spec.choices);
  throw usageFailure(
    `${label} is ${quoted(text)}; it can be ${spec.choices.join(', ')}.`,
    near === undefined ? undefined : `Did you mean ${near}?`,
  );
}
