/** Throws when something that must hold does not: a bug of the engine's, never a caller's mistake. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`engine invariant broken: ${message}`);
}
