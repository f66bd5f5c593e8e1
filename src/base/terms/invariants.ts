/** Invariants: a name and a sentence each. test/invariants.md says where each is asserted; a test compares them. */
export const invariants = {
  'known-account': 'Every exchange record belongs to a known account.',
  'known-market': 'Every exchange record belongs to a known market.',
  'time-whole': 'Exchange time is whole milliseconds.',
  'time-forward': 'Exchange time never goes back.',
  'book-forward': 'A book never goes back in time.',
  'ledger-sum': 'A balance is the sum of its postings.',
  'bankruptcy-covers': "The balance isn't negative after a bankruptcy posting.",
  'fill-within-order': "A fill is at least one lot and at most its order's remaining size.",
  'fill-after-order': 'Nothing fills before its order was placed or got its price.',
  'walk-adds-up': 'The levels that a fill takes add up to its size.',
  'reduction-adds-nothing': 'A reduce-only order never adds to a position or flips it.',
  'ends-once': 'An order ends once.',
  'kind-fits': 'An order does only what its kind allows.',
  'exits-fit': "After any other fill, a position's waiting exits of one kind total at most its size.",
  'oco-pair': 'The orders of an OCO pair name each other, exit the same position, and differ in kind.',
  'queue-known': 'The size ahead of a resting order is unknown or not negative.',
  'index-holds': 'An order that leaves an index was in it.',
  'parent-total': 'The slices of a TWAP or VWAP never fill more than its size.',
  'numbers-grow': 'Record, fill and posting numbers only grow.',
  'changes-in-transaction': 'The exchange writes only inside a transaction.',
  'row-written': 'A written record is either new or known.',
  'key-once': 'An idempotency key is written once.',
  'answer-numbers': 'Every number in an answer is finite.',
  'kept-before-sent': 'A write is on disk before it is sent.',
  'lock-grows': 'A lock is replaced only by one that ends later.',
  'cover-within-position': 'Stops cover at most their position.',
  'within-mandate': 'A write that a mandate allows is within all its terms.',
  'shown-price': 'An act on the price ladder uses the price on the screen.',
  'prints-add-up': "A minute's prints add up to its turnover.",
} as const;

/** The name of an invariant. */
export type Invariant = keyof typeof invariants;

/** An invariant was broken: a bug in perp, never a caller's mistake. Discard the work in progress. */
export class InvariantBroken extends Error {
  override readonly name = 'InvariantBroken';
  readonly invariant: Invariant;

  /** `subject` is the id or value that breaks it. */
  constructor(invariant: Invariant, subject: string | number | bigint) {
    super(`${invariants[invariant]} This was violated by ${subject} (${invariant}).`);
    this.invariant = invariant;
  }
}

/** Throws InvariantBroken if the condition is false. Costs one comparison, so pass no text that has to be built. */
export function assert(condition: unknown, invariant: Invariant, subject: string | number | bigint): asserts condition {
  if (condition) return;
  const broken = new InvariantBroken(invariant, subject);
  // The stack starts at the caller.
  Error.captureStackTrace(broken, assert);
  throw broken;
}
