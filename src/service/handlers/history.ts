import type { Posting } from '../../exchange/engine/model.ts';
import type { MarketSource } from '../../exchange/engine/source.ts';
import type { BriefFill } from '../../exchange/store/records.ts';
import { maxMarks, SimulationFill, SimulationPayment } from '../../wire/contract/simulation-history.ts';
import { invalid } from '../../wire/hosting/failure.ts';
import { averagePrice, decimal, wireForm } from '../present/wire-form.ts';
import type { Turn } from '../simulation/simulation.ts';
import { knownMarket, ownAccountId } from './lookup.ts';
import { found, type Handler } from './operations.ts';
import { page } from './pages.ts';

/** The maximum length of a page: a longer one would keep others waiting while it is written. */
const longestPage = 2_000;

const shorter = <C extends { query: { limit: number } }>(call: C): C => ({
  ...call,
  query: { ...call.query, limit: Math.min(call.query.limit, longestPage) },
});

/** GET /sim/fills. */
export const simListFills: Handler<'simListFills'> = (call, turn) => {
  const accountId = ownAccountId(turn, call.principal, call.query.account_id);
  const stops = stopsOfParents(turn);
  return page(
    shorter(call),
    [accountId],
    (request) => turn.store.briefFills({ accountId, ...request }),
    (fill) => {
      const { sizeDecimals } = call.simulation.market(fill.marketId);
      return wireForm(SimulationFill, fill, {
        order_id: fill.id,
        size: decimal(fill.size, sizeDecimals),
        fill_price: averagePrice(fill.notional, fill.size, sizeDecimals),
        attached_stop_loss_price: stops(fill) ?? undefined,
      });
    },
  );
};

/**
 * The stop-loss price that each fill's order was placed with: a partial fill's record has no legs, its order's does.
 */
function stopsOfParents({ store }: Turn): (fill: BriefFill) => number | null {
  const known = new Map<string, number | null>();
  return ({ partialOfOrderId: id, attachedStopLossPrice }) => {
    if (id === null) return attachedStopLossPrice;
    if (!known.has(id)) known.set(id, store.order(id)?.attachedStopLossPrice ?? null);
    return known.get(id)!;
  };
}

/** GET /sim/payments. */
export const simListPayments: Handler<'simListPayments'> = (call, turn) => {
  const accountId = ownAccountId(turn, call.principal, call.query.account_id);
  const marketOf = marketsOfPositions(turn);
  return page(
    shorter(call),
    [accountId],
    (request) => turn.store.payments({ accountId, ...request }),
    (posting: Posting) =>
      wireForm(SimulationPayment, posting, {
        kind: posting.kind as SimulationPayment['kind'],
        market_id: posting.positionId === null ? undefined : marketOf(posting.positionId),
      }),
  );
};

function marketsOfPositions({ store }: Turn): (positionId: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (id) => {
    if (!known.has(id)) known.set(id, store.position(id)?.marketId);
    return known.get(id);
  };
}

/** GET /sim/marks: past midpoints, from the data that the exchange plays. */
export const simMarks: Handler<'simMarks'> = (call, turn) => {
  const { marketId, priceDecimals } = knownMarket(call, call.query.market_id);
  const times = call.query.times.split(',').map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : Number.NaN));
  const wrong = (issue: string) => invalid([{ field: 'times', issue }]);
  if (times.length > maxMarks) throw wrong(`must have at most ${maxMarks} moments`);
  if (times.some(Number.isNaN)) throw wrong('must be Unix milliseconds, separated by commas');
  if (times.some((time) => time > turn.exchange.time)) throw wrong('must not be in the future');
  const { source } = call.simulation.facts;
  return found(
    times.map((time) => {
      const units = midAt(source, marketId, time);
      return { time, mark: units === null ? null : decimal(units * 5, priceDecimals + 1) };
    }),
  );
};

function midAt(source: MarketSource, marketId: string, time: number): number | null {
  const book = source.glance === undefined ? source.book(marketId, time) : source.glance(marketId, time);
  const [bid, ask] = [book?.bids[0], book?.asks[0]];
  return bid === undefined || ask === undefined ? null : bid + ask;
}
