import type { Account, Environment } from '../../exchange/engine/model.ts';
import { closedBars } from '../../exchange/markets/bars.ts';
import { barsOf } from '../../exchange/markets/played-bars.ts';
import type { KeyRecord } from '../../exchange/store/service-tables.ts';
import type { LiveStatus } from '../../venues/live/live-feeds.ts';
import { unknownText } from '../../venues/live/protocols/venue.ts';
import type { FeedStatus } from '../../venues/live/venue-feed.ts';
import {
  FeedConnection,
  FeedMarket,
  type FeedsStatus,
  type SetPolicyRequest,
  SimulationKey,
  type SimulationPolicy,
  type SimulationStatus,
} from '../../wire/contract/simulation.ts';
import type { SimulationPast } from '../../wire/contract/simulation-history.ts';
import { Failure, invalid } from '../../wire/hosting/failure.ts';
import { hashSecret, newKey } from '../../wire/hosting/keys.ts';
import { presentAccount, presentEnding, presentObserved } from '../present/account.ts';
import { presentBook, presentCandle, presentTrades } from '../present/market.ts';
import { policyOf, presentExplanation } from '../present/presenters.ts';
import { decimal, wireForm } from '../present/wire-form.ts';
import type { Principal } from '../simulation/keys.ts';
import type { Simulation, Turn } from '../simulation/simulation.ts';
import { knownMarket, own, ownAccount, ownAccountId, ownAccounts } from './lookup.ts';
import { listedMarkets } from './markets.ts';
import { done, doneWithoutRejection, found, type Handler, made } from './operations.ts';
import { changedPolicy, policyIssues } from './policy-change.ts';

/** Longer jumps of the clock are refused: everything in between is played before the answer. */
const longestAdvanceMs = 366 * 24 * 3_600_000;

/** Trades of a longer time are refused: all of them are played before the answer. */
const longestPastMs = 3_600_000;

const fastest = 1e6;

/** GET /sim/status. */
export const simStatus: Handler<'simStatus'> = ({ simulation, principal }, turn) =>
  found(statusOf(simulation, turn, principal));

function statusOf(simulation: Simulation, turn: Turn, principal: Principal): SimulationStatus {
  const { facts, clock } = simulation;
  const open = turn.exchange.openState();
  const isBlind = facts.blind !== undefined;
  return {
    state: simulation.state,
    source: facts.source.name as SimulationStatus['source'],
    books: facts.books ?? null,
    blind: isBlind,
    clock: clock.kind,
    speed: clock.kind === 'manual' ? 0 : clock.speed,
    seed: facts.seed,
    time: turn.exchange.time,
    first_time: facts.firstTime,
    last_time: isBlind ? null : facts.lastTime,
    trading_halt: { platform: open.halt.platform, categories: open.halt.categories },
    markets: listedMarkets(simulation, turn).length,
    accounts: ownAccounts(turn, principal).length,
    ended_accounts: turn.exchange.endedAccounts(principal.environment).map(presentEnding),
    working_orders: open.orders.length,
    open_positions: open.positions.length,
    running_strategies: open.twaps.length + open.scaled.length,
  };
}

/** POST /sim/clock: a pause keeps the current time, and a running clock continues from there. */
export const simSetClock: Handler<'simSetClock'> = ({ simulation, body, principal }, turn) => {
  if (simulation.facts.source.name === 'live')
    throw new Failure('conflict', "Live markets run on the real clock, which can't be paused or sped up.");
  if (!body.running && body.speed !== undefined)
    throw invalid([{ field: 'speed', issue: 'is only allowed for a running clock' }]);
  if ((body.speed ?? 1) > fastest) throw invalid([{ field: 'speed', issue: `must be at most ${fastest}` }]);
  const { clock } = simulation;
  const now = turn.exchange.time;
  const speed = body.speed ?? (clock.kind === 'real' ? clock.speed : 1);
  const startedWall = simulation.wallTime();
  simulation.setClock(body.running ? { kind: 'real', startedWall, startedAt: now, speed } : { kind: 'manual', now });
  return found(statusOf(simulation, turn, principal));
};

/** GET /sim/book: the book of this moment, whenever the stream of books last sent it. */
export const simGetBook: Handler<'simGetBook'> = (call, turn) => {
  const market = knownMarket(call, call.query.market_id);
  return found(presentBook(market, turn.exchange.book(market.marketId), turn.exchange.marks(market.marketId)));
};

/** GET /sim/past: a market's history until this moment. */
export const simGetPast: Handler<'simGetPast'> = (call, turn) => {
  const market = knownMarket(call, call.query.market_id);
  const { marketId } = market;
  const { interval, length, after } = call.query;
  const { source, firstTime } = call.simulation.facts;
  const now = turn.exchange.time;
  const past: SimulationPast = { market_id: marketId, candles: [], trades: [] };
  if (interval !== undefined) {
    const bars = closedBars(barsOf(source, firstTime), marketId, { interval, count: length ?? 1, now });
    past.candles = bars.flatMap((bar) => presentCandle(market, bar));
  }
  if (after !== undefined) {
    if (now - after > longestPastMs) throw invalid([{ field: 'after', issue: 'must be at most an hour ago' }]);
    const tape = source.open(after);
    tape.watch(marketId, true);
    past.trades = presentTrades(market, tape, now);
  }
  return found(past);
};

/** GET /sim/feeds: only for live markets that this process serves. */
export const simFeeds: Handler<'simFeeds'> = ({ simulation }) => {
  const { live } = simulation.facts;
  if (live === undefined) {
    const isLive = simulation.facts.source.name === 'live';
    const why = isLive
      ? 'is not being served, so it has no feeds now.'
      : 'does not run on live markets, so it has no feeds. Use one served with perp sim serve --books live.';
    throw new Failure('conflict', `Simulation ${simulation.state} ${why}`);
  }
  return found(presentFeeds(live.status()));
};

/** GET /sim/weather: since this process opened the simulation. */
export const simWeather: Handler<'simWeather'> = ({ simulation }) => {
  const { weather } = simulation;
  if (weather === null) throw new Failure('conflict', `Simulation ${simulation.state} has no weather.`);
  return found({ profile: { ...weather.profile }, ...weather.survival.report() });
};

/** POST /sim/advance: plays every event in between, then stops (simulation 9.1). */
export const simAdvance: Handler<'simAdvance'> = ({ simulation, body }, turn) => {
  if (simulation.clock.kind !== 'manual')
    throw new Failure(
      'conflict',
      'This state has a running clock; only a manual one can be advanced: perp sim reset --clock manual starts over with it.',
    );
  const from = turn.exchange.time;
  if (body.end && simulation.facts.blind !== undefined)
    throw new Failure('conflict', 'The recording is played blind, so its end is hidden. Advance by a duration.');
  if (body.end && simulation.facts.lastTime === null)
    throw new Failure('conflict', 'These markets have no end: advance by a duration or to a time.');
  const to = Math.floor(body.to ?? (body.end ? simulation.facts.lastTime! : from + body.duration_ms!));
  const field = body.to === undefined ? 'duration_ms' : 'to';
  if (to < from && !body.end) throw invalid([{ field, issue: `must not be before the current time, ${from}` }]);
  if (to - from > longestAdvanceMs) throw invalid([{ field, issue: 'must be within 366 days' }]);
  const stop = Math.max(from, to);
  const { passage } = simulation;
  if (passage !== null)
    return { ...found({ from, to: stop }), after: async () => ({ data: { from, to: await passage.advanceTo(stop) } }) };
  simulation.setClock({ kind: 'manual', now: stop });
  turn.advance(stop);
  return found({ from, to: stop });
};

/** GET /sim/keys. */
export const simListKeys: Handler<'simListKeys'> = ({ principal }, turn) =>
  found(turn.store.credentials.keys({ owner: principal.owner }).map(presentKey));

/** POST /sim/keys: the only time a key is shown (simulation 8.1). */
export const simCreateKey: Handler<'simCreateKey'> = ({ principal, body, simulation }, turn) => {
  const { name, environment, scope, prefix } = body;
  if (prefix !== undefined && !/^[A-Za-z0-9_-]+$/.test(prefix))
    throw invalid([{ field: 'prefix', issue: 'must contain only letters, digits, - and _' }]);
  const key = newKey(environment, prefix);
  const record: KeyRecord = {
    hash: hashSecret(key),
    owner: principal.owner,
    environment,
    scope,
    name,
    kind: 'key',
    createdAt: simulation.wallTime(),
    expiresAt: null,
    revokedAt: null,
  };
  turn.store.credentials.addKey(record);
  return made({ api_key: key, key: presentKey(record) });
};

/** POST /sim/keys/{key_id}: for practice with a credential that ends. A revoked key never comes back. */
export const simEndKey: Handler<'simEndKey'> = ({ principal, path, body, simulation }, turn) => {
  const { credentials } = turn.store;
  const key = credentials.keys({ owner: principal.owner }).find((one) => idOfKey(one) === path.key_id);
  if (key === undefined) throw new Failure('not_found', `There is no key ${JSON.stringify(path.key_id)}.`);
  if (key.revokedAt !== null) throw new Failure('conflict', `Key ${path.key_id} is already revoked.`);
  const ended = {
    ...key,
    ...(body.expires_at !== undefined && { expiresAt: body.expires_at }),
    ...(body.revoked && { revokedAt: simulation.wallTime() }),
  };
  credentials.changeKey(ended);
  return found(presentKey(ended));
};

/** A key's id is the beginning of its hash, which reveals nothing about the key. */
function idOfKey({ hash }: KeyRecord): string {
  return `key_${hash.slice(0, 16)}`;
}

function presentKey(key: KeyRecord): SimulationKey {
  return wireForm(SimulationKey, key, { id: idOfKey(key) });
}

/** GET /sim/policy. */
export const simGetPolicy: Handler<'simGetPolicy'> = ({ principal, query }, turn) =>
  found(simulationPolicy(ownInEither(turn, principal, query.account_id), turn));

/** An account of the principal, on live or in the sandbox: anyone who sets up a simulation sets up both. */
function ownInEither(turn: Turn, principal: Principal, id: string) {
  const { environment } = turn.exchange.findAccount(id) ?? principal;
  return ownAccount(turn, { ...principal, environment }, id);
}

/** Gives all accounts of an environment a preset of their policy. */
export function presetAccounts(simulation: Simulation, environment: Environment, preset: 'observed' | 'default'): void {
  simulation.write((turn) => {
    for (const account of turn.exchange.accounts(environment)) setPolicy(turn, account, { preset });
  });
}

function setPolicy(turn: Turn, account: Readonly<Account>, change: SetPolicyRequest): void {
  const policy = changedPolicy(account.policy, change, turn.exchange.time);
  const issues = policyIssues(policy);
  if (issues.length > 0) throw invalid(issues);
  doneWithoutRejection(turn.execute({ kind: 'set_policy', accountId: account.id, policy }));
}

/** POST /sim/policy: changes an account's policy, and the halt of the exchange, for practice. */
export const simSetPolicy: Handler<'simSetPolicy'> = ({ principal, body, simulation }, turn) => {
  const { account_id: accountId, trading_halt: halt } = body;
  const account = accountId === undefined ? null : ownInEither(turn, principal, accountId);
  if (account !== null) {
    refuseUnknownMarks(simulation, body);
    setPolicy(turn, account, body);
  }
  if (halt !== undefined)
    doneWithoutRejection(turn.execute({ kind: 'set_halt', platform: halt.platform, categories: halt.categories }));
  return found(account === null ? null : simulationPolicy(account, turn));
};

/** A venue's own prices exist only in live markets, and on their tapes: without them, nothing would ever happen. */
function refuseUnknownMarks({ facts: { source } }: Simulation, { observed }: SetPolicyRequest): void {
  const wanted =
    observed?.marks === 'venue' ? 'marks venue' : observed?.stop_price === 'index' ? 'stop price index' : null;
  if (wanted === null || source.definitions.some(({ marketId }) => source.hasMarks?.(marketId) === true)) return;
  const why = {
    synthetic: 'Synthetic markets have no venue, so they have no mark or index of one',
    recorded: "This recording lacks its venue's mark and index",
    live: 'The venue of these live markets publishes no mark and index, or none is on the tape yet',
  };
  throw new Failure('conflict', `${why[source.name as keyof typeof why]}: ${wanted} is not possible here.`);
}

function simulationPolicy(account: Account, turn: Turn): SimulationPolicy {
  return { ...policyOf(account, turn), observed: presentObserved(account.policy) };
}

/** POST /sim/fund: a passed account gets its funded successor (simulation 6.1). */
export const simFund: Handler<'simFund'> = ({ principal, body }, turn) => {
  const accountId = ownAccountId(turn, principal, body.account_id);
  const account = done(turn.execute({ kind: 'fund_account', accountId })).account!;
  return made(presentAccount(account, turn.exchange.risk(account.id)));
};

/** GET /sim/orders/{order_id}/explanation. */
export const simExplainOrder: Handler<'simExplainOrder'> = ({ simulation, principal, path }, turn) => {
  const order = own('order', turn, principal, path.order_id);
  const { id, marketId, queueAhead } = order;
  const { markets } = simulation;
  const { sizeDecimals } = simulation.market(marketId);
  const isQueued = order.status === 'resting' && queueAhead !== null;
  const lines = turn.store
    .explanations(id)
    .map((line) => presentExplanation(line, simulation.market(marketId), markets));
  return found({ order_id: id, ...(isQueued && { queue_ahead: decimal(queueAhead, sizeDecimals) }), lines });
};

type Feed = FeedsStatus['feeds'][number];

/** The feeds of live markets on the wire. */
function presentFeeds({ feeds, tape }: LiveStatus): FeedsStatus {
  return {
    feeds: feeds.map(presentFeed),
    tape: {
      file: tape.tape,
      part: tape.part,
      lines: tape.lines,
      bytes: tape.partBytes,
      synced_at: tape.syncedAt,
      problem: tape.problem,
    },
  };
}

function presentFeed(feed: LiveStatus['feeds'][number]): Feed {
  const { venue, connections, markets, framesPerSecond, skewMs, rest } = feed;
  return {
    venue,
    state: stateOf(feed),
    problem: feed.problem,
    unknown_rows: feed.unknown.map(unknownText),
    messages_per_second: framesPerSecond,
    skew_ms: skewMs,
    weight_used: rest.weight,
    weight_limit: rest.weightPerMinute,
    paused_until: rest.pausedUntil === 0 ? null : rest.pausedUntil,
    connections: connections.map((connection) =>
      wireForm(FeedConnection, connection, {
        subscriptions: connection.confirmed,
        age_ms: Math.round(connection.ageMs),
      }),
    ),
    markets: markets.map((market) => {
      const { gap, quietMs, prints, marks, marksProblem } = market;
      return wireForm(FeedMarket, market, {
        // Markets that are off are omitted.
        state: market.state as Feed['markets'][number]['state'],
        gap_since: gap?.since ?? null,
        gap_reason: gap?.reason ?? null,
        quiet_ms: quietMs === null ? null : Math.round(quietMs),
        mark: numberOf(marks?.mark),
        index: numberOf(marks?.index),
        funding_rate: numberOf(marks?.fundingRate),
        funding_hours: marks?.fundingHours ?? null,
        next_funding_at: marks?.nextFundingAt ?? null,
        mark_age_ms: marks === null ? null : Math.round(marks.ageMs),
        mark_problem: marksProblem,
        prints_joined: prints.joined,
        prints_lost: prints.lost,
      });
    }),
  };
}

function numberOf(decimal: string | null | undefined): number | null {
  return decimal == null ? null : Number(decimal);
}

function stateOf({ connections, markets }: FeedStatus): Feed['state'] {
  const live = markets.filter(({ state }) => state === 'live').length;
  if (markets.length === 0) return 'idle';
  if (live === markets.length) return 'live';
  if (live > 0) return 'partly_live';
  return connections.some(({ state }) => state === 'connecting') ? 'connecting' : 'in_gap';
}
