import assert from 'node:assert/strict';
import { draw } from '../../../../src/exchange/engine/random.ts';
import { seed } from '../../../seed.ts';
import { HostedDesk } from '../hosted-desk.ts';
import type { Run } from '../practice.ts';

/** How many suggestions of each kind were typed back, and the ones that were refused. */
export interface Tally {
  readonly accounts: number;
  readonly typed: Record<Kind, number>;
  readonly refused: string[];
  /** One lot more than the largest size was not refused, of so many times. */
  readonly loose: { of: number; lots: number };
}

const kinds = ['largest', 'max', 'risk', 'price', 'line'] as const;
type Kind = (typeof kinds)[number];

const perDesk = 40;
const markets = ['BTC', 'ETH', 'SOL', 'DOGE', 'HYPE', 'XRP'];

/**
 * Asks perp for sizes, prices and command lines on books that do not move, in accounts of their own with random
 * positions and orders, and types them back: the largest size in place of one that is refused, `max`, a size by risk,
 * the nearest prices on the grid, and the commands that perp names. The service accepts each.
 */
export async function suggestionTrials(first: number, accounts: number): Promise<Tally> {
  const typed = { largest: 0, max: 0, risk: 0, price: 0, line: 0 };
  const tally: Tally = { accounts, typed, refused: [], loose: { of: 0, lots: 0 } };
  const end = first + accounts;
  for (let from = first; from < end; from += perDesk) {
    const count = Math.min(perDesk, end - from);
    const plan = ['select', 'select', 'prime', 'none'][Math.floor(draw(seed, 'plan', `${from}`) * 4)]!;
    using desk = await HostedDesk.open({ seed: seed * 1_000_000 + from + 1, accounts: count, plan });
    const ids: string[] = (await desk.json('accounts')).map(({ id }: { id: string }) => id);
    for (const [at, id] of ids.entries()) await new Trial(desk, id, from + at, tally).run();
  }
  return tally;
}

/** One account. */
class Trial {
  readonly #desk: HostedDesk;
  readonly #account: string;
  readonly #number: number;
  readonly #tally: Tally;
  #draws = 0;

  constructor(desk: HostedDesk, account: string, number: number, tally: Tally) {
    this.#desk = desk;
    this.#account = account;
    this.#number = number;
    this.#tally = tally;
  }

  async run(): Promise<void> {
    const market = this.#oneOf(markets);
    const side = this.#oneOf(['buy', 'sell'] as const);
    const terms = [
      ...['--leverage', this.#oneOf(['1', '2', '3', '5', '10'])],
      ...['--margin', this.#oneOf(['cross', 'cross', 'isolated'])],
    ];
    const away = `${(0.3 + this.#share() * 3.5).toFixed(2)}%`;
    const price = this.#share() < 0.25 ? `entry${side === 'buy' ? '-' : '+'}${away}` : away;
    const rest = [
      ...this.#entry(side),
      ...(this.#share() < 0.92 ? ['--stop-loss', price] : []),
      ...(this.#share() < 0.3 ? ['--take-profit', '4%'] : []),
      ...terms,
      ...(this.#share() < 0.85 ? ['--replace-exits'] : []),
    ];
    const kind = this.#oneOf(['largest', 'largest', 'largest', 'max', 'max', 'risk', 'risk', 'price', 'line'] as const);
    if (kind !== 'price' && kind !== 'line') await this.#prepare(market, terms);
    if (kind === 'largest') await this.#askLargest(market, side, rest);
    else if (kind === 'price') await this.#askPrices(market, side, ['--leverage', '2']);
    else if (kind === 'line') await this.#askLines(market, side, terms);
    else await this.#askSize(kind, market, side, rest);
  }

  /** Positions and working orders, in the market and in others. */
  async #prepare(market: string, terms: readonly string[]): Promise<void> {
    const here = ['--force', ...terms];
    if (this.#share() < 0.3) {
      const exits = this.#oneOf([[], [], ['--stop-loss', '3%'], ['--take-profit', '3%']]);
      await this.#place([market, this.#anySide(), this.#usd(500, 30_000), ...here, ...exits]);
    }
    if (this.#share() < 0.2)
      await this.#place([market, this.#anySide(), this.#usd(500, 20_000), ...here, '--limit-price', this.#farBy(0.5)]);
    if (this.#share() < 0.12) {
      const exits = ['--stop-loss', `${(0.5 + this.#share() * 3).toFixed(2)}%`, '--limit-price', this.#farBy(0.4)];
      await this.#place([market, this.#anySide(), this.#usd(500, 20_000), ...here, ...exits]);
    }
    if (this.#share() < 0.12) {
      const waits = ['--type', this.#oneOf(['stop_market', 'take_market']), '--trigger-price', this.#farBy(0.5)];
      await this.#place([market, this.#anySide(), this.#usd(500, 10_000), ...here, ...waits]);
    }
    if (this.#share() < 0.06)
      await this.#run([
        'twap',
        'place',
        market,
        this.#anySide(),
        this.#usd(5_000, 20_000),
        '--duration',
        '1h',
        ...here,
      ]);
    if (this.#share() < 0.2) {
      const exits = this.#share() < 0.7 ? ['--stop-loss', `${(0.5 + this.#share() * 3).toFixed(2)}%`] : [];
      const other = this.#oneOf(markets.filter((one) => one !== market));
      await this.#place([other, this.#anySide(), this.#usd(500, 60_000), '--leverage', '3', '--force', ...exits]);
    }
  }

  /** How the order enters: most at market. */
  #entry(side: 'buy' | 'sell'): string[] {
    const kind = this.#share();
    const [sign, other] = side === 'buy' ? ['-', '+'] : ['+', '-'];
    const by = `${(0.05 + this.#share() * 0.6).toFixed(2)}%`;
    if (kind < 0.55) return [];
    if (kind < 0.7) return ['--limit-price', side === 'buy' ? 'bid' : 'ask'];
    if (kind < 0.85) return ['--limit-price', `mark${sign}${by}`];
    if (kind < 0.92) return ['--type', 'stop_market', '--trigger-price', `mark${other}${by}`];
    if (kind < 0.96) return ['--type', 'take_market', '--trigger-price', `mark${sign}${by}`];
    const trigger = ['--trigger-price', `mark${other}${by}`];
    return ['--type', 'stop_limit', ...trigger, '--limit-price', `mark${other}${by}`];
  }

  async #askLargest(market: string, side: string, rest: readonly string[]): Promise<void> {
    const asked = await this.#place([market, side, this.#usd(350_000, 900_000), ...rest]);
    if (asked.exit === 0) return;
    const { error, err } = asked;
    const largest: number | undefined = error.code === 'worst_case_breach' ? error.details?.largest_size : undefined;
    if (largest === undefined || largest === 0) return;
    if (this.#share() < 0.2) {
      const lot = 10 ** -((await this.#desk.json('markets', 'show', market)).size_decimals as number);
      const more = await this.#place([market, side, String(Number((largest + lot).toFixed(8))), ...rest]);
      this.#tally.loose.of += 1;
      if (more.exit === 0) this.#tally.loose.lots += 1;
      if (more.exit === 0) return;
    }
    await this.#typeBack('largest', ['order', 'place', market, side, String(largest), ...rest], err);
  }

  async #askSize(kind: 'max' | 'risk', market: string, side: string, rest: readonly string[]): Promise<void> {
    const shares = [`risk:${Math.round(50 + this.#share() * 2_000)}usd`, 'risk:1%', 'risk:40%room', 'risk:95%room'];
    const size = kind === 'max' ? 'max' : this.#oneOf(shares);
    const asked = await this.#place([market, side, size, ...rest, '--dry-run']);
    if (asked.exit !== 0) return;
    await this.#typeBack(kind, ['order', 'place', market, side, String(asked.json.body.size), ...rest], asked.err);
  }

  async #askPrices(market: string, side: 'buy' | 'sell', terms: readonly string[]): Promise<void> {
    const { bid, ask } = await this.#desk.json('quote', market, '--account', this.#account);
    // A price that crosses the book would be refused for that.
    const near = side === 'buy' ? bid * (0.999 - this.#share() * 0.05) : ask * (1.001 + this.#share() * 0.05);
    const off = String(Number(near.toPrecision(12)));
    const words = ['order', 'place', market, side, this.#usd(500, 5_000), ...terms, '--limit-price'];
    const asked = await this.#run([...words, off]);
    if (asked.exit === 0) return;
    const [, below, above] = /The nearest prices: (\S+) and (\S+) are on the grid/.exec(asked.error.hint ?? '') ?? [];
    for (const price of [below, above]) if (price !== undefined) await this.#typeBack('price', [...words, price], off);
  }

  /** What perp suggests is typed back, and so is each command that its result then names. */
  async #typeBack(kind: Kind, words: readonly string[], said: string): Promise<void> {
    const run = await this.#run(words);
    this.#tally.typed[kind] += 1;
    const where = `seed ${seed}, account ${this.#number}: ${kind}: perp ${words.join(' ')}`;
    if (run.exit !== 0) this.#tally.refused.push(`${where}: ${run.err.trim()}; asked: ${said.trim()}`);
    await this.#typeLines(run);
  }

  /** The complete commands in a text: a stop with its price, a close with its market. */
  async #typeLines({ out, err }: Run): Promise<void> {
    const lines = `${out}${err}`.matchAll(
      /perp (?:--account \w+ )?(stop [A-Z]+ \d+(?:\.\d+)?%?|positions close [A-Z]+)/g,
    );
    for (const line of new Set([...lines].map(([, words]) => words!))) {
      const { exit, err: refusal } = await this.#run(line.split(' '));
      this.#tally.typed.line += 1;
      if (exit !== 0)
        this.#tally.refused.push(
          `seed ${seed}, account ${this.#number}: perp ${line}: ${refusal.trim()}; asked: ${err}`,
        );
    }
  }

  /** A stop that an order has outgrown. */
  async #askLines(market: string, side: 'buy' | 'sell', terms: readonly string[]): Promise<void> {
    const away = `${(0.5 + this.#share() * 3).toFixed(2)}%`;
    await this.#place([market, side, this.#usd(500, 20_000), ...terms, '--stop-loss', away]);
    await this.#typeLines(await this.#place([market, side, this.#usd(500, 20_000), ...terms]));
  }

  #place(words: readonly string[]): Promise<Run> {
    return this.#run(['order', 'place', ...words]);
  }

  async #run(words: readonly string[]): Promise<Run> {
    const run = await this.#desk.perp([...words, '--account', this.#account, '--yes', '--json']);
    assert.ok(run.exit !== 1 && run.exit !== 7 && run.exit !== 8, `${words.join(' ')}: ${run.err}`);
    return run;
  }

  #share(): number {
    return draw(seed, 'suggestion', `${this.#number} ${this.#draws++}`);
  }

  #oneOf<T>(values: readonly T[]): T {
    return values[Math.floor(this.#share() * values.length)]!;
  }

  #anySide(): 'buy' | 'sell' {
    return this.#oneOf(['buy', 'sell'] as const);
  }

  #usd(least: number, most: number): string {
    return `${Math.round(least + this.#share() ** 2 * (most - least))}usd`;
  }

  /** A price that much above or below the mark at most, percent. */
  #farBy(percent: number): string {
    return `mark${this.#oneOf(['+', '-'])}${(0.05 + this.#share() * 6 * percent).toFixed(2)}%`;
  }
}
