import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chance } from '../../../exchange/engine/chance.ts';
import { StagedDesk } from './staged-desk.ts';
import { marketIds } from './staged-host.ts';

/** How much faster the exchange's time passes than the guard's, so that a day takes 24 minutes of its clock. */
const speed = 60;
const dayMs = 86_400_000;

/**
 * What a healthy day was like: how often the guard acted, how many trades there were, and how near the limit was, USD.
 */
export interface HealthyDay {
  actions: string[];
  trades: number;
  room: number;
}

/**
 * A day of random trading on random prices in which the equity never reaches the daily stop; undefined if it does.
 * Answers take their time, and lists are not read at one moment.
 */
export async function healthyDay(seed: number): Promise<HealthyDay | undefined> {
  const chance = new Chance(seed);
  using desk = new StagedDesk(seed);
  const { host, time } = desk;
  host.speed = speed;
  host.latencyMs = () => 10 + chance.next() ** 3 * 800;
  const prices = new Map(marketIds.map((market) => [market, 100]));
  host.markOf = (market) => prices.get(market)!;
  const limit = 2_000;
  let room = limit;
  let trades = 0;
  const measure = () => {
    room = Math.min(room, limit - (100_000 - host.equity));
  };
  const move = () => {
    for (const market of marketIds) prices.set(market, prices.get(market)! * (1 + (chance.next() - 0.5) * 0.0016));
    measure();
    host.tick();
    time.timers.after(chance.between(200, 1_500), move);
  };
  const trade = () => {
    const open = [...host.positions.values()];
    // Losses are cut and gains taken at random; sizes are such that the limit is near on many days.
    if (open.length > 0 && chance.chance(0.5))
      host.close(chance.pick(open).id, chance.chance(0.3) ? chance.between(1, 500) : undefined);
    else {
      const market = chance.pick(marketIds);
      if (!open.some(({ market_id }) => market_id === market))
        host.open(market, chance.pick(['long', 'short']), chance.between(300, 3_000));
    }
    trades += 1;
    measure();
    time.timers.after(chance.between(2_000, 30_000), trade);
  };
  move();
  time.timers.after(1_000, trade);
  const rules = join(desk.folder, 'rules.toml');
  writeFileSync(rules, `[daily-stop]\nloss = "${limit}usd"\n`);
  // The day begins at midnight in New York and is over before the next.
  const run = desk.perp(['guard', '--rules', rules, '--exec', 'alert', '-o', 'ndjson', '--account', 'acc_1']);
  const over = await time.during(Promise.race([run, time.sleep((dayMs - 600_000) / speed)]), Number.POSITIVE_INFINITY);
  if (over !== undefined) throw new Error(`the guard ended: ${over.err}`);
  const actions = desk.told
    .filter(({ alert }) => alert.steps.length > 0)
    .map(({ at, alert }) => `${at}: ${alert.says}`);
  desk.signal('SIGTERM');
  await time.during(run, Number.POSITIVE_INFINITY);
  return room <= 0 ? undefined : { actions, trades, room };
}
