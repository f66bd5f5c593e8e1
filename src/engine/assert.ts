/** Throws if a condition that must hold does not: a bug in the engine, never a caller's mistake. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`engine invariant broken: ${message}`);
}
