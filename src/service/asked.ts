import type { AskedOf } from '../engine/commands.ts';
import type { Asked, AskedField } from '../terms/order-fields.ts';

/** The fields of a valid order request, by the command's names; omitted ones have their defaults. */
export function askedOf<F extends AskedField>(fields: readonly Asked<F>[], body: object): AskedOf<F> {
  const request = body as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    fields.map(({ asked, command, default: usual }) => [command, request[asked] ?? usual]),
  ) as AskedOf<F>;
}
