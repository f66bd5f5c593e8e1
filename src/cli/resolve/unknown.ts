import { type RememberedKind, recall } from '../completion/memory.ts';
import { type Context, isNotFound } from '../context.ts';
import { type Failure, notFoundFailure } from '../failure.ts';
import { nearestId } from '../suggest.ts';

/** Something of this id does not exist; suggests the one that was meant, as far as the last lists showed it. */
export function unknownId(context: Context, kind: RememberedKind, message: string, id: string, lists: string): Failure {
  const known = recall(context.variables)[context.settings.environment]?.[kind] ?? [];
  const near = nearestId(
    id,
    known.map(([value]) => value),
  );
  return notFoundFailure(message, near === undefined ? lists : `Did you mean ${near}? ${lists}`);
}

const strategies = {
  twap: ['TWAP order', 'perp twap list shows yours.'],
  scaled: ['ladder', 'perp scaled list shows yours.'],
  account: ['account', 'perp accounts lists yours.'],
} as const;

/** Runs a call about one thing; where there is none of that id, says so by its name. */
export async function called<T>(
  context: Context,
  kind: keyof typeof strategies,
  id: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const [name, lists] = strategies[kind];
    throw unknownId(context, kind, `There is no ${name} ${JSON.stringify(id)}.`, id, lists);
  }
}
