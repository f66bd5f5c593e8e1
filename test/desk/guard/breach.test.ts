import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { draw } from '../../../src/exchange/engine/random.ts';
import { seed } from '../../seed.ts';
import { HostedDesk } from '../../terminal/cli/hosted-desk.ts';

const accounts = process.env.PERP_LONG === '1' ? 400 : 2;
const perDesk = 40;

function rulesFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'perp-rules-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'guard.toml');
  writeFileSync(path, '[breach]\nwithin = "99%"\n');
  return path;
}

/** A position with a stop, an entry with a stop of its own, a position elsewhere and a TWAP, all of random sizes. */
async function trade(desk: HostedDesk, account: string, number: number): Promise<void> {
  let draws = 0;
  const share = () => draw(seed, 'breach', `${number} ${draws++}`);
  const usd = (most: number) => `${Math.round(most * (0.2 + 0.8 * share()))}usd`;
  const [side, other] = share() < 0.5 ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
  const terms = ['--leverage', '5', '--margin', 'cross', '--account', account];
  const waits = ['--limit-price', `mark${side === 'buy' ? '-' : '+'}${(0.2 + share()).toFixed(2)}%`];
  const away = () => ['--stop-loss', `${(4 + 8 * share()).toFixed(2)}%`, '--force'];
  await desk.json('order', 'place', 'SOL', side, usd(60_000), ...terms, ...away());
  await desk.json('order', 'place', 'HYPE', side, usd(60_000), ...terms, ...waits, ...away());
  const elsewhere = terms.with(3, share() < 0.5 ? 'cross' : 'isolated');
  await desk.json('order', 'place', 'ETH', other, usd(20_000), ...elsewhere, '--force');
  await desk.json('twap', 'place', 'XRP', side, usd(20_000), '--duration', '1h', ...terms, '--force');
}

test(`the move that the guard compares is the one of accounts show, in ${accounts} accounts`, {
  timeout: 1_200_000,
}, async (t) => {
  const rules = rulesFile(t);
  let compared = 0;
  for (let from = 0; from < accounts; from += perDesk) {
    const count = Math.min(perDesk, accounts - from);
    using desk = await HostedDesk.open({ seed: seed * 1_000 + from, accounts: count, plan: 'select' });
    const ids: string[] = (await desk.json('accounts')).map(({ id }: { id: string }) => id);
    for (const [at, id] of ids.entries()) compared += await compare(desk, id, { rules, number: from + at });
  }
  assert.ok(compared >= accounts / 2, `${compared}`);
});

/** How many moves of one account were compared. */
async function compare(desk: HostedDesk, id: string, { rules, number }: { rules: string; number: number }) {
  await trade(desk, id, number);
  const move: number | null = (await desk.json('accounts', 'show', '--account', id)).computed.breach_move_pct;
  const guard = ['guard', '--rules', rules, '--once', '--dry-run', '-o', 'ndjson', '--account', id];
  const { out, err } = await desk.perp(guard);
  const moves = [...out.matchAll(/"move_pct":(-?[\d.]+)/g)].map(([, found]) => Number(found));
  assert.deepEqual(moves, move === null ? [] : [move], `seed ${seed}, account ${number}: ${out}${err}`);
  return moves.length;
}
