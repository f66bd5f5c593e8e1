import { quantity } from '../../../base/text/format.ts';
import {
  price as above,
  alertAndLock,
  price as below,
  defineRule,
  distance,
  duration,
  type Fired,
  file,
  market,
  optional,
  percent,
} from '../rule.ts';
import { type Followed, followedByPlans, followedByTrails } from '../trail.ts';
import { breachMove } from '../view.ts';

/** The distance to a floor of the account. */
export const breach = defineRule({
  fields: { within: percent },
  needs: ['marks', 'outlook'],
  steps: [],
  isDaily: false,
  condition: ({ written }) =>
    `a move of ${written.within} in every market would reach a floor of the account or liquidate it`,
  consequence: alertAndLock,
  judge(rule, seen) {
    const move = breachMove(seen);
    return {
      holds: move !== undefined && Math.abs(move) <= rule.within,
      says: () => `A move of ${quantity(Number(move!.toPrecision(3)))}% in every market would breach the account`,
      facts: { move_pct: move },
    };
  },
  template: `
# [breach]                     # a move of every market that would reach a floor of the account
# within = "1%"
# do = []
`,
  docs: 'this move in every market would reach a floor or liquidate the account: `breach_move_pct` of `accounts show`',
});

/** The positions whose mark has passed a stop before it could be placed. */
function passedStops(key: string, stop: string, followed: readonly Followed[]): Fired[] {
  return followed.flatMap(({ position, isCrossed, wanted, mark }) => {
    if (!isCrossed) return [];
    const says = `${position.symbol} is at ${quantity(mark)}, beyond ${stop} at ${quantity(wanted)}`;
    const facts = { position_id: position.id, market_id: position.market_id, price: mark, stop: wanted };
    return [{ key: `${key}@${position.id}`, says, facts, steps: [{ kind: 'close', positions: [position.id] }] }];
  });
}

/**
 * Stops that follow the price. The guard moves them; the rule fires if the mark passed one before it could be placed.
 */
export const trail = defineRule({
  fields: { by: distance, market: optional(market) },
  needs: ['marks', 'stops'],
  steps: null,
  isDaily: false,
  condition: ({ market: of, written }) =>
    `a position${of === undefined ? '' : ` in ${of}`} is open: its stop follows the best price at a distance of ${written.by}`,
  consequence: () => 'move the stop, only closer',
  repeats: (rule, earlier) => (rule.market === earlier.market ? 'follows the same positions' : undefined),
  follow: followedByTrails,
  judge: (_, { followed }) => passedStops('trail', 'its trailing stop', followed),
  template: `
# [trail]                      # stops follow the best price and only move closer
# market = "BTC"               # without it: every position
# by = "1.5%"                  # or a distance in price: 200
`,
  docs: 'see [trailing stops](#trailing-stops)',
});

/**
 * The parts of exit plans that a guard carries out. It moves their stops; the rule fires if the mark passed one before
 * it could be placed.
 */
export const plans = defineRule({
  fields: {},
  needs: ['marks', 'stops', 'plans'],
  steps: null,
  isDaily: false,
  condition: () =>
    'a position has an exit plan (perp plan): after its first target, its stop goes to the entry; after all of them, it trails',
  consequence: () => 'move the stop, only closer',
  repeats: () => 'does the same plans',
  follow: ([rule], view, bestBefore) => followedByPlans(rule!, view, bestBefore),
  judge: (_, { followed }) => passedStops('plan', 'the stop of its plan', followed),
  template: `
# [plans]                      # moves the stops of exit plans: see perp help plan
`,
  docs: 'an [exit plan](stops.md#exit-plans) moves its stop: to the entry after the first target, trailing after the last',
});

/** The mark of a market. */
export const price = defineRule({
  fields: { market, above: optional(above), below: optional(below) },
  anyOf: ['above', 'below'],
  needs: ['marks'],
  steps: [],
  isDaily: false,
  condition: ({ market: of, above: high, below: low, written }) =>
    [
      high === undefined ? undefined : `${of} is at or above ${written.above}`,
      low === undefined ? undefined : `${of} is at or below ${written.below}`,
    ]
      .filter((part) => part !== undefined)
      .join(', or '),
  consequence: alertAndLock,
  judge(rule, { markets, marks }) {
    const marketId = markets.get(rule.market);
    const mark = marketId === undefined ? undefined : marks.get(marketId);
    if (mark === undefined) return [];
    const isAbove = rule.above !== undefined && mark >= rule.above;
    const isBelow = rule.below !== undefined && mark <= rule.below;
    const word = isAbove ? 'above' : 'below';
    return {
      holds: isAbove || isBelow,
      says: () => `${rule.market} is at ${quantity(mark)}, ${word} ${rule.written[word]}`,
      facts: { market_id: marketId, price: mark },
    };
  },
  template: `
# [[price]]
# market = "BTC"
# above = 100000               # and/or below
# do = []
`,
  docs: 'the mark is at or beyond one of these',
});

/** An alert for every fill. */
export const fills = defineRule({
  fields: {},
  needs: ['fills'],
  steps: null,
  isDaily: false,
  condition: () => 'an order fills',
  consequence: alertAndLock,
  judge: (_, seen) =>
    seen.fills.map((fill) => {
      // An order that filled in parts has its whole filled size beside the price of its last part.
      const { id, side, symbol, fill_price: price, size } = fill;
      const at = price === undefined ? '' : ` at ${quantity(price)}`;
      return { key: `fill@${id}`, says: `Filled: ${side} ${quantity(size)} ${symbol}${at}`, facts: { fill } };
    }),
  template: `
# [fills]                      # an alert for every fill
`,
  docs: 'an order fills',
});

/** A dead man's switch. */
export const heartbeat = defineRule({
  fields: { file, 'max-age': duration },
  needs: ['silences'],
  steps: ['flatten'],
  isDaily: false,
  condition: ({ file: path, written }) => `${path} has not been touched for ${written['max-age']}`,
  consequence: alertAndLock,
  judge(rule, { silences }) {
    const silentMs = silences.get(rule.file) ?? 0;
    return {
      holds: silentMs >= rule.maxAge,
      says: () => `No heartbeat: ${rule.file} has not been touched for ${Math.floor(silentMs / 1000)}s`,
      facts: { silent_ms: silentMs },
    };
  },
  template: `
# [heartbeat]                  # a dead man's switch: fires when the file has not been touched for max-age
# file = "/run/user/1000/bot.alive"
# max-age = "60s"
# do = ["flatten"]
`,
  docs: "the file hasn't been touched for this long: a dead man's switch",
});
