/**
 * `conflict`: the state has other contents, or is in use. `invalid`: no state can have these options. `missing`: there
 * is no such state. `unavailable`: a venue does not answer.
 */
export type SimulationErrorKind = 'conflict' | 'invalid' | 'missing' | 'unavailable';

/** A state that can't be opened as requested. */
export class SimulationError extends Error {
  readonly kind: SimulationErrorKind;
  /** The way out, if the message does not name it. */
  readonly hint: string | undefined;

  constructor(kind: SimulationErrorKind, message: string, hint?: string) {
    super(message);
    this.name = 'SimulationError';
    this.kind = kind;
    this.hint = hint;
  }
}
