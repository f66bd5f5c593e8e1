import { dayMs } from '../../base/terms/day.ts';
import { decimalsOf } from '../../base/terms/decimal.ts';
import { quantity } from '../../base/text/format.ts';
import { largestLots } from '../preview/largest-size.ts';
import { stakesOf } from './at-stake.ts';
import { changeOf } from './changes.ts';
import { type Broken, waitText, weekdayOf } from './checks.ts';
import { type Exposed, type GateWrite, type Mandate, minuteMs, type Verdict } from './mandate.ts';
import { type Entry, type Stake, sideOf } from './stake.ts';

/** Why a mandate refuses a write, and the allowed alternative, in sentences. */
export function refusalText({ why, would }: Pick<Extract<Verdict, { isAllowed: false }>, 'why' | 'would'>): string {
  return would === undefined ? why : `${why} Allowed: ${would.text}.`;
}

type Would = Extract<Verdict, { isAllowed: false }>['would'];

interface Trial {
  readonly now: number;
  isAllowed(write: GateWrite): boolean;
}

/** Terms that a smaller size may satisfy. */
const sized: ReadonlySet<string> = new Set([
  'largestOrderUsd',
  'largestPositionUsd',
  'largestOrderRoom',
  'largestPositionRoom',
  'roomLeftUsd',
]);

/** Alternatives that a mandate would allow instead of a write; each was tried. Undefined: nothing that is near. */
export function wouldBe(mandate: Mandate, exposed: Exposed, write: GateWrite, { term }: Broken, trial: Trial): Would {
  if (term === 'ordersPerMinute') return again(mandate, exposed, trial);
  if (term === 'hours') return reduction(exposed, write, trial) ?? opening(mandate, trial);
  const near =
    term === 'largestLeverage'
      ? leverage(mandate, write, trial)
      : term === 'stopWithin'
        ? nearerStop(mandate, exposed, write, trial)
        : sized.has(term)
          ? smaller(exposed, write, trial)
          : undefined;
  return near?.size === 0 ? (reduction(exposed, write, trial) ?? near) : (near ?? reduction(exposed, write, trial));
}

function again({ ordersPerMinute }: Mandate, { sentAt }: Exposed, { now }: Trial): Would {
  const recent = sentAt.filter((at) => at > now - minuteMs).toSorted((one, other) => one - other);
  const first = recent[recent.length - ordersPerMinute];
  return ordersPerMinute < 1 || first === undefined ? undefined : { text: waitText(first + minuteMs - now) };
}

/** When the next hours begin, in the coming week. */
function opening({ hours = [] }: Mandate, { now }: Trial): Would {
  const today = Math.floor(now / dayMs);
  const begins = hours.flatMap(({ days, from }) =>
    [0, 1, 2, 3, 4, 5, 6, 7]
      .map((later) => today + later)
      .filter((day) => days.includes(weekdayOf(day)))
      .map((day) => day * dayMs + from * 60_000)
      .filter((at) => at > now),
  );
  return begins.length === 0 ? undefined : { text: `this order from ${new Date(Math.min(...begins)).toISOString()}` };
}

function withBody(write: GateWrite, more: object): GateWrite {
  return { ...write, body: { ...write.body, ...more } };
}

function leverage({ largestLeverage = 0 }: Mandate, write: GateWrite, { isAllowed }: Trial): Would {
  const most = Math.floor(largestLeverage);
  return isAllowed(withBody(write, { leverage: most })) ? { text: `leverage up to ${quantity(most)}` } : undefined;
}

/** An order against a position, which must only close it. */
function reduction({ positions = [] }: Exposed, write: GateWrite, { isAllowed }: Trial): Would {
  const { stop_loss_price: _, take_profit_price: __, replace_overlapping_exits: ___, ...rest } = write.body ?? {};
  const held = positions.find(({ market_id }) => market_id === rest.market_id);
  const isAgainst = held !== undefined && sideOf(held) !== rest.side;
  const reduced = { ...write, body: { ...rest, reduce_only: true } };
  if (!isAgainst || !isAllowed(reduced)) return undefined;
  return { text: 'this order with reduce_only, to close the position' };
}

/** The largest allowed size, in lots; 0 if there is none. */
function smaller(exposed: Exposed, write: GateWrite, { isAllowed }: Trial): Would {
  const [entry] = changeOf(exposed, write).entries;
  const size = write.body?.size ?? entry?.size;
  if (entry === undefined || typeof size !== 'number' || !(size > 0) || !Number.isFinite(size)) return undefined;
  const market = exposed.markets.get(entry.market);
  const decimals = market?.size_decimals ?? decimalsOf(size);
  const sizeOf = (lots: number) => Number(`${lots}e-${decimals}`);
  const refused = Math.ceil(size * 10 ** decimals);
  const isTried = (lots: number) => isAllowed(withBody(write, { size: sizeOf(lots) }));
  const allowed = largestLots((lots) => lots < refused && isTried(lots), refused);
  const largest = sizeOf(allowed);
  const least = leastOf(exposed, entry.market);
  if (allowed === 0 || largest < least.size || largest * entry.price < least.usd) return { text: 'no size', size: 0 };
  return { text: `a size up to ${quantity(largest)} ${market?.symbol ?? entry.market}`, size: largest };
}

/** The least size of an order in a market, base asset, and its least value. */
function leastOf({ policy, markets }: Exposed, id: string) {
  const market = markets.get(id);
  return {
    size: market?.min_size ?? 0,
    usd: policy?.limits.min_order_notional_usd ?? market?.min_notional ?? 0,
  };
}

/** The size of the smallest order in a market at its mark, base asset. */
export function smallestSize(exposed: Exposed, id: string): number {
  const { size, usd } = leastOf(exposed, id);
  const decimals = exposed.markets.get(id)?.size_decimals ?? 0;
  const least = Math.max(size, usd / (exposed.marks.get(id)?.price ?? Number.POSITIVE_INFINITY));
  return Number(`${Math.max(1, Math.ceil(least * 10 ** decimals - 1e-9))}e-${decimals}`);
}

/** The farthest stop that is allowed, on the market's grid. */
function nearerStop({ stopWithin = 0 }: Mandate, exposed: Exposed, write: GateWrite, { isAllowed }: Trial): Would {
  const [entry] = changeOf(exposed, write).entries;
  if (entry === undefined || !(write.operation === 'createOrder' || write.operation === 'updateAttachedExits'))
    return undefined;
  const stake = stakesOf(exposed, [entry.market]).get(entry.market)!;
  const buys = entry.side === 'buy';
  const from = partsOf(stake, entry);
  const farthest = buys ? Math.max(...from) * (1 - stopWithin) : Math.min(...from) * (1 + stopWithin);
  const tick = exposed.marks.get(entry.market)?.tick ?? exposed.markets.get(entry.market)?.tick_size;
  const stop = onTick(Number.isFinite(farthest) && farthest > 0 ? farthest : entry.at * (buys ? 0.9 : 1.1), tick, buys);
  const replaces = stake.held === undefined ? {} : { replace_overlapping_exits: true };
  if (!isAllowed(withBody(write, { stop_loss_price: stop, ...(write.operation === 'createOrder' && replaces) })))
    return undefined;
  const also = 'replace_overlapping_exits' in replaces ? ', with replace_overlapping_exits' : '';
  return { text: `a stop_loss_price of ${quantity(stop)} or ${buys ? 'above' : 'below'}${also}` };
}

function partsOf({ held, entries }: Stake, entry: Entry): number[] {
  const isSame = held !== undefined && sideOf(held) === entry.side;
  const others = entries.filter(({ side, id }) => side === entry.side && (id === '' || id !== entry.id));
  return [entry.at, ...(isSame ? [held.entry_price] : []), ...others.map(({ at }) => at)];
}

/** The tick inside of a price. */
function onTick(price: number, tick: number | undefined, up: boolean): number {
  const step = tick ?? 10 ** (Math.floor(Math.log10(price)) - 5);
  const ticks = up ? Math.ceil(price / step - 1e-9) : Math.floor(price / step + 1e-9);
  return Number((ticks * step).toPrecision(12));
}
