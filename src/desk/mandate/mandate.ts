import { quantity, usd } from '../../ground/text/format.ts';
import { assert } from '../../terms/invariants.ts';
import type { Window } from '../guard/schedule.ts';

/**
 * What may be traded without asking again: agreed once, for a time. It allows an order only if every one of its terms
 * does.
 */
export interface Mandate {
  /** Ids of the accounts that may trade. */
  readonly accounts: readonly string[];
  /** Ids of the markets. */
  readonly markets: readonly string[];
  /** Sides on which exposure may be added; what only reduces may be on both. */
  readonly sides: readonly ('buy' | 'sell')[];
  /** Notional of one order that adds exposure, USD. */
  readonly largestOrderUsd: number;
  /** Notional of a position with everything that waits to add to it, USD. */
  readonly largestPositionUsd: number;
  /** What the account may lose in a day before nothing may be added, USD. */
  readonly lossPerDayUsd: number;
  /** Orders in any 60 seconds, whatever they do. */
  readonly ordersPerMinute: number;
  /** When it expires, Unix ms. */
  readonly until: number;
  /** What an order that adds may lose at worst, as a share of the room to the nearest floor: 0.1 is 10%. */
  readonly largestOrderRoom?: number;
  /** What a position may lose at worst with everything that waits to add to it, as a share of the room. */
  readonly largestPositionRoom?: number;
  readonly largestLeverage?: number;
  /**
   * Everything that is held, or may be, has a stop at most this far from its entry, as a share of the entry: 0.02 is 2%.
   * Infinity: a stop at any distance. Undefined: no stop is asked for.
   */
  readonly stopWithin?: number;
  /** How far above its nearest floor the account's equity must stay in the worst case, USD. */
  readonly roomLeftUsd?: number;
  /** When exposure may be added, in UTC; what only reduces may be at any time. Undefined: always. */
  readonly hours?: readonly Window[];
  /** An order that adds more than this waits for a person, USD. Undefined: none does. */
  readonly approveAboveUsd?: number;
  /** How far the mark may move before an approval is void, bps. */
  readonly approvalBps?: number;
  /** The bot that it is for: `[a-z0-9-]`, 1 to 24. */
  readonly name?: string;
}

/** A term of a mandate; `writes`: what no mandate allows. */
export type Term = keyof Omit<Mandate, 'name' | 'approveAboveUsd' | 'approvalBps'> | 'writes';

/** What an account has at stake, as far as its mandate asks. What is unknown is undefined, and allows nothing. */
export interface AtStake {
  /** The position of the order's market, base asset: above zero long, below zero short. */
  readonly position: number | undefined;
  /** What working orders may still add to it on each side, base asset. */
  readonly waiting: { readonly buy: number; readonly sell: number } | undefined;
  /** What the account has lost today, open positions included, USD; below zero: a profit. */
  readonly lostUsd: number | undefined;
  /** When orders were sent under the mandate, Unix ms. */
  readonly sentAt: readonly number[];
}

/** An order that a mandate is asked about. */
export interface Proposed {
  readonly account: string;
  readonly market: string;
  readonly side: 'buy' | 'sell';
  /** Base asset. */
  readonly size: number;
  /** The worst price that it may trade at, USD. */
  readonly price: number;
  /** It can only make a position smaller. */
  readonly reduces: boolean;
}

/** Whether a mandate allows an order; if not, the term that does not, and why. */
export type OrderVerdict =
  | { readonly isAllowed: true }
  | { readonly isAllowed: false; readonly term: Term; readonly why: string };

/** The orders of this long count against `ordersPerMinute`, ms. */
const minuteMs = 60_000;

/** Whether a mandate allows an order now. Anything that is not known, or is no number, is not allowed. */
export function judge(mandate: Mandate, stake: AtStake, order: Proposed, now: number): OrderVerdict {
  const broken = (Object.keys(rules) as JudgedTerm[]).find((term) => !rules[term](mandate, stake, order, now));
  if (broken === undefined) {
    assert(isWithin(mandate, stake, order, now), 'within-mandate', order.size);
    return { isAllowed: true };
  }
  return { isAllowed: false, term: broken, why: reasons[broken](mandate) };
}

type JudgedTerm = keyof typeof reasons;

type Rule = (mandate: Mandate, stake: AtStake, order: Proposed, now: number) => boolean;

/** Whether each term allows an order, in the order in which a refusal names them. */
const rules: Readonly<Record<JudgedTerm, Rule>> = {
  until: ({ until }, _, __, now) => now < until,
  accounts: ({ accounts }, _, { account }) => accounts.includes(account),
  markets: ({ markets }, _, { market }) => markets.includes(market),
  ordersPerMinute: ({ ordersPerMinute }, { sentAt }, _, now) =>
    sentAt.filter((at) => at > now - minuteMs).length + 1 <= ordersPerMinute,
  sides: ({ sides }, _, { side, reduces }) => reduces || sides.includes(side),
  lossPerDayUsd: ({ lossPerDayUsd }, { lostUsd }, { reduces }) =>
    reduces || (lostUsd !== undefined && lostUsd < lossPerDayUsd),
  largestOrderUsd: ({ largestOrderUsd }, _, { size, price, reduces }) =>
    isAmount(size) && isAmount(price) && (reduces || size * price <= largestOrderUsd),
  largestPositionUsd: ({ largestPositionUsd }, stake, order) =>
    order.reduces || largestAfter(stake, order) * order.price <= largestPositionUsd,
};

const reasons = {
  until: (_: Mandate) => 'The agreed time is over.',
  accounts: (_: Mandate) => 'The account is not among those agreed.',
  markets: (_: Mandate) => 'The market is not among those agreed.',
  ordersPerMinute: ({ ordersPerMinute }: Mandate) => `${quantity(ordersPerMinute)} orders a minute were agreed.`,
  sides: ({ sides }: Mandate) => `Only ${sides.join(' and ')} was agreed.`,
  lossPerDayUsd: ({ lossPerDayUsd }: Mandate) =>
    `The agreed loss of ${usd(lossPerDayUsd)} USD a day is reached, or unknown.`,
  largestOrderUsd: ({ largestOrderUsd }: Mandate) => `The largest order agreed is ${usd(largestOrderUsd)} USD.`,
  largestPositionUsd: ({ largestPositionUsd }: Mandate) =>
    `The largest position agreed is ${usd(largestPositionUsd)} USD, working orders included.`,
} satisfies Partial<Record<Term, (mandate: Mandate) => string>>;

/** The position in the direction of the order if everything on its side fills, base asset. */
function largestAfter({ position, waiting }: AtStake, { side, size }: Proposed): number {
  if (position === undefined || waiting === undefined) return Number.NaN;
  return (side === 'buy' ? position : -position) + waiting[side] + size;
}

function isAmount(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}

/** The same, written down a second time: what must be true of every order that is allowed. */
function isWithin(mandate: Mandate, { position, waiting, lostUsd }: AtStake, order: Proposed, now: number): boolean {
  const { account, market, side, size, price, reduces } = order;
  if (now >= mandate.until || !mandate.accounts.includes(account) || !mandate.markets.includes(market)) return false;
  if (reduces) return true;
  const after = Number(side === 'buy' ? position : 0 - position!) + Number(waiting?.[side]) + size;
  const isFitting = size * price <= mandate.largestOrderUsd && after * price <= mandate.largestPositionUsd;
  return isFitting && mandate.sides.includes(side) && Number(lostUsd) < mandate.lossPerDayUsd;
}
