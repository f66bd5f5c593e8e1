import type { StreamError } from '../../contract/streams.ts';

/** The service refused a subscription or a request of the market stream. */
export class StreamRefusal extends Error {
  override readonly name = 'StreamRefusal';
  readonly code: string;
  readonly error: StreamError;

  constructor(error: StreamError) {
    super(error.message);
    this.code = error.code;
    this.error = error;
  }
}
