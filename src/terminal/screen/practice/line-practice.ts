import { type ExitCode, exitCodes, usageFailure } from '../../../base/failure/failure.ts';
import { factsOf, failureReport } from '../../../base/failure/report.ts';
import { signedUsd, usd } from '../../../base/text/format.ts';
import type { Console } from '../../console/console.ts';
import { typedLines } from '../private-console.ts';
import { runOnScreen } from '../running-command.ts';
import { clockText, endText, type PracticeRun, wayOut } from './practice-run.ts';

/** Dependencies of a practice in lines. */
interface Parts {
  /** The console of the command itself. */
  readonly parent: Console;
  readonly run: PracticeRun;
  /** The current console of the practice: returning to a bookmark creates a new one. */
  console(): Console;
  goBack(name: string | undefined): Promise<void>;
}

/** The lines that may be typed; `symbol` is one of the practice's markets. */
const help = (symbol: string) => `go 5m          the market goes on for this long, at most until the day ends
next           to the next day
step 3         to the next event of the market, three times; step: once
bookmark NAME  names this moment
back NAME      back to a bookmark, with account and market as then; back: the latest
status         time, price, equity
leave          ends without the report; perp practice --continue goes on
quit           the report; so does the end of the input
Anything else is a command, such as: order place ${symbol} buy 0.05 --stop-loss 1%
`;

/**
 * A practice without a screen: one line of standard input after another, while the market stands still in between.
 * Results are for people and for scripts; with --json, they go to stderr, so that stdout has only the report.
 */
export async function linePractice(parts: Parts): Promise<ExitCode> {
  const { parent } = parts;
  const { signal, io, settings } = parent;
  const print = (text: string) => (settings.output === 'table' ? io.out(text) : io.err(text));
  const isAsked = io.stdinIsTerminal && !settings.yes;
  using lines = typedLines(parent);
  print(`${isAsked ? help(shownMarket(parts.run).symbol) : ''}${await statusLine(parts)}`);
  for (let text = await lines.next(); text !== undefined && !signal.aborted; text = await lines.next()) {
    const words = text.trim().split(/\s+/);
    const [first = ''] = words;
    if (first === '' || first.startsWith('#')) continue;
    if (['quit', 'q', 'exit'].includes(first)) break;
    const own = acts.get(first);
    if (own === undefined) {
      await runOnScreen(parts.console(), text, undefined, {
        place: 'in a practice',
        columns: io.columns,
        print,
        ask: async (question) => {
          if (!isAsked) return true;
          print(`${question} (y/N) `);
          return (await lines.next())?.trim().toLowerCase() === 'y';
        },
        askLine: async (question) => {
          print(`${question} `);
          return (await lines.next()) ?? '';
        },
      });
      continue;
    }
    try {
      print(await own(parts, words));
      if (parts.run.isLeft) break;
    } catch (error) {
      const { exit } = factsOf(error);
      if (exit === exitCodes.bug) throw error;
      io.err(failureReport(factsOf(error), false, io.stderrColumns));
    }
  }
  return signal.aborted ? exitCodes.interrupted : exitCodes.done;
}

type Act = (parts: Parts, words: readonly string[]) => Promise<string>;

const acts: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['go', goOn],
  ['next', goOn],
  ['step', step],
  ['bookmark', async ({ run }, [, name]) => `${run.bookmark(name)}\n`],
  [
    'back',
    async (parts, [, name]) => {
      await parts.goBack(name);
      return statusLine(parts);
    },
  ],
  [
    'leave',
    async ({ run }) => {
      run.leave();
      return '';
    },
  ],
  ['status', (parts) => statusLine(parts)],
  ['help', async ({ run }) => help(shownMarket(run).symbol)],
]);

/** The first market, as the practice names it. */
function shownMarket({ chosen: { disguise, shown } }: PracticeRun) {
  return disguise?.shown ?? shown[0]!;
}

/** The market time played before a Ctrl-C is received, ms. */
const pieceMs = 60_000;

async function goOn(parts: Parts, words: readonly string[]): Promise<string> {
  const { practice } = parts.run;
  const goal = Math.min(parts.run.goalOf(words), parts.run.nextDayStart);
  refuseOver(parts);
  while (practice.time < goal && !parts.parent.signal.aborted) {
    if (practice.advance(Math.min(goal, practice.time + pieceMs)) !== null) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return statusLine(parts);
}

async function step(parts: Parts, [, count = '1']: readonly string[]): Promise<string> {
  const { run } = parts;
  if (!/^[1-9]\d{0,4}$/.test(count)) throw usageFailure('Write step, or step with a number from 1 to 99999.');
  refuseOver(parts);
  const { practice } = run;
  const { marketId } = shownMarket(run);
  for (let at = 0; at < Number(count); at++) {
    const { day, nextDayStart } = run;
    const next = practice.nextEventAt(marketId) ?? practice.until;
    if (practice.advance(Math.min(next, nextDayStart)) !== null || run.day !== day) break;
  }
  return statusLine(parts);
}

function refuseOver({ run: { practice } }: Parts): void {
  const { over } = practice;
  if (over !== null) throw usageFailure(endText(over), `${wayOut.lines}.`);
}

/** `14:30:05.250 day 1  MKT 191.45 / 191.46  equity 100,020.00  since the start +20.00`. */
async function statusLine(parts: Parts): Promise<string> {
  const { run } = parts;
  const { practice, day } = run;
  const console = parts.console();
  const market = shownMarket(run);
  const quote = await console
    .call('getMarketQuote', { path: { market_id: market.marketId }, query: {} })
    .then(({ data }) => ` ${data.bid ?? 'none'} / ${data.ask ?? 'none'}`)
    .catch((error: unknown) => `: ${reasonOf(error, market)}`);
  const { data: accounts } = await console.call('listAccounts', {});
  const account = accounts[0]!;
  const { data } = await console.call('getAccount', { path: { account_id: account.id } });
  const equity = data.risk?.equity;
  const money =
    equity === undefined || equity === null
      ? `balance ${usd(data.balance)}`
      : `equity ${usd(equity)}  since the start ${signedUsd(equity - data.starting_balance)}`;
  const over = practice.over === null ? '' : `\n${endText(practice.over)} ${wayOut.lines}.`;
  return `${clockText(practice.time)}  day ${day}  ${market.symbol}${quote}  ${money}${over}\n`;
}

/** `the book of MKT is too old to quote`. */
function reasonOf(error: unknown, { marketId, symbol }: { marketId: string; symbol: string }): string {
  const text = factsOf(error).message.replaceAll(marketId, symbol).replace(/\.$/, '');
  return text.charAt(0).toLowerCase() + text.slice(1);
}
