import { atOnce, type Sharing } from '../../../src/wire/hosting/turns.ts';

/** For a client that has the event loop to itself: everything runs at once. */
export const allAtOnce: Sharing = {
  longestMs: Number.POSITIVE_INFINITY,
  take(_, work) {
    const pieces = work();
    if (pieces !== undefined) atOnce(pieces);
  },
  spread: (_, pieces) => atOnce(pieces),
  forget() {},
  waitingOf: () => 0,
};
