import { createHash } from 'node:crypto';
import type { Changes } from '../../exchange/engine/commands.ts';
import type { MarketDefinition, Ms, Position } from '../../exchange/engine/model.ts';
import type { MarketSource } from '../../exchange/engine/source.ts';
import { averagePrice, decimal, usd } from '../../service/present/wire-form.ts';
import type { EngineRun, EngineRunOptions } from '../sdk/strategy/engine-run.ts';
import type { RunRequest, TrialProblem, TrialResult, Trip } from './trial.ts';

const logKept = 50;
const longestLogLine = 500;
const mostUnhashed = 65_536;

/** Records the events of one run of a trial, and makes its result. */
export class TrialRecord {
  /** With `lines` of the request: every line that is hashed. */
  readonly lines: string[] = [];
  private readonly request: RunRequest;
  private readonly definitions: ReadonlyMap<string, MarketDefinition>;
  private readonly hash = createHash('sha256');
  /** Lines not hashed yet: many at once cost less. */
  private unhashed = '';
  private readonly hashed: string[] = [];
  private readonly equity: number[] = [];
  private readonly positions = new Map<string, Position>();
  private readonly log: string[] = [];
  private readonly counts = { decisions: 0, requests: 0, refusals: 0, fills: 0, logLines: 0 };
  private readonly money = { fees: 0n, carry: 0n, realized: 0n };
  private volume = 0;
  private run: EngineRun | null = null;

  constructor({ definitions }: Pick<MarketSource, 'definitions'>, request: RunRequest) {
    this.request = request;
    this.definitions = new Map(definitions.map((definition) => [definition.marketId, definition]));
  }

  /** The figures that a run must report. */
  listeners(): Pick<EngineRunOptions, 'log' | 'onAsked' | 'onNews' | 'onChanges'> {
    return {
      log: (text, time) => this.say(text, time),
      onAsked: (asked, time, refusal) => {
        this.counts.requests += 1;
        if (refusal !== null) this.counts.refusals += 1;
        this.line(time, { asked, refusal });
      },
      onNews: ({ fills, orders }, time) => {
        for (const fill of fills) {
          this.counts.fills += 1;
          this.volume += fill.notional;
          this.line(time, { fill });
        }
        for (const order of orders) this.line(time, { order });
      },
      onChanges: (changes) => this.take(changes),
    };
  }

  /** The strategy is called. */
  decision(): void {
    this.counts.decisions += 1;
  }

  /** The strategy wrote a line. */
  say(text: string, time: Ms): void {
    const shown = text.length > longestLogLine ? `${text.slice(0, longestLogLine)}...` : text;
    this.counts.logLines += 1;
    this.log.push(shown);
    if (this.log.length > logKept) this.log.shift();
    this.line(time, { log: shown });
  }

  begin(run: EngineRun): void {
    this.run = run;
    // Not a sample: costs of the strategy's start have already left the account.
    this.equity.push(this.request.spec.balance);
  }

  /** Takes a sample of the account's equity; while a mark is unknown, it repeats the previous one. */
  sample(): void {
    const run = this.run!;
    this.equity.push(run.equity ?? this.equity.at(-1) ?? usd(run.exchange.account(run.accountId).balance));
  }

  /** The run is over; nothing is written after this. */
  end(until: Ms, problem: TrialResult['problem'], thinks: readonly number[] | null): TrialResult {
    const { spec } = this.request;
    const { run, counts, money } = this;
    if (run !== null) {
      this.take(run.exchange.takeChanges());
      this.sample();
    } else this.equity.push(spec.balance);
    // An account that has ended stays as it is.
    const samples = Math.ceil(until / spec.sampleMs) - Math.floor(spec.from / spec.sampleMs);
    while (problem === null && this.equity.length < samples + 1) this.equity.push(this.equity.at(-1)!);
    this.hashTo(Number.POSITIVE_INFINITY);
    const account = run?.exchange.account(run.accountId);
    const { decisions, requests, refusals, fills, logLines } = counts;
    return {
      status: problem === null ? 'done' : 'failed',
      problem,
      decisionHash: this.digest(),
      equity: this.equity,
      ...extremes(this.equity),
      trips: [...this.positions.values()].map((position) => this.trip(position)),
      fees: usd(money.fees),
      carry: usd(money.carry),
      realized: usd(money.realized),
      volume: this.volume,
      balance: account === undefined ? spec.balance : usd(account.balance),
      account: {
        status: account?.status ?? 'active',
        rule: account?.breachRuleId ?? null,
        endedAt: account?.endedAt ?? null,
      },
      counts: { decisions, requests, refusals, fills },
      log: this.log,
      logLines,
      thinks,
    };
  }

  /** The hashes of the lines up to the times that the request names; complete after the end. */
  prefixes(): readonly string[] {
    return this.hashed;
  }

  private take({ positions, ledger }: Changes): void {
    const { accountId } = this.run ?? {};
    for (const position of positions.values())
      if (accountId === undefined || position.accountId === accountId) this.positions.set(position.id, position);
    for (const { kind, amount } of ledger) {
      if (kind === 'fee' || kind === 'liquidation_fee') this.money.fees -= amount;
      else if (kind === 'funding') this.money.carry += amount;
      else if (kind === 'realized_pnl' || kind === 'bankruptcy') this.money.realized += amount;
    }
  }

  private line(time: Ms, content: object): void {
    this.hashTo(time);
    const text = JSON.stringify([time, content]);
    this.unhashed += `${text}\n`;
    if (this.unhashed.length > mostUnhashed) this.hashLines();
    if (this.request.lines === true) this.lines.push(text);
  }

  /** Stores the hashes of everything before `time`. */
  private hashTo(time: Ms): void {
    const { prefixesAt = [] } = this.request;
    while (this.hashed.length < prefixesAt.length && prefixesAt[this.hashed.length]! < time)
      this.hashed.push(this.digest());
  }

  /** The hash of all lines so far. */
  private digest(): string {
    this.hashLines();
    return this.hash.copy().digest('hex');
  }

  private hashLines(): void {
    this.hash.update(this.unhashed);
    this.unhashed = '';
  }

  private trip(position: Position): Trip {
    const { marketId, direction, size, cost, closedSize, closedCost, closedNotional, openedAt, closedAt } = position;
    const { symbol, sizeDecimals } = this.definitions.get(marketId)!;
    const all = size + closedSize;
    return {
      market: symbol,
      side: direction,
      size: decimal(all, sizeDecimals),
      entry: averagePrice(cost + closedCost, all, sizeDecimals),
      exit: closedSize === 0 ? null : averagePrice(closedNotional, closedSize, sizeDecimals),
      openedAt,
      closedAt,
      realized: usd(position.realizedPnl),
      fees: usd(position.fees),
      carry: -usd(position.funding),
    };
  }
}

/** The problem of a trial whose process gave no result: the rest is unknown. */
export function resultWithout(request: RunRequest, kind: TrialProblem, message: string): TrialResult {
  return new TrialRecord({ definitions: [] }, request).end(0, { kind, message, at: null }, null);
}

function extremes(equity: readonly number[]): Pick<TrialResult, 'lowest' | 'highest' | 'drawdown'> {
  let [lowest, highest, drawdown] = [equity[0]!, equity[0]!, 0];
  for (const one of equity) {
    if (one < lowest) lowest = one;
    if (one > highest) highest = one;
    const fall = highest > 0 ? (highest - one) / highest : 0;
    if (fall > drawdown) drawdown = fall;
  }
  return { lowest, highest, drawdown };
}
