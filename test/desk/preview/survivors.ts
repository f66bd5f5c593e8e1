import { draw } from '../../../src/exchange/engine/random.ts';
import { seed } from '../../seed.ts';
import { HostedDesk } from '../../terminal/cli/hosted-desk.ts';

/** What became of accounts that took the largest size that perp names. */
export interface Survival {
  placed: number;
  /** Closed by their own stop, or failed. */
  met: number;
  failed: number;
  /** By how the size was found. */
  readonly by: Record<'max' | 'largest' | 'risk', { met: number; failed: number }>;
}

const accountsPerDesk = 60;
/** Accounts that begin at one moment. */
const accountsAtOnce = 5;
const markets = ['BTC', 'ETH', 'SOL', 'DOGE', 'HYPE', 'XRP'];
const minute = 60_000;

/**
 * Accounts of their own take the largest size that perp names for a stop close to the market: `max`, the largest size
 * in place of one that is refused, or a risk of nearly all of the room. Then the market moves until most have met it.
 */
export async function survivalTrial(accounts: number, first = 0): Promise<Survival> {
  const none = () => ({ met: 0, failed: 0 });
  const survival: Survival = {
    placed: 0,
    met: 0,
    failed: 0,
    by: { max: none(), largest: none(), risk: none() },
  };
  const share = Math.min(accountsPerDesk, 2 * accounts);
  for (let from = first; survival.met < accounts; from += share) await tryDesk(from, share, survival);
  return survival;
}

type Kind = keyof Survival['by'];

async function tryDesk(first: number, accounts: number, survival: Survival): Promise<void> {
  using desk = await HostedDesk.open({ seed: seed * 1_000_000 + first + 1, accounts });
  const ids: string[] = (await desk.json('accounts')).map(({ id }: { id: string }) => id);
  const kinds = new Map<string, Kind>();
  for (const [at, id] of ids.entries()) {
    if (at > 0 && at % accountsAtOnce === 0) await desk.advance(7 * minute);
    const kind = await placeLargest(desk, id, first + at);
    if (kind !== undefined) kinds.set(id, kind);
  }
  survival.placed += kinds.size;
  await desk.advance(180 * minute);
  const statuses = new Map<string, string>();
  for (const { id, status } of await desk.json('accounts')) statuses.set(id, status);
  for (const [id, kind] of kinds) {
    const hasFailed = statuses.get(id) === 'failed';
    if (!hasFailed && (await desk.json('positions', '--account', id)).length > 0) continue;
    survival.met += 1;
    survival.by[kind].met += 1;
    if (!hasFailed) continue;
    survival.failed += 1;
    survival.by[kind].failed += 1;
  }
}

/** Places an order of the largest size; undefined if none was named or accepted. */
async function placeLargest(desk: HostedDesk, id: string, trial: number): Promise<Kind | undefined> {
  let draws = 0;
  const share = () => draw(seed, 'survival', `${trial} ${draws++}`);
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(share() * values.length)]!;
  const kind = oneOf(['max', 'largest', 'risk'] as const);
  const market = oneOf(markets);
  const side = oneOf(['buy', 'sell'] as const);
  const terms = ['--stop-loss', `${(0.12 + share() * 0.5).toFixed(2)}%`, '--leverage', '5', '--account', id];
  const place = (size: string) => desk.perp(['order', 'place', market, side, size, ...terms, '--json']);
  if (kind === 'largest') {
    const run = await place('490000usd');
    const largest = run.exit === 5 ? run.error.details?.largest_size : undefined;
    return largest > 0 && (await place(String(largest))).exit === 0 ? kind : undefined;
  }
  const placed = await place(kind === 'max' ? 'max' : `risk:${90 + Math.floor(share() * 10)}%room`);
  return placed.exit === 0 ? kind : undefined;
}
