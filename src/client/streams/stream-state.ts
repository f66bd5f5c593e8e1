/** The state of a stream, as its follower reports it. */
export type StreamState =
  | { kind: 'live' }
  /** Nothing has arrived for longer than expected. */
  | { kind: 'stale'; silentMs: number }
  /** Lost; the follower reconnects automatically. */
  | { kind: 'reconnecting'; reason: string; inMs: number };
