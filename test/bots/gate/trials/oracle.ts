// biome-ignore lint/suspicious/noExplicitAny: resources as the service answers them.
type Resource = any;

/** What was agreed for an account, in the words of this oracle: it shares no code with what it checks. */
export interface Terms {
  readonly markets: readonly string[];
  readonly sides: readonly string[];
  readonly largestOrderUsd: number;
  readonly largestPositionUsd: number;
  readonly largestLeverage: number;
  readonly lossPerDayUsd: number;
  /** Everything that is held, or may be, has a stop within this share of its price. */
  readonly stopWithin?: number;
}

/** One account as the service has it. */
interface Held {
  readonly account: Resource;
  readonly positions: readonly Resource[];
  readonly working: readonly Resource[];
  readonly twaps: readonly Resource[];
}

/** All accounts at one moment, with the marks of all markets. */
export interface Moment {
  readonly held: ReadonlyMap<string, Held>;
  readonly marks: ReadonlyMap<string, number>;
  readonly groups: readonly Resource[];
}

type Read = (target: string) => Promise<Resource>;

/** Doubles, and what the mark may move between a judgment and its order. */
const tolerance = 1.01;
const dust = 1e-7;
const sides = ['buy', 'sell'] as const;
type Side = (typeof sides)[number];

/**
 * Reads what the service really has before and after each write, and says what about the difference nobody has agreed
 * to.
 */
export class Oracle {
  readonly #read: Read;
  readonly #terms: ReadonlyMap<string, Terms>;
  readonly #markets: readonly string[];

  /** `terms`: of every account that may trade; any other account may not change at all. */
  constructor(read: Read, terms: ReadonlyMap<string, Terms>, markets: readonly string[]) {
    this.#read = read;
    this.#terms = terms;
    this.#markets = markets;
  }

  async look(): Promise<Moment> {
    const accounts: Resource[] = await this.#read('/v1/accounts');
    const held = await Promise.all(
      accounts.map(async ({ id }): Promise<[string, Held]> => {
        const [account, positions, working, twaps] = await Promise.all([
          this.#read(`/v1/accounts/${id}`),
          this.#read(`/v1/positions?account_id=${id}`),
          this.#read(`/v1/orders?account_id=${id}&status=working`),
          this.#read(`/v1/twap-orders?account_id=${id}`),
        ]);
        return [id, { account, positions, working, twaps }];
      }),
    );
    const marks = await Promise.all(
      this.#markets.map(async (id): Promise<[string, number]> => {
        return [id, (await this.#read(`/v1/markets/${encodeURIComponent(id)}/quote`)).mid];
      }),
    );
    return { held: new Map(held), marks: new Map(marks), groups: await this.#read('/v1/copy-trading') };
  }

  /** What a write did beyond what was agreed, in sentences. `reduces`: it asked for nothing but a smaller position. */
  violations(before: Moment, after: Moment, reduces: boolean): string[] {
    return [...after.held].flatMap(([id, now]) => {
      const was = before.held.get(id)!;
      const terms = this.#terms.get(id);
      if (terms === undefined) return isSame(was, now) ? [] : [`${id} has changed, which nobody may trade`];
      return [...this.#added(id, terms, before, after, reduces), ...uncovered(id, terms, was, now)];
    });
  }

  #added(id: string, terms: Terms, before: Moment, after: Moment, reduces: boolean): string[] {
    const found: string[] = [];
    for (const [market, mark] of after.marks)
      for (const side of sides) {
        const now = reach(id, market, side, after);
        const added = now - reach(id, market, side, before);
        if (added <= dust * Math.max(1, now)) continue;
        const about = `${id} ${side} ${market}: ${added} more, ${now} in all at ${mark}`;
        const breaks = (what: string) => found.push(`${about}: ${what}`);
        if (!terms.markets.includes(market)) breaks('another market');
        if (!terms.sides.includes(side)) breaks('another side');
        const isFollower = leadsOf(id, after).length > 0;
        // A smaller position takes less away from what waits on the other side.
        if (reduces) {
          if (now * mark > terms.largestPositionUsd * tolerance) breaks(`${now * mark} USD in one position`);
          continue;
        }
        if (!isFollower && added * mark > terms.largestOrderUsd * tolerance) breaks(`${added * mark} USD in one order`);
        if (now * mark > terms.largestPositionUsd * tolerance) breaks(`${now * mark} USD in one position`);
        const lost = lostBy(before.held.get(id)!.account);
        if (lost >= terms.lossPerDayUsd * tolerance + 1) breaks(`${lost} USD are lost already`);
        const leverage = highest(after.held.get(id)!, market);
        if (leverage > terms.largestLeverage && leverage > highest(before.held.get(id)!, market))
          breaks(`leverage ${leverage}`);
      }
    return found;
  }
}

/** The largest position on a side that may come about, base asset; of a follower, with what it may still copy. */
function reach(id: string, market: string, side: Side, moment: Moment): number {
  const sign = side === 'buy' ? 1 : -1;
  const held = moment.held.get(id)!;
  const own = sign * positionOf(held, market) + waiting(held, market, side);
  const copied = leadsOf(id, moment).reduce((sum, { lead, ratio }) => {
    return sum + ratio * waiting(moment.held.get(lead)!, market, side);
  }, 0);
  return Math.max(0, own + copied);
}

function positionOf({ positions }: Held, market: string): number {
  const position = positions.find(({ market_id }) => market_id === market);
  return position === undefined ? 0 : position.side === 'long' ? position.size : -position.size;
}

/** What waits to add, base asset. */
function waiting({ working, twaps }: Held, market: string, side: Side): number {
  const isIt = (one: Resource) => one.market_id === market && one.side === side && one.reduce_only !== true;
  const rests = twaps.filter((one) => isIt(one) && one.status === 'running');
  return (
    working.filter(isIt).reduce((sum, { size }) => sum + size, 0) +
    rests.reduce((sum, { total_size, filled_size }) => sum + total_size - filled_size, 0)
  );
}

function leadsOf(id: string, { groups, held }: Moment): { lead: string; ratio: number }[] {
  const start = (account: string) => held.get(account)!.account.starting_balance;
  return groups
    .filter(({ enabled }) => enabled)
    .flatMap(({ source_account_id: lead, targets }) =>
      targets
        .filter(({ account_id }: Resource) => account_id === id)
        .map(({ multiplier_bps }: Resource) => ({ lead, ratio: (multiplier_bps / 1e4) * (start(id) / start(lead)) })),
    );
}

function highest({ positions, working }: Held, market: string): number {
  const here = [...positions, ...working].filter(({ market_id, reduce_only }) => market_id === market && !reduce_only);
  return Math.max(0, ...here.map(({ leverage }) => leverage));
}

function lostBy({ risk, starting_balance: starting }: Resource): number {
  const day = risk.daily_loss_floor + (starting * risk.requirements.daily_loss_pct) / 100;
  return day - risk.equity;
}

/** Positions and entries that lost their stop, or got none. */
function uncovered(id: string, { stopWithin }: Terms, before: Held, after: Held): string[] {
  if (stopWithin === undefined) return [];
  const markets = new Set(after.positions.concat(after.working, after.twaps).map(({ market_id }) => market_id));
  return [...markets].flatMap((market) => {
    const [was, is] = [bare(before, market, stopWithin), bare(after, market, stopWithin)];
    return is > was + dust * Math.max(1, is) ? [`${id} ${market}: ${is} without a stop, ${was} before`] : [];
  });
}

/** What has no stop near enough, base asset. */
function bare({ positions, working, twaps }: Held, market: string, within: number): number {
  const here = (one: Resource) => one.market_id === market;
  const isNear = (stop: number, price: number) => Math.abs(stop - price) <= price * within * tolerance;
  const position = positions.find(here);
  let size = 0;
  if (position !== undefined) {
    const isStop = (one: Resource) =>
      here(one) &&
      one.target_position_id === position.id &&
      one.cancel_requested_at === undefined &&
      (one.mode === 'stop_market' || one.mode === 'stop_limit') &&
      isNear(one.trigger_price, position.entry_price);
    const covered = working.filter(isStop).reduce((sum, one) => sum + one.size, 0);
    size += Math.max(0, position.size - covered);
  }
  for (const one of working.filter((order) => here(order) && order.reduce_only !== true)) {
    const stop = one.attached_stop_loss_price;
    const price = one.limit_price ?? one.trigger_price ?? one.expected_price;
    if (stop === undefined || !isNear(stop, price)) size += one.size;
  }
  for (const one of twaps.filter((twap) => here(twap) && twap.status === 'running' && twap.reduce_only !== true))
    size += one.total_size - one.filled_size;
  return size;
}

function isSame(one: Held, other: Held): boolean {
  const text = ({ positions, working, twaps }: Held) => {
    const marksAside = positions.map(({ liquidation_price: _, ...rest }) => rest);
    return JSON.stringify([marksAside, working, twaps]);
  };
  return text(one) === text(other);
}
