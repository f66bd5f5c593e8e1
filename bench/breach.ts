/** How long the marks take that end an account, as every breach price asks for them. */

import { walkPath } from '../src/base/margin/path/path.ts';
import { pathUnits } from '../src/desk/risk/breach.ts';
import { type Mark, pathAccountOf, type Standing } from '../src/desk/risk/path-account.ts';
import type { Order } from '../src/wire/contract/orders.ts';
import { type Figure, median } from './measure.ts';

const held = 50;
const working = 200;
const runs = 41;
/** Until the code is compiled, as on a live screen. */
const warmUps = 20;
/** Half ticks. */
const mostMoves = 19_000;

/** Milliseconds of processor time to move one market down and up, with all orders in it, and with as many in each. */
export async function breach(): Promise<Figure[]> {
  const terms = { unit: 'ms', target: { atMost: 5 }, note: 'processor time' };
  return [
    {
      name: `what ends an account of ${held} positions, ${working} orders in the market that moves`,
      value: timeOf(standingOf(() => 0)),
      isQuoted: true,
      ...terms,
    },
    { name: 'the same with 4 orders in each market', value: timeOf(standingOf((order) => order % held)), ...terms },
  ];
}

function timeOf(standing: Standing): number {
  const marks = new Map<string, Mark>();
  for (let at = 0; at < held; at++) {
    const depth = { size: 100, average: 0.02, worst: 0.04 };
    marks.set(nameOf(at), { price: 100 + at, at: 0, tick: 0.01, feeBps: 3, depth: { buy: depth, sell: depth } });
  }
  const spent: number[] = [];
  for (let run = -warmUps; run < runs; run++) {
    const used = process.cpuUsage();
    const account = pathAccountOf(standing, 30_000, marks, pathUnits(standing, marks))!;
    for (const move of [-1, 1]) walkPath(account, new Map([[nameOf(0), move]]), mostMoves);
    const { user, system } = process.cpuUsage(used);
    if (run >= 0) spent.push((user + system) / 1e3);
  }
  return median(spent);
}

const nameOf = (at: number) => `binance|M${at}`;

/** Long and short positions, with limits, stops, takes and entries with legs around their marks. */
function standingOf(marketOf: (order: number) => number): Standing {
  const terms = { leverage: 5, margin_mode: 'cross' } as const;
  const positions = Array.from({ length: held }, (_, at) => ({
    ...{ market_id: nameOf(at), side: at % 3 === 0 ? ('short' as const) : ('long' as const), size: 20 },
    ...{ entry_price: 100 + at, isolated_margin_extra: 0, ...terms },
  }));
  const orders = Array.from({ length: working }, (_, at) => {
    const market = marketOf(at);
    const mark = 100 + market;
    const side = at % 2 === 0 ? ('buy' as const) : ('sell' as const);
    const sign = side === 'buy' ? -1 : 1;
    const price = (share: number) => Number((mark * (1 + sign * share)).toFixed(2));
    const away = (0.5 + (at % 40)) / 100;
    const kinds = [
      { mode: 'limit', limit_price: price(away) },
      { mode: 'limit', limit_price: price(away), attached_stop_loss_price: price(away + 0.02) },
      { mode: 'stop_market', trigger_price: price(-away) },
      { mode: 'take_limit', trigger_price: price(away), limit_price: price(away - 0.001) },
    ];
    const common = { id: `ord_${at}`, market_id: nameOf(market), side, size: 0.5 + (at % 7), reduce_only: false };
    return { ...common, ...terms, requested_at: at, ...kinds[Math.floor(at / 2) % kinds.length]! } as unknown as Order;
  });
  return { account: { balance: 1_000_000 }, positions, working: orders };
}
