import type { Market } from '../../contract/markets.ts';
import { intervals } from '../../contract/streams.ts';
import { decideAccount } from '../../desk/resolve/account.ts';
import { allMarkets, resolveMarket } from '../../desk/resolve/market.ts';
import { usageFailure } from '../../ground/failure/failure.ts';
import type { Console } from '../console/console.ts';
import { defineCommand, type InputOf } from '../grammar/spec.ts';
import type { Result } from '../output/result.ts';

/** Shown if no market is named, along with markets that have a position or an order. */
const defaultMarkets = ['BTC', 'ETH', 'SOL'];

export const command = defineCommand({
  summary: 'Watch everything on one live screen',
  description:
    'Shows accounts with their floors, positions with stops and targets, orders, and for one market the book, a candle chart and your fills. Press ? for the keys and q to quit; trading keys work only after t, and always show the preview and ask. Markets with a position or an order are added to those named. Without a terminal, or with --json, prints a line per second while something changes.',
  args: [
    {
      name: 'market',
      kind: 'market',
      repeat: true,
      optional: true,
      summary: 'markets to watch (default: BTC, ETH, SOL)',
    },
  ],
  options: {
    interval: { value: 'LENGTH', choices: intervals, summary: 'length of a candle (default 1m)' },
    for: { value: 'DURATION', kind: 'duration', summary: 'stop after this time, such as 30s or 10m' },
  },
  examples: [
    ['perp watch', 'everything on one screen'],
    ['perp watch BTC ETH --interval 5m', 'two markets, five-minute candles'],
    ['perp watch --for 3s -o ndjson', 'equity, floors and positions as JSON lines'],
  ],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  if (console.settings.dryRun) throw usageFailure("A live screen can't be combined with --dry-run.", 'Omit --dry-run.');
  const markets = await allMarkets(console);
  const watched = await watchedMarkets(console, input.market ?? [], markets);
  await decideAccount(console);
  const { account: account_id } = console.settings;
  // A market that does not exist must not silently be replaced by another.
  if (account_id !== undefined) await console.call('getAccount', { path: { account_id } });
  const { LiveModel } = await import('../../desk/watch/live-model.ts');
  const model = new LiveModel({ markets, watched, interval: input.interval ?? '1m' });
  model.accountId = console.settings.account;
  const { io, settings, variables } = console;
  const terminal =
    settings.output === 'table' && io.stdoutIsTerminal && variables.TERM !== 'dumb' ? io.terminal : undefined;
  if (terminal === undefined) {
    const { plainWatch } = await import('../watch/plain-watch.ts');
    return plainWatch(console, model, input.for);
  }
  const { liveScreen } = await import('../watch/live-screen.ts');
  return liveScreen(console, model, await terminal(), input.for);
}

async function watchedMarkets(console: Console, named: readonly string[], all: readonly Market[]): Promise<Market[]> {
  if (named.length > 0) return [...new Set(await Promise.all(named.map((text) => resolveMarket(console, text))))];
  const usual = defaultMarkets.flatMap((symbol) => all.find((market) => market.symbol === symbol) ?? []);
  const shown = usual.length > 0 ? usual : all.slice(0, defaultMarkets.length);
  if (shown.length === 0) throw usageFailure('This host has no markets.');
  return shown;
}
