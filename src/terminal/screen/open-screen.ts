import { usageFailure } from '../../base/failure/failure.ts';
import { decideAccount } from '../../desk/resolve/account.ts';
import { allMarkets, resolveMarket } from '../../desk/resolve/market.ts';
import { remember, remembered } from '../../desk/resolve/remembered.ts';
import type { Market } from '../../wire/contract/markets.ts';
import { type Interval, intervals } from '../../wire/contract/streams.ts';
import type { Console } from '../console/console.ts';
import type { Result } from '../console/output/result.ts';
import type { LiveOptions } from './around-screen.ts';
import type { ScreenView } from './view.ts';

/** Shown if no market is named, along with markets that have a position or an order. */
const defaultMarkets = ['BTC', 'ETH', 'SOL'];

/** The contents of a live screen. */
interface ScreenRequest extends Omit<LiveOptions, 'layout' | 'left'> {
  /** As named by the user; the usual ones if there are none. */
  readonly markets: readonly string[];
  /** Undefined: the last one, otherwise 1m. */
  readonly interval?: Interval | undefined;
  /** It opens with its last layout. */
  readonly isRemembered?: boolean;
}

/** Shows the live screen or, without a terminal, lines. */
export async function openScreen(console: Console, request: ScreenRequest): Promise<Result> {
  if (console.settings.dryRun) throw usageFailure("A live screen can't be combined with --dry-run.", 'Omit --dry-run.');
  const markets = await allMarkets(console);
  const last = request.isRemembered === true ? lastLayout(console) : new Map<string, string>();
  const interval = request.interval ?? intervals.find((one) => one === last.get('interval')) ?? '1m';
  const watched = withFirst(
    await watchedMarkets(console, request.markets, markets),
    request.markets,
    markets,
    last.get('market'),
  );
  await decideAccount(console);
  const { account: account_id } = console.settings;
  // A market that does not exist must not silently be replaced by another.
  if (account_id !== undefined) await console.call('getAccount', { path: { account_id } });
  const { LiveModel } = await import('../../desk/watch/live-model.ts');
  const model = new LiveModel({ markets, watched, interval });
  model.accountId = console.settings.account;
  const { io, settings, variables } = console;
  const terminal =
    settings.output === 'table' && io.stdoutIsTerminal && variables.TERM !== 'dumb' ? io.terminal : undefined;
  if (terminal === undefined) {
    const { plainWatch } = await import('./plain-watch.ts');
    return plainWatch(console, model, request.forMs);
  }
  const { liveScreen } = await import('./live-screen.ts');
  return liveScreen(console, model, await terminal(), {
    ...request,
    ...(request.isRemembered === true && {
      layout: layouts.find((one) => one === last.get('ladder')),
      left: (view: ScreenView) =>
        remember(console, 'screen', [
          ['market', model.chosen.market_id],
          ['interval', model.interval],
          ['ladder', view.ladder],
        ]),
    }),
  });
}

const layouts = ['off', 'pane', 'whole'] as const;

function lastLayout(console: Console): ReadonlyMap<string, string> {
  return new Map(remembered(console.variables, console.settings.environment, 'screen'));
}

/** Without named markets, your last one comes first. */
function withFirst(
  watched: Market[],
  named: readonly string[],
  all: readonly Market[],
  last: string | undefined,
): Market[] {
  const first = named.length > 0 ? undefined : all.find(({ market_id }) => market_id === last);
  return first === undefined ? watched : [...new Set([first, ...watched])];
}

async function watchedMarkets(console: Console, named: readonly string[], all: readonly Market[]): Promise<Market[]> {
  if (named.length > 0) return [...new Set(await Promise.all(named.map((text) => resolveMarket(console, text))))];
  const usual = defaultMarkets.flatMap((symbol) => all.find((market) => market.symbol === symbol) ?? []);
  const shown = usual.length > 0 ? usual : all.slice(0, defaultMarkets.length);
  if (shown.length === 0) throw usageFailure('This host has no markets.');
  return shown;
}
