import assert from 'node:assert/strict';
import { draw } from '../../../src/engine/random.ts';
import { seed } from '../../seed.ts';
import { Desk } from '../practice.ts';

/** How many suggestions of each kind were typed back. */
export type Tally = Record<'largest' | 'max' | 'risk', number>;

const perDesk = 6;

/**
 * Asks perp for sizes on books that do not move, in accounts with random positions and orders, and types them back: the
 * largest size in place of one that is refused, `max`, and a size by risk. Each is accepted word for word, and one lot
 * more of the largest size is not.
 */
export async function suggestionTrials(trials: number): Promise<Tally> {
  const tally: Tally = { largest: 0, max: 0, risk: 0 };
  for (let first = 0; first < trials; first += perDesk) {
    using desk = new Desk();
    await desk.json('markets', '--clock', 'manual');
    for (let trial = first; trial < Math.min(trials, first + perDesk); trial++) await tryOne(desk, trial, tally);
  }
  return tally;
}

async function tryOne(desk: Desk, trial: number, tally: Tally): Promise<void> {
  let draws = 0;
  const share = () => draw(seed, 'suggestion', `${trial} ${draws++}`);
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(share() * values.length)]!;
  const where = `trial ${trial} of seed ${seed}`;
  const market = oneOf(['BTC', 'ETH', 'SOL', 'DOGE', 'HYPE']);
  const side = oneOf(['buy', 'sell'] as const);
  const { mid, ask, bid } = await desk.json('quote', market);
  const leverage = oneOf(['2', '4', '5']);
  const terms = ['--leverage', leverage, '--margin', oneOf(['cross', 'isolated'])];
  if (share() < 0.3) await place(desk, [market, side, `${Math.round(500 + share() * 4_000)}usd`, ...terms, '--force']);
  if (share() < 0.2) {
    const far = side === 'buy' ? `${(bid * 0.97).toPrecision(4)}` : `${(ask * 1.03).toPrecision(4)}`;
    await place(desk, [market, side, '2000usd', '--limit-price', far, ...terms, '--stop-loss', '2%', '--force']);
  }
  const away = 0.6 + share() * 3;
  const typed = (mid * (1 + (side === 'buy' ? -away : away) / 100)).toPrecision(4);
  const stop = ['--stop-loss', oneOf([`${away.toFixed(2)}%`, typed])];
  const limit = share() < 0.25 ? ['--limit-price', side === 'buy' ? 'bid' : 'ask'] : [];
  const rest = [...stop, ...limit, ...terms, '--replace-exits'];

  const tooLarge = await run(desk, [market, side, `${Math.round(350_000 + share() * 1_500_000)}usd`, ...rest]);
  const { code, details } = tooLarge.error?.error ?? tooLarge.error ?? {};
  const largest = code === 'worst_case_breach' ? details.largest_size : undefined;
  if (largest > 0) await typeBack('largest', String(largest));
  const kind = share() < 0.5 ? 'max' : 'risk';
  const size = kind === 'max' ? 'max' : `risk:${Math.round(50 + share() * 800)}usd`;
  const suggested = await run(desk, [market, side, size, ...rest, '--dry-run']);
  if (suggested.exit === 0) await typeBack(kind, String(suggested.json.body.size));
  await desk.perp(['flatten', '--yes', '--json']);

  async function typeBack(what: keyof Tally, amount: string): Promise<void> {
    const { exit, err } = await run(desk, [market, side, amount, ...rest, '--dry-run']);
    assert.equal(exit, 0, `${where}: ${what} ${amount}: ${err}`);
    const words = [market, side, amount, ...rest];
    // Sent for the largest, so that the service judges it, too; the others would follow on a book that has moved.
    const sent = await run(desk, words);
    assert.equal(sent.exit, 0, `${where}: ${what}: order place ${words.join(' ')}: ${sent.err}`);
    tally[what]++;
    await desk.perp(['flatten', '--yes', '--json']);
  }
}

const run = (desk: Desk, words: string[]) => desk.perp(['order', 'place', ...words, '--json']);

async function place(desk: Desk, words: string[]): Promise<void> {
  await run(desk, words);
}
