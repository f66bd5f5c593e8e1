/** A state that cannot be opened as asked: `conflict` with what it is or who uses it, or `invalid` options. */
export class SimulationError extends Error {
  readonly kind: 'conflict' | 'invalid';
  /** What to do about it, where the message does not say. */
  readonly hint: string | undefined;

  constructor(kind: 'conflict' | 'invalid', message: string, hint?: string) {
    super(message);
    this.name = 'SimulationError';
    this.kind = kind;
    this.hint = hint;
  }
}
