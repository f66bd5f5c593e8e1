/**
 * What always holds, whatever users, hosts and markets do: a name, and one sentence. docs/invariants.md says where each
 * is asserted; a test compares.
 */
export const invariants = {
  'known-account': 'Every record of the exchange belongs to an account that it knows.',
  'known-market': 'Every record of the exchange belongs to a market that it knows.',
  'time-whole': 'Exchange time is whole milliseconds.',
  'time-forward': 'Exchange time never goes back.',
  'book-forward': 'A book never goes back in time.',
  'ledger-sum': 'A balance is the sum of its postings.',
  'bankruptcy-covers': 'After the posting of a bankruptcy, the balance is not negative.',
  'fill-within-order': 'A fill is at least one lot, and at most what its order has left.',
  'fill-after-order': 'Nothing fills before its order was placed, or before it got its price.',
  'walk-adds-up': 'The levels that a fill takes from add up to its size.',
  'reduction-adds-nothing': 'A reduce-only order never adds to a position or flips it.',
  'ends-once': 'An order ends once.',
  'kind-fits': 'An order does only what orders of its kind do.',
  'exits-fit': 'After something else reduced a position, its waiting exits of one kind are at most as large as it.',
  'oco-pair': 'Both orders of an OCO pair name each other, exit the same position, and are of different kinds.',
  'queue-known': 'The size ahead of a resting order is unknown or not negative.',
  'index-holds': 'An order that leaves an index was in it.',
  'parent-total': 'The slices of a TWAP or VWAP never fill more than its size.',
  'numbers-grow': 'The numbers of records, fills and postings only grow.',
  'changes-in-transaction': 'The exchange writes only inside a transaction.',
  'row-written': 'A record that is written is either new or known.',
  'key-once': 'An idempotency key is written once.',
  'answer-numbers': 'Every number of an answer is a number.',
  'kept-before-sent': 'A write is on disk before it is sent.',
  'lock-grows': 'A lock is replaced only by one that ends later.',
  'cover-within-position': 'Stops cover at most their position.',
  'within-mandate': 'A write that a mandate allows is within every one of its terms.',
  'shown-price': 'An act on the price ladder has the price that its screen shows.',
  'prints-add-up': 'The prints of a minute add up to its turnover.',
} as const;

/** The name of an invariant. */
export type Invariant = keyof typeof invariants;

/** An invariant did not hold: a bug in perp, never a caller's mistake. Whatever was under way must not be kept. */
export class InvariantBroken extends Error {
  override readonly name = 'InvariantBroken';
  readonly invariant: Invariant;

  /** `subject` is the id of the record, or the value, that breaks it. */
  constructor(invariant: Invariant, subject: string | number | bigint) {
    super(`${invariants[invariant]} This was broken by ${subject} (${invariant}).`);
    this.invariant = invariant;
  }
}

/** Throws InvariantBroken if an invariant does not hold. Costs one comparison: give it no text that has to be built. */
export function assert(condition: unknown, invariant: Invariant, subject: string | number | bigint): asserts condition {
  if (condition) return;
  const broken = new InvariantBroken(invariant, subject);
  // Where it did not hold is the caller's place.
  Error.captureStackTrace(broken, assert);
  throw broken;
}
