import type { CommandFields } from '../engine/commands.ts';
import type { RequestField, SettableField } from '../terms/order-fields.ts';

/** The fields of a valid order request, by the command's names; omitted ones have their defaults. */
export function commandFields<F extends RequestField>(
  fields: readonly SettableField<F>[],
  body: object,
): CommandFields<F> {
  const request = body as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    fields.map(({ asked, command, default: usual }) => [command, request[asked] ?? usual]),
  ) as CommandFields<F>;
}
