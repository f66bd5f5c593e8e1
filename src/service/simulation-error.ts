/** A state that cannot be opened as asked: `conflict` with what it is or who uses it, or `invalid` options. */
export class SimulationError extends Error {
  readonly kind: 'conflict' | 'invalid';

  constructor(kind: 'conflict' | 'invalid', message: string) {
    super(message);
    this.name = 'SimulationError';
    this.kind = kind;
  }
}
