import { coverOf } from '../../../src/desk/account/means.ts';
import { endsOf, type MarketEnds, nearestFloor } from '../../../src/desk/risk/breach.ts';
import { noOutlook } from '../../../src/desk/risk/outlook.ts';
import type { Mark, Standing } from '../../../src/desk/risk/path-account.ts';
import type { PlaceOrder } from '../../../src/exchange/engine/commands.ts';
import type { HalfPrice, MarketDefinition, Order, Side } from '../../../src/exchange/engine/model.ts';
import { presentAccount, presentPolicy } from '../../../src/service/present/account.ts';
import { presentOrder, presentPosition, presentTwap } from '../../../src/service/present/presenters.ts';
import type { Order as WireOrder } from '../../../src/wire/contract/orders.ts';
import type { Position as WirePosition } from '../../../src/wire/contract/positions.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { Scenario } from '../../exchange/engine/scenario.ts';
import { definition, type Level, type ScriptedEvent, ScriptedSource } from '../../exchange/engine/scripted-source.ts';

const placedAt = 1_000;
export const movedAt = 2_000;

/** What became of random portfolios: a trial that meets none of it proves nothing. */
export interface PathTally {
  portfolios: number;
  /** Prices that were told, and the accounts that died at one. */
  told: number;
  deaths: number;
  /** Died before what was told, or although nothing was told. */
  early: string[];
  /** Died more than 1% later than told, or not at all. */
  late: string[];
  /** Positions whose loss was told, and those that lost more, or less than told by more than 1% of the room. */
  losses: number;
  more: string[];
  less: string[];
  /** The same for portfolios with TWAPs or chases, whose worst case need not happen. */
  followers: { told: number; deaths: number; early: string[]; late: number };
}

export function newTally(): PathTally {
  return {
    portfolios: 0,
    told: 0,
    deaths: 0,
    early: [],
    late: [],
    losses: 0,
    more: [],
    less: [],
    followers: { told: 0, deaths: 0, early: [], late: 0 },
  };
}

export interface TrialMarket {
  readonly definition: MarketDefinition;
  readonly mark: HalfPrice;
  /** Price units from the best bid down, or from the best ask up, with the lots displayed there. */
  readonly levels: readonly Level[];
}

/**
 * A random portfolio with working orders of every kind: one market, or all of them, moves half a tick at a time until
 * the account has failed, or is well beyond what perp tells from the answers of the service. `isCopied`: another
 * account trades, and only what closes its positions is working, because what its entries will lead to is not told.
 */
export function tryPath(seed: number, tally: PathTally, isCopied = false): void {
  const chance = new Chance(seed);
  const markets = Array.from({ length: chance.between(1, 3) }, (_, at) => randomMarket(chance, at));
  const drawn = commandsFor(chance, markets);
  const portfolio = isCopied ? drawn.filter(closes) : drawn;
  const before = play(markets, portfolio, [], isCopied);
  const seen = lookAt(before, markets);
  if (seen === undefined) return;
  tally.portfolios += 1;
  const hasFollowers = portfolio.some(
    ({ kind, ...one }) => kind === 'place_twap' || ('mode' in one && one.mode === 'chase'),
  );
  const told = endsOf(seen.standing, seen.room, seen.marks);
  for (const market of markets) {
    for (const sign of [-1, 1] as const) {
      if (!chance.chance(markets.length === 1 ? 1 : 0.6)) continue;
      checkMove(market, sign, told.get(market.definition.marketId), hasFollowers);
    }
  }

  function checkMove(market: TrialMarket, sign: -1 | 1, ends: MarketEnds | undefined, isApart: boolean): void {
    const { marketId } = market.definition;
    const end = sign < 0 ? ends?.falling : ends?.rising;
    const at = end === undefined ? undefined : halfOf(market, end.price);
    const reach = Math.round(market.mark * 0.35);
    const furthest =
      at === undefined ? reach : Math.min(Math.abs(at - market.mark) + Math.ceil(at * 0.012) + 4, 3 * reach);
    const script: ScriptedEvent[] = [];
    for (let step = 1; step <= furthest && market.mark + sign * step > 10; step++)
      script.push(bookAt(market, market.mark + sign * step, movedAt + step));
    const after = play(markets, portfolio, script, isCopied);
    const { status, endedAt } = after.account();
    const diedAt = status === 'failed' ? market.mark + sign * (endedAt! - movedAt) : undefined;
    const where = `seed ${seed}, ${marketId} ${sign < 0 ? 'falling' : 'rising'} from ${market.mark}: told ${end?.by ?? 'nothing'} ${at ?? ''}, died ${diedAt ?? 'never'}`;
    const liquidatedAt = firstLiquidation(after, market, sign);
    const meetsAt = end?.by === 'liquidation' ? earlier(sign, liquidatedAt, diedAt) : diedAt;
    const beyond = at !== undefined && Math.abs(at - market.mark) > 3 * reach;
    checkLoss(market, sign, after, ends, script);
    if (beyond) return;
    if (end !== undefined) (isApart ? tally.followers : tally).told += 1;
    if (meetsAt !== undefined) (isApart ? tally.followers : tally).deaths += 1;
    const isEarly = meetsAt !== undefined && (at === undefined || sign * (meetsAt - at) < 0);
    const isLate = at !== undefined && (meetsAt === undefined || sign * (meetsAt - at) > at * 0.01);
    if (isEarly) (isApart ? tally.followers : tally).early.push(where);
    if (isLate && isApart) tally.followers.late += 1;
    else if (isLate) tally.late.push(where);
  }

  /** What equity falls until the position is closed, or until the account has failed. */
  function checkLoss(
    market: TrialMarket,
    sign: -1 | 1,
    after: Scenario,
    ends: MarketEnds | undefined,
    script: readonly ScriptedEvent[],
  ): void {
    const { marketId } = market.definition;
    const held = seen!.standing.positions.find(({ market_id }) => market_id === marketId);
    const room = seen!.room;
    if (held === undefined || room === undefined || (held.side === 'long') !== sign < 0) return;
    const cover = coverOf(held as never, seen!.standing.working, { ...noOutlook, room, ends: told });
    const loss = Math.min(room, Math.max(0, ends?.loss ?? Number.POSITIVE_INFINITY));
    const account = after.account();
    const closedAt =
      [...after.positions.values()].find(
        ({ marketId: of, direction, openedAt }) => of === marketId && direction === held.side && openedAt <= movedAt,
      )?.closedAt ?? null;
    const diedAt = account.status === 'failed' ? account.endedAt! : null;
    const until = closedAt ?? diedAt;
    if (until === null) return;
    tally.losses += 1;
    const equity = (scenario: Scenario) => {
      const { equity } = presentAccount(scenario.account(), scenario.exchange.risk(scenario.accountId)).risk!;
      return equity!;
    };
    const start = equity(before);
    const hasFailed = diedAt !== null && diedAt <= until;
    let lost = hasFailed
      ? room
      : start -
        equity(
          play(
            markets,
            portfolio,
            script.filter(({ time }) => time <= until),
            isCopied,
          ),
        );
    if (!hasFailed && loss - lost > room * 0.01) {
      const stepped = begin(markets, portfolio, script, { copied: isCopied });
      for (let time = movedAt; time <= until; time++) lost = Math.max(lost, start - equity(stepped.to(time)));
    }
    const where = `seed ${seed}, ${marketId} ${held.side}: told ${loss}, lost ${lost} of ${room}, covered ${cover.covered} of ${cover.covered + cover.uncovered}`;
    if (lost - loss > room * 0.01) tally.more.push(where);
    else if (loss - lost > room * 0.01 && !hasFollowers) tally.less.push(where);
  }
}

/** Opens a position, or can only make one smaller. */
function closes(one: Portfolio[number]): boolean {
  return 'mode' in one && (one.mode === 'market' || one.reduceOnly === true);
}

function earlier(sign: number, one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return sign < 0 ? Math.max(one, other) : Math.min(one, other);
}

function firstLiquidation(after: Scenario, market: TrialMarket, sign: number): number | undefined {
  const times = [...after.orders.values()]
    .filter(({ type }) => type === 'liquidation')
    .map(({ requestedAt }) => requestedAt);
  return times.length === 0 ? undefined : market.mark + sign * (Math.min(...times) - movedAt);
}

/** What perp would read. */
export function lookAt(scenario: Scenario, markets: readonly TrialMarket[]) {
  const { exchange, accountId } = scenario;
  const account = scenario.account();
  if (account.status !== 'active') return undefined;
  const open = exchange.openState();
  const market = (id: string) => markets.find(({ definition: { marketId } }) => marketId === id)!.definition;
  const wire = <T>(value: T): T => JSON.parse(JSON.stringify(value));
  const positions: WirePosition[] = open.positions.map((one) => wire(presentPosition(one, market(one.marketId), null)));
  const working: WireOrder[] = open.orders.map((one: Order) => wire(presentOrder(one, market(one.marketId))));
  const twaps = open.twaps.map((one) => wire(presentTwap(one, market(one.marketId))));
  const shown = wire(presentAccount(account, exchange.risk(accountId)));
  const policy = wire(presentPolicy(account, { observedAt: open.time, halt: open.halt, isFollower: false }));
  const marks = new Map<string, Mark>();
  for (const one of markets) {
    const { marketId, priceDecimals, sizeDecimals, tick } = one.definition;
    const position = open.positions.find((held) => held.marketId === marketId);
    const side: Side = position?.direction === 'short' ? 'buy' : 'sell';
    const own = [...open.orders, ...open.twaps.map((twap) => ({ ...twap, size: twap.totalSize }))].filter(
      (order) => order.marketId === marketId,
    );
    const lots = own.reduce((sum, order) => sum + (order.reduceOnly ? 0 : order.size), position?.size ?? 1);
    const size = Number(`${lots}e-${sizeDecimals}`);
    const quote = exchange.quote(marketId, { side, size, accountId });
    if (!quote.ok || quote.mid === null) return undefined;
    const unit = 10 ** priceDecimals;
    const price = Number(`${quote.mid * 5}e-${priceDecimals + 1}`);
    const { estimate } = quote;
    const average = Math.abs(Number(estimate?.notional ?? 0n) / 1e8 / size - price);
    const depth = estimate?.fillable
      ? { size, average, worst: Math.abs(estimate.worstPrice! / unit - price) }
      : { size: 0, average: 0, worst: 0 };
    marks.set(marketId, { price, at: quote.time, tick: tick! / unit, feeBps: quote.feeBps, depth: { [side]: depth } });
  }
  const standing: Standing = { account: shown, positions, working, twaps, policy };
  return { standing, room: nearestFloor(shown.risk)?.room, marks };
}

function play(
  markets: readonly TrialMarket[],
  commands: readonly Portfolio[number][],
  moved: readonly ScriptedEvent[],
  copied: boolean,
): Scenario {
  return begin(markets, commands, moved, { copied }).to(moved.at(-1)?.time ?? movedAt);
}

export function begin(
  markets: readonly TrialMarket[],
  commands: readonly Portfolio[number][],
  moved: readonly ScriptedEvent[],
  { carry = 0, copied = false }: { carry?: number; copied?: boolean } = {},
): Scenario {
  const script = [...markets.map((one) => bookAt(one, one.mark, placedAt)), ...moved];
  const source = new ScriptedSource(
    script,
    markets.map((one) => one.definition),
  );
  const rates = { feeBps: { crypto: 3 }, carryBpsPerDay: { crypto: carry } };
  const scenario = new Scenario(source, { plan: 'select', rates }).to(placedAt);
  const trader = copied ? copiedBy(scenario) : scenario.accountId;
  for (const command of commands) scenario.execute({ ...command, accountId: trader } as PlaceOrder);
  return scenario.to(movedAt);
}

/** Another account, whose orders the account of the scenario copies. */
function copiedBy(scenario: Scenario): string {
  const source = scenario.openAccount({ plan: 'none', startingBalance: 100_000 });
  const targets = [{ accountId: scenario.accountId, multiplierBps: 10_000 }];
  scenario.done({
    ...{ kind: 'save_copy_groups', owner: 'somebody', environment: 'live', deletedConfigIds: [] },
    groups: [{ configId: null, enabled: true, sourceAccountId: source, targets }],
  });
  return source;
}

/** A book around a mark. */
export function bookAt(
  { definition: { marketId }, levels }: TrialMarket,
  mark: HalfPrice,
  time: number,
): ScriptedEvent {
  const bid = Math.ceil(mark / 2) - 1;
  const ask = mark - bid;
  return {
    time,
    market: marketId,
    bids: levels.map(([away, lots]): Level => [bid - away, lots]).filter(([price]) => price > 0),
    asks: levels.map(([away, lots]): Level => [ask + away, lots]),
  };
}

function halfOf({ definition: { priceDecimals } }: TrialMarket, price: number): HalfPrice {
  return Math.round(price * 2 * 10 ** priceDecimals);
}

export function randomMarket(chance: Chance, at: number): TrialMarket {
  const priceDecimals = chance.between(0, 4);
  const sizeDecimals = chance.between(0, 3);
  const mark = chance.between(1_200, 3_600);
  const price = mark / 2 / 10 ** priceDecimals;
  const lots = (usd: number) => Math.max(1, Math.round((usd / price) * 10 ** sizeDecimals));
  const isThin = chance.chance(0.3);
  const levels = Array.from(
    { length: isThin ? 12 : 3 },
    (_, level): Level => [level, lots(isThin ? 60_000 : 2_000_000)],
  );
  const market = definition({ marketId: `binance|M${at}`, symbol: `M${at}`, priceDecimals, sizeDecimals, tick: 1 });
  return { definition: market, mark, levels };
}

export type Portfolio = ReturnType<typeof commandsFor>;

/** Positions first, then working orders of every kind around them. */
export function commandsFor(chance: Chance, markets: readonly TrialMarket[]) {
  const commands: (({ kind: 'place_order' } & Partial<PlaceOrder>) | { kind: 'place_twap' })[] = [];
  const scenario = new Scenario([]);
  const base = scenario.order.bind(scenario);
  for (const market of markets) {
    const { definition: one, mark } = market;
    const terms = { leverage: chance.between(2, 8), marginMode: chance.pick(['cross', 'cross', 'isolated'] as const) };
    const price = mark / 2 / 10 ** one.priceDecimals;
    const sized = (usd: number) =>
      Number(`${Math.max(1, Math.round((usd / price) * 10 ** one.sizeDecimals))}e-${one.sizeDecimals}`);
    const at = (share: number) => Number(`${Math.max(1, Math.round((mark / 2) * (1 + share)))}e-${one.priceDecimals}`);
    const command = (side: Side, size: number, changes: Partial<PlaceOrder>) => ({
      ...base(side, size, { marketId: one.marketId, ...terms, ...changes }),
      ...changes,
    });
    if (chance.chance(0.85))
      commands.push(command(chance.pick(['buy', 'sell']), sized(chance.between(2_000, 150_000) / markets.length), {}));
    for (let left = chance.between(0, 6); left > 0; left--) {
      const order = randomOrder(chance, { at, sized, command, markets });
      commands.push(order);
    }
    if (chance.chance(0.12)) {
      commands.push({
        kind: 'place_twap',
        marketId: one.marketId,
        strategy: 'twap',
        side: chance.pick(['buy', 'sell']),
        size: sized(chance.between(5_000, 60_000)),
        expectedPrice: price,
        ...terms,
        durationMinutes: 60,
        sliceIntervalSeconds: 60,
        randomize: false,
        reduceOnly: chance.chance(0.2),
        triggerPrice: null,
        maxPrice: null,
        minPrice: null,
      } as { kind: 'place_twap' });
    }
  }
  return commands;
}

interface Drawing {
  at(share: number): number;
  sized(usd: number): number;
  command(side: Side, size: number, changes: Partial<PlaceOrder>): { kind: 'place_order' } & Partial<PlaceOrder>;
  readonly markets: readonly TrialMarket[];
}

function randomOrder(chance: Chance, { at, sized, command, markets }: Drawing) {
  const mode = chance.pick([
    'limit',
    'limit',
    'limit',
    'limit',
    'stop_market',
    'stop_market',
    'take_market',
    'stop_limit',
    'take_limit',
    'conditional',
    'chase',
  ] as const);
  const side = chance.pick(['buy', 'sell'] as const);
  const sign = side === 'buy' ? -1 : 1;
  const away = chance.between(3, 150) / 1_000;
  const size = sized(chance.between(2_000, 120_000) / markets.length);
  const reduceOnly = mode !== 'limit' && chance.chance(0.45);
  const price = sign * away;
  const hasLegs = !reduceOnly && chance.chance(0.35);
  const legs = (from: number): Partial<PlaceOrder> =>
    hasLegs
      ? {
          stopLossPrice: at(from + sign * (chance.between(5, 100) / 1_000)),
          takeProfitPrice: chance.chance(0.5) ? at(from - sign * (chance.between(5, 100) / 1_000)) : null,
          replaceOverlappingExits: chance.chance(0.3),
        }
      : {};
  const isStop = mode === 'stop_market' || mode === 'stop_limit';
  const trigger = isStop ? -price : price;
  switch (mode) {
    case 'limit':
      return command(side, size, { mode, limitPrice: at(price), ...legs(price) });
    case 'chase':
      return command(side, size, { mode, ...legs(0) });
    case 'conditional':
      return command(side, size, {
        mode,
        reduceOnly,
        triggerPrice: at(price),
        triggerDirection: price > 0 ? 'above' : 'below',
        triggerMarketId: chance.pick(markets).definition.marketId,
        ...legs(price),
      });
    case 'stop_limit':
    case 'take_limit':
      return command(side, size, {
        mode,
        reduceOnly,
        triggerPrice: at(trigger),
        limitPrice: at(trigger + chance.between(-10, 10) / 1_000),
        ...legs(trigger),
      });
    default:
      return command(side, size, { mode, reduceOnly, triggerPrice: at(trigger), ...legs(trigger) });
  }
}
