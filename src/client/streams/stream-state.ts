/** How a stream is doing, as its follower tells. */
export type StreamState =
  | { kind: 'live' }
  /** Nothing has come for so long, where something should have. */
  | { kind: 'stale'; silentMs: number }
  /** Lost; it is opened again by itself. */
  | { kind: 'reconnecting'; reason: string; inMs: number };
