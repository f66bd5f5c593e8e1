import { Readable } from 'node:stream';
import { draw } from '../../../src/exchange/engine/random.ts';
import { seed } from '../../seed.ts';
import { HostedDesk } from '../../terminal/cli/hosted-desk.ts';
import { Desk, type Run } from '../../terminal/cli/practice.ts';

/** What became of sizes that perp named and that were typed back. */
export interface Typed {
  sizes: number;
  refused: string[];
  /** One more lot was typed, too, and how often it was accepted. */
  more: number;
  accepted: string[];
  /** Refusals by the floors that name neither a size nor that none fits. */
  unnamed: string[];
  /** How many sizes were typed in each way. */
  readonly by: Record<string, number>;
}

/** Every class of markets: the most leverage, and the decimals of sizes. */
const markets = {
  ...{ BTC: [10, 3], ETH: [10, 3], SOL: [8, 2], XRP: [8, 1], DOGE: [5, 0], BNB: [8, 2], HYPE: [5, 2] },
  ...{ GOLD: [10, 4], SP500: [12, 3], EUR: [50, 1] },
} as const satisfies Record<string, readonly [leverage: number, decimals: number]>;

const accountsPerDesk = 50;

/** The ways to type a size; those without a stop are judged at their liquidation. */
const ways = ['place', 'place', 'limit', 'batch', 'amend', 'reverse', 'twap', 'scaled'] as const;

/** The failure of a command, which stands after its notes; empty for one whose answer is a rejected order. */
function errorIn({ err }: Pick<Run, 'err'>): Run['error'] {
  return err.includes('{') ? JSON.parse(err.slice(err.indexOf('{'))).error : {};
}

/** A program of perp: in a simulation of its own, or with a host. */
type Perp = Pick<HostedDesk, 'perp'> | Desk;

/**
 * Accounts with and without resting orders and another position ask for `max`, a risk or far too much, in every margin
 * mode, with and without a stop; then they type the size that perp named, or one more lot first.
 */
export async function typeSizes(count: number): Promise<Typed> {
  const typed: Typed = { sizes: 0, refused: [], more: 0, accepted: [], unnamed: [], by: {} };
  for (let trial = 0; typed.sizes < count; trial += accountsPerDesk) {
    using hosted = await HostedDesk.open({ seed: seed * 1_000 + trial, accounts: accountsPerDesk });
    const ids: string[] = (await hosted.json('accounts')).map(({ id }: { id: string }) => id);
    for (const [at, id] of ids.entries()) {
      if (typed.sizes >= count) return typed;
      if (at % 5 > 0) await typeOne(hosted, ['--account', id], trial + at, typed);
      else await inProcess(trial + at, typed);
    }
  }
  return typed;
}

async function inProcess(trial: number, typed: Typed): Promise<void> {
  using desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  await typeOne(desk, [], trial, typed);
}

async function typeOne(desk: Perp, account: readonly string[], trial: number, typed: Typed): Promise<void> {
  let draws = 0;
  const share = () => draw(seed, 'typed sizes', `${trial} ${draws++}`);
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(share() * values.length)]!;
  const said: string[] = [];
  const perp = async (...argv: string[]) => {
    const run = await desk.perp([...argv, ...account, '--json']);
    said.push(`perp ${argv.join(' ')}: ${run.exit} ${run.err.trim()}`);
    return run;
  };
  const market = oneOf(Object.keys(markets) as (keyof typeof markets)[]);
  const [most, decimals] = markets[market];
  const side = oneOf(['buy', 'sell']);
  const terms = [
    ...['--leverage', String(1 + Math.floor(share() * most))],
    ...['--margin', oneOf(['cross', 'isolated'])],
  ];
  const order = (size: string, ...more: string[]) => perp('order', 'place', market, side, size, ...terms, ...more);
  const priceAway = async (percent: number) => {
    const { bid, ask } = (await perp('quote', market)).json;
    const price = side === 'buy' ? bid * (1 - percent / 100) : ask * (1 + percent / 100);
    return String(Number(price.toPrecision(4)));
  };
  if (share() < 0.4) {
    const size = `${Math.round(2_000 + share() * 20_000)}usd`;
    await order(size, '--limit-price', await priceAway(1.5), '--force');
  }
  if (share() < 0.3)
    await perp('order', 'place', market === 'BTC' ? 'ETH' : 'BTC', side, '8000usd', '--stop-loss', '2%', '--force');
  const way = oneOf(ways);
  const hasStop = way === 'reverse' || (way !== 'twap' && way !== 'scaled' && share() < 0.6);
  const far = way === 'reverse' ? 5 + share() * 4 : 0.2 + share() * 2;
  const stop = hasStop ? ['--stop-loss', `${far.toFixed(2)}%`] : [];
  const price = way === 'limit' || way === 'amend' ? await priceAway(0.5) : '';
  let amended: string | undefined;
  if (way === 'amend') {
    const resting = await order('1500usd', '--limit-price', price, ...stop, '--force');
    if (resting.exit !== 0) return;
    amended = resting.json.id;
  }
  /** Types a size in this way. */
  const type = async (size: string): Promise<Pick<Run, 'exit' | 'error'>> => {
    const [from, to] = [await priceAway(1), await priceAway(2)];
    const typedAs = {
      place: () => order(size, ...stop),
      reverse: () => order(size, ...stop),
      limit: () => order(size, '--limit-price', price, ...stop),
      amend: () => perp('order', 'amend', amended!, '--price', price, '--size', size),
      twap: () => perp('twap', 'place', market, side, size, ...terms, '--duration', '10m'),
      scaled: () => perp('scaled', 'place', market, side, size, ...terms, '--from', from, '--to', to, '--rungs', '3'),
      batch: async () => {
        const line = ['order', 'place', market, side, size, ...terms, ...stop].join(' ');
        const { exit, error } = JSON.parse(
          (await desk.perp(['batch', ...account], { input: Readable.from([Buffer.from(line)]) })).out,
        );
        said.push(`perp batch ${line}: ${exit} ${JSON.stringify(error)}`);
        return { exit, err: JSON.stringify({ error }) };
      },
    };
    const run = await typedAs[way]();
    return { exit: run.exit, error: run.exit === 0 ? undefined : errorIn(run) };
  };
  const isIsolated = terms.includes('isolated');
  const isSized = way === 'place' && (hasStop || isIsolated);
  const kind = isSized ? oneOf(hasStop ? ['max', 'risk', 'refused'] : ['max', 'refused']) : 'refused';
  let size: number | undefined;
  if (kind === 'refused') {
    const refused = async () => {
      if (way !== 'reverse') return type(`${Math.round(150_000 + share() * 600_000)}usd`);
      const other = side === 'buy' ? 'sell' : 'buy';
      await perp('order', 'place', market, other, `${Math.round(60_000 + share() * 20_000)}usd`, ...terms, '--force');
      const run = await perp('reverse', market, ...stop);
      return { exit: run.exit, error: run.exit === 0 ? undefined : errorIn(run) };
    };
    const run = await refused();
    if (run.exit === 0 || run.error.code !== 'worst_case_breach') return;
    size = run.error.details.largest_size;
    if (size === undefined || (size === 0) !== / No size fits: /.test(run.error.message))
      typed.unnamed.push(said.join('\n'));
  } else {
    const asked = kind === 'max' ? 'max' : `risk:${20 + Math.floor(share() * 75)}%room`;
    const run = await order(asked, ...stop, '--dry-run');
    size = run.exit === 0 ? Number(/ is ([\d.]+) /.exec(run.err)?.[1]) : undefined;
  }
  if (size === undefined || size === 0) return;
  typed.sizes += 1;
  typed.by[way] = (typed.by[way] ?? 0) + 1;
  // A TWAP takes its margin slice by slice: where that is the limit, a larger one is accepted, and ends early.
  const isLater = way === 'twap' && !isIsolated;
  // A host's clock runs as far as perp knows: a size that it suggests there leaves room for moves of the mark.
  const isExact = kind === 'max' || desk instanceof Desk;
  if (kind !== 'risk' && share() < 0.5 && !isLater && isExact) {
    typed.more += 1;
    if ((await type((size + 10 ** -decimals).toFixed(decimals))).exit === 0) {
      typed.accepted.push(said.join('\n'));
      return;
    }
  }
  if ((await type(String(size))).exit !== 0) typed.refused.push(said.join('\n'));
}
