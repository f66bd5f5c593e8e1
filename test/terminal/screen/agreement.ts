import { tradingDayStart } from '../../../src/base/terms/day.ts';
import { quantity, signedUsd, stretch, usd } from '../../../src/base/text/format.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';
import type { Position } from '../../../src/wire/contract/positions.ts';
import type { TradeEvent } from '../../../src/wire/contract/streams.ts';
import type { HostedDesk } from '../cli/hosted-desk.ts';

/** The market on the screen. */
const market_id = 'binance|BTCUSDT';

/** The trades that the ladder counts: of how long, ms, and how many. */
const printsMs = 30_000;
const maxPrints = 1_000;

/** A position with what its command computes. */
interface Computed extends Position {
  readonly computed: Readonly<
    Record<'stop_price' | 'target_price' | 'breach_price' | 'risk' | 'r' | 'one_r' | 'covered_size', number | null>
  >;
}

/** A bar of the market. */
interface Bar {
  readonly high: string;
  readonly low: string;
  readonly open: string;
  readonly close: string;
}

/** What one moment is, as the host answers it. */
export type Answers = Awaited<ReturnType<typeof answered>>;

/** The account and the market as REST answers them. */
export async function answered(desk: HostedDesk, account_id: string) {
  const { client } = desk;
  const path = { account_id };
  const [
    { data: account },
    { data: positions },
    { data: orders },
    { data: quote },
    filled,
    { data: book },
    market,
    status,
  ] = await Promise.all([
    client.call('getAccount', { path }),
    client.call('listOpenPositions', { query: { account_id } }),
    client.call('listOrders', { query: { account_id, status: 'working', limit: 100 } }),
    client.call('getMarketQuote', { path: { market_id }, query: {} }),
    client.call('listFills', { query: { account_id, limit: 100 } }),
    client.call('simGetBook', { query: { market_id } }),
    client.call('getMarket', { path: { market_id } }),
    client.call('simStatus', {}),
  ]);
  const fills = filled.data.toSorted((one, other) => other.settled_at! - one.settled_at!);
  return { account, positions, orders, quote, fills, book, tick: market.data.tick_size!, time: status.data.time };
}

/** What commands say of the same moment. */
export async function said(
  desk: HostedDesk,
  account: string,
  intervals: readonly string[],
  prints: readonly TradeEvent[],
) {
  const held: readonly Computed[] = await desk.json('--account', account, 'positions', 'list');
  const bars = new Map<string, readonly Bar[]>();
  for (const interval of intervals)
    bars.set(interval, await desk.json('candles', 'BTC', '--interval', interval, '--limit', '240'));
  const since = (prints.at(-1)?.time ?? 0) - printsMs;
  return { held, bars, prints: prints.filter(({ time }) => time > since).slice(-maxPrints) };
}

/** How many figures of a kind were compared, so that a test that sees nothing fails. */
export const compared: Record<string, number> = {};

/** The intervals of the charts on the screen. */
export function intervalsOn(lines: readonly string[]): string[] {
  return [...lines.join('\n').matchAll(/BTC (\d+[smhdwM]) {2}[\d.]/g)].map(([, interval]) => interval!);
}

/** What on the screen is not what the host answers. */
export function differences(lines: readonly string[], rest: Answers): string[] {
  const found = new Findings();
  accountDiffers(lines, rest, found);
  ordersDiffer(lines, rest, found);
  fillsDiffer(lines, rest, found);
  bookDiffers(lines, rest, found);
  return found.wrong;
}

/** The same of what commands compute. */
export function differencesFrom(lines: readonly string[], rest: Answers, spoken: Spoken): string[] {
  const found = new Findings();
  positionsDiffer(lines, rest, spoken.held, found);
  gaugesDiffer(lines, spoken.held, found);
  chartDiffers(lines, rest, spoken, found);
  tapeDiffers(lines, spoken, found);
  ladderDiffers(lines, rest, spoken, found);
  return found.wrong;
}

function count(what: string) {
  compared[what] = (compared[what] ?? 0) + 1;
}

class Findings {
  readonly wrong: string[] = [];

  is(what: string, shown: string | undefined, wanted: string): void {
    count(what);
    if (shown !== wanted) this.wrong.push(`${what} ${shown} is not ${wanted}`);
  }

  /** A number with fewer digits than the true one. */
  isAbout(what: string, shown: string, wanted: number): void {
    count(what);
    if (shown.startsWith('<')) {
      if (!(wanted < Number(shown.slice(1)))) this.wrong.push(`${what} ${shown} is not ${wanted}`);
      return;
    }
    const [, digits = '', unit = ''] = /^([\d.]+)([kM]?)$/.exec(shown) ?? [];
    const scale = unit === 'k' ? 1e3 : unit === 'M' ? 1e6 : 1;
    const last = scale * 10 ** -(digits.split('.')[1]?.length ?? 0);
    const most = digits.includes('.') || unit !== '' ? last : 0.5;
    if (digits === '' || Math.abs(Number(digits) * scale - wanted) > most + 1e-9)
      this.wrong.push(`${what} ${shown} is not ${wanted}`);
  }
}

/** The time of day, to minutes (16) or seconds (19). */
const utc = (time: number, to: 16 | 19) => new Date(time).toISOString().slice(11, to);

/** Without binary noise. */
const exact = (value: number) => Number(value.toFixed(9));

/** A profit as the screen writes it. */
const profit = (value: number) => (Math.abs(value) < 0.005 ? '0.00' : signedUsd(value));

function accountDiffers(
  lines: readonly string[],
  { account, quote, fills, positions, time }: Answers,
  found: Findings,
) {
  const text = lines.join('\n');
  const { risk, balance, starting_balance: starting } = account;
  const equity = risk!.equity ?? balance;
  const clock = / {2}(\d\d:\d\d:\d\d)Z/.exec(text)?.[1];
  if (clock !== undefined) found.is('clock', clock, utc(time, 19));
  const first = lines.find((line) => / equity /.test(line)) ?? '';
  for (const [name, wanted] of [
    ['equity', usd(equity)],
    ['pnl', profit(exact(equity - balance))],
    ['balance', usd(balance)],
  ] as const) {
    const shown = new RegExp(` ${name} ([-+\\d,.]+)(?= |$)`).exec(first)?.[1];
    if (shown !== undefined || !first.includes('…')) found.is(name, shown, wanted);
  }
  const available = / {2}available ([-\d,.]+)/.exec(text)?.[1];
  if (available !== undefined) found.is('available', available, usd(risk!.available_balance));
  const { daily_loss_pct: daily, max_drawdown_pct: drawdown } = risk!.requirements;
  for (const [name, room, pct] of [
    ['daily loss', risk!.daily_loss_room!, daily!],
    ['drawdown', risk!.max_drawdown_room!, drawdown!],
  ] as const) {
    const line = lines.find((one) => one.startsWith(name));
    if (line === undefined) continue;
    const share = Math.min(1, Math.max(0, 1 - room / ((starting * pct) / 100)));
    const sign = '!'.repeat([0.5, 0.8, 0.95].filter((from) => share >= from).length);
    found.is(`${name} left`, /([-\d,.]+!*) left/.exec(line)?.[1], `${usd(room)}${sign}`);
    found.is(`${name} used`, /(\d+)% used/.exec(line)?.[1], String(Math.floor(share * 100)));
    const floor = /floor ([-\d,.]+)/.exec(line)?.[1];
    if (floor !== undefined) found.is(`${name} floor`, floor, usd(equity - room));
  }
  const day = /(?:^| {2})day ([-+\d,.]+)/m.exec(text)?.[1];
  const began = risk!.daily_loss_floor! + (starting * daily!) / 100;
  if (day !== undefined) found.is('day', day, profit(Number((equity - began).toFixed(2))));
  const today = fills.filter(({ settled_at: at }) => at! >= tradingDayStart(time)).length;
  const count = / {2}(\d+) fills?(?: |$)/m.exec(text)?.[1];
  if (count !== undefined) found.is('fills of the day', count, String(today));
  const target = /target ([\d,.]+) to go/.exec(text)?.[1];
  if (target !== undefined) found.is('target', target, usd(risk!.remaining_profit!));
  const turns = /day ends in ([^,]+), at (\d\d:\d\d) here/.exec(text);
  // The longest day has 25 hours.
  const next = tradingDayStart(tradingDayStart(time) + 36 * 3_600_000);
  if (turns !== null)
    found.is('end of the day', turns.slice(1).join(' at '), `${stretch(next - time)} at ${utc(next, 16)}`);
  const mid = /\[BTC (\d[\d.]*)/.exec(text)?.[1];
  if (mid !== undefined) found.is('mid', mid, String(quote.mid));
  if (/No open positions/.test(text) && positions.length > 0) found.wrong.push('open positions are not shown');
}

/** The rows of a table on the screen: the texts of its columns by their headers. Headers that were cut are left out. */
function tableOf(lines: readonly string[], first: RegExp, lefts: ReadonlySet<string>, isRow: RegExp) {
  const at = lines.findIndex((line) => first.test(line));
  if (at < 0) return undefined;
  const header = lines[at]!;
  const from = first.exec(header)!.index;
  const names = [...header.slice(from).matchAll(/[A-Z]+(?: AT)?(?= |$)/g)].map((found) => ({
    name: found[0],
    start: from + found.index,
    end: from + found.index + found[0].length,
  }));
  const rows: Record<string, string>[] = [];
  for (const line of lines.slice(at + 1)) {
    if (!isRow.test(line.slice(from))) break;
    const cells = names.map(({ name, start, end }) => {
      const pattern = lefts.has(name) ? /^\S+(?: \S+)*/ : /\S+(?: \S+)*$/;
      return [name, pattern.exec(lefts.has(name) ? line.slice(start) : line.slice(0, end))?.[0] ?? ''] as const;
    });
    rows.push(Object.fromEntries(cells));
  }
  return { rows, hidden: Number(/ \+(\d+)$/.exec(header)?.[1] ?? 0) };
}

/** What a cell shows, and the same part of what it stands for: of one that is cut, the part before the mark. */
function asFarAsShown(text: string, whole: string): [string, string] {
  const cut = text.indexOf('…');
  const shown = cut < 0 ? text : text.slice(0, cut).trimEnd();
  return [shown, cut < 0 ? whole : whole.slice(0, shown.length)];
}

/** Compares the columns that there are, whole ones only: what is marked as cut does not pretend to be a number. */
function rowDiffers(
  what: string,
  row: Record<string, string>,
  wanted: Readonly<Record<string, string>>,
  found: Findings,
) {
  for (const [name, text] of Object.entries(row)) {
    const whole = wanted[name];
    if (whole === undefined) continue;
    found.is(`${what} ${name}`, ...asFarAsShown(text, whole));
  }
}

const orderLefts = new Set(['ORDER', 'SIDE', 'KIND', 'STATUS', 'ID']);

function ordersDiffer(lines: readonly string[], { orders, quote }: Answers, found: Findings) {
  if (/No working orders/.test(lines.join('\n')) && orders.length > 0) found.wrong.push('working orders are not shown');
  const table = tableOf(lines, /ORDER +SIDE/, orderLefts, /^\w+ +(?:buy|sell|\w*…)/);
  if (table === undefined) return;
  found.is('orders, shown and counted', String(table.rows.length + table.hidden), String(orders.length));
  const wanted = orders.map((order) => orderRow(order, quote.mid!));
  for (const row of table.rows) {
    const same = wanted.find((one) =>
      ['SIDE', 'SIZE', 'PRICE'].every((name) => {
        const [shown, whole] = asFarAsShown(row[name] ?? one[name]!, one[name]!);
        return shown === whole;
      }),
    );
    if (same === undefined) found.wrong.push(`order ${JSON.stringify(row)} is not among ${JSON.stringify(wanted)}`);
    else rowDiffers('order', row, { AWAY: same.AWAY!, ORDER: 'BTC' }, found);
  }
}

function orderRow({ side, size, trigger_price: trigger, limit_price: limit }: Order, mid: number) {
  const away = ((trigger ?? limit)! / mid - 1) * 100;
  return {
    SIDE: side,
    SIZE: quantity(size),
    PRICE: [trigger === undefined ? '' : `@${quantity(trigger)}`, limit === undefined ? '' : quantity(limit)]
      .join(' ')
      .trim(),
    AWAY: `${away > 0 ? '+' : ''}${away.toFixed(2)}%`,
  } as Record<string, string>;
}

const fillLefts = new Set(['FILLED', 'MARKET', 'SIDE']);

function fillsDiffer(lines: readonly string[], { fills }: Answers, found: Findings) {
  if (/No fills yet/.test(lines.join('\n')) && fills.length > 0) found.wrong.push('fills are not shown');
  const table = tableOf(lines, /FILLED +MARKET/, fillLefts, /^\d\d:\d\d:\d\d {2}/);
  if (table === undefined) return;
  for (const [at, row] of table.rows.entries()) {
    const { settled_at: time, symbol, side, size, fill_price: price, realized_pnl: pnl, fee } = fills[at] ?? {};
    const wanted = {
      FILLED: time === undefined ? '' : utc(time, 19),
      ...{ MARKET: symbol ?? '', SIDE: side ?? '', SIZE: size === undefined ? '' : quantity(size) },
      PRICE: price === undefined ? '' : quantity(price),
      PNL: pnl === undefined || pnl === 0 ? '' : profit(pnl),
      FEE: fee === undefined ? '' : usd(fee),
    };
    rowDiffers('fill', row, wanted, found);
  }
}

/** The book beside the chart. */
function bookDiffers(lines: readonly string[], { book, orders, tick }: Answers, found: Findings) {
  const at = lines.findIndex((line) => / spread [\d.]+ \(/.test(line));
  if (at < 0) return;
  const decimals = String(tick).split('.')[1]?.length ?? 0;
  const [spread] = /[\d.]+/.exec(lines[at]!.slice(lines[at]!.indexOf('spread'))) ?? [];
  found.is('spread', spread, (book.asks[0]![0]! - book.bids[0]![0]!).toFixed(decimals));
  const rows = (side: readonly number[][], way: 1 | -1) => {
    for (const [level, [price, size]] of side.entries()) {
      const shown = /([ ›]) *(\d+(?:\.\d+)?) +(\d+\.\d+) [█-▏]+/.exec(lines[at + way * (level + 1)] ?? '');
      if (shown === null) return;
      found.is('book price', shown[2], price!.toFixed(decimals));
      found.is('book size', String(Number(shown[3])), String(size));
      const isOwn = orders.some(({ limit_price: limit }) => limit === price);
      found.is('mark of an own price', shown[1], isOwn ? '›' : ' ');
      if (isOwn) count('own price in the book');
    }
  };
  rows(book.asks, -1);
  rows(book.bids, 1);
}

const positionLefts = new Set(['POSITION', 'SIDE', 'ENDS AT', 'LEVERAGE']);

function positionsDiffer(lines: readonly string[], { quote }: Answers, held: readonly Computed[], found: Findings) {
  const table = tableOf(lines, /POSITION +SIDE/, positionLefts, /^\w+ +(?:long|short|\w*…)/);
  if (table === undefined) return;
  found.is('positions, shown and counted', String(table.rows.length + table.hidden), String(held.length));
  for (const [at, row] of table.rows.entries()) {
    const { computed, ...position } = held[at]!;
    const { side, size, entry_price: entry, leverage, margin_mode: mode, liquidation_price: liq } = position;
    const { stop_price: stop, target_price: target, breach_price: breach, risk, r, covered_size: covered } = computed;
    const part = covered === size ? '' : ` (${quantity(covered!)} of ${quantity(size)})`;
    const away = exact((side === 'long' ? 1 : -1) * (quote.mid! - entry) * size);
    rowDiffers(
      'position',
      row,
      {
        ...{ POSITION: 'BTC', SIDE: side, SIZE: quantity(size), ENTRY: quantity(entry), MARK: quantity(quote.mid!) },
        PNL: profit(away),
        STOP: stop === null ? 'none' : `${quantity(stop)}${part}`,
        TARGET: target === null ? '' : quantity(target),
        RISK: risk === null ? '' : usd(risk),
        R: r === null ? '' : Number(r.toFixed(2)) === 0 ? '0.00R' : `${r < 0 ? '' : '+'}${r.toFixed(2)}R`,
        LEVERAGE: `${quantity(leverage)}x ${mode}`,
        ...((breach ?? liq) === undefined && { 'ENDS AT': '' }),
      },
      found,
    );
    const ends = /^([\d.]+) (floor|liq)$/.exec(row['ENDS AT'] ?? '');
    if (ends === null) continue;
    const wanted = ends[2] === 'floor' ? breach : liq;
    found.is('position ends at', ends[1], String(Number((wanted ?? 0).toPrecision(6))));
  }
}

/** The rooms in multiples of what the stops risk, and what no stop covers. */
function gaugesDiffer(lines: readonly string[], held: readonly Computed[], found: Findings) {
  const open = held.flatMap(({ size, computed }) => {
    const rest = Number((size - computed.covered_size!).toPrecision(12));
    return rest > 0 ? [`${quantity(rest)} BTC`] : [];
  });
  const day = lines.find((line) => / {2}day [-+\d]| {2}day ends in|^day /.test(line));
  if (day !== undefined) found.is('what has no stop', /NO STOP: (\S+ \S+)/.exec(day)?.[1] ?? '', open.join(', '));
  const oneR = held.reduce((sum, { computed }) => sum + computed.one_r!, 0);
  for (const line of lines) {
    const [, room, r] = /([-\d,.]+)!* left {2}([\d.-]+)R/.exec(line) ?? [];
    if (room === undefined) continue;
    // The room on the screen is rounded to a cent.
    const inR = (by: number) => ((Number(room.replaceAll(',', '')) + by) / oneR).toFixed(1);
    found.is('room in R', r, r === inR(-0.005) ? r : inR(0.005));
  }
}

/** What is said of one moment. */
type Spoken = Awaited<ReturnType<typeof said>>;

/** What a working order is for the position: its stop, its target, or an order of a side. */
function roleOf({ mode, side, target_position_id: of }: Order) {
  return of === undefined ? side : /stop/.test(mode) ? 'stop' : 'target';
}

/** The change, the high and the low of bars, as a chart's heading says them. */
function rangeOf(bars: readonly Bar[]) {
  const move = (Number(bars.at(-1)!.close) / Number(bars[0]!.open) - 1) * 100;
  return [
    `${move > 0 ? '+' : ''}${move.toFixed(2)}%`,
    quantity(Math.max(...bars.map((bar) => Number(bar.high)))),
    quantity(Math.min(...bars.map((bar) => Number(bar.low)))),
  ].join();
}

function chartDiffers(
  lines: readonly string[],
  { orders, fills, tick }: Answers,
  { bars, held }: Spoken,
  found: Findings,
) {
  const last = [...bars.values()][0]?.at(-1)?.close;
  for (const line of lines) {
    const shown = /BTC (\d+[smhdwM]) {2}([\d.]+) {2}([-+\d.]+%) {2}high ([\d.]+) {2}low ([\d.]+)(?= |$)/.exec(line);
    if (shown === null) continue;
    const [, interval, close, ...rest] = shown;
    const of = bars.get(interval!)!;
    found.is('close', close, of.at(-1)!.close);
    const ranges = of.map((_, at) => rangeOf(of.slice(-1 - at)));
    const range = rest.join();
    found.is('range of the chart', range, ranges.includes(range) ? range : ranges.at(-1)!);
  }
  const decimals = String(tick).split('.')[1]?.length ?? 0;
  // Beside the chart, names of the ladder follow sizes.
  const columnOf = (text: RegExp) => Math.max(-1, ...lines.map((line) => line.search(text)));
  const [chart, ladder] = [columnOf(/BTC \d+[smhdwM] {2}/), columnOf(/BTC ladder {2}/)];
  if (chart < 0) return;
  const marks: string[] = [];
  const headings = lines.filter((line) => /BTC \d+[smhdwM] {2}/.test(line)).length;
  for (const line of lines) {
    const own = line.slice(chart, ladder > chart ? ladder : undefined);
    for (const mark of own.replace(/\d\d:\d\d:\d\d [▲▼].*/, '').match(/[▲▼]/g) ?? []) marks.push(mark);
    const [, price, label] = / ([\d.]+) (last|entry|stop|target|buy|sell)(?: |$)/.exec(own) ?? [];
    if (price === undefined) continue;
    if (label === 'last') found.is('last of the chart', price, last ?? price);
    else if (label === 'entry') found.is('entry of the chart', price, held[0]!.entry_price.toFixed(decimals));
    else {
      const named = orders.map((one) => `${(one.trigger_price ?? one.limit_price)!.toFixed(decimals)} ${roleOf(one)}`);
      const shown = `${price} ${label}`;
      found.is('order of the chart', shown, named.includes(shown) ? shown : named.join());
    }
  }
  for (const [mark, side] of [
    ['▲', 'buy'],
    ['▼', 'sell'],
  ]) {
    const shown = marks.filter((one) => one === mark).length;
    // Each of the charts has a mark for a fill; those that fall together are one, and old ones may be left out.
    const most = fills.filter((one) => one.side === side).length * headings;
    if (shown > 0) found.is('fills of the chart', String(shown), String(Math.min(shown, most)));
  }
}

/** The tape of prints, newest first. */
function tapeDiffers(lines: readonly string[], { prints }: Spoken, found: Findings) {
  const at = lines.findIndex((line) => /(?: {2}|^)PRINTS/.test(line));
  if (at < 0) return;
  const from = lines[at]!.indexOf('PRINTS');
  for (const [row, line] of lines.slice(at + 1).entries()) {
    const shown = /^(\d\d:\d\d:\d\d) \S +([\d.]+) {2}([\d.]+)$/.exec(line.slice(from).trim());
    if (shown === null) return;
    const { time = 0, size, price } = prints.at(-1 - row) ?? {};
    const wanted = [utc(time, 19), size, price].join(' ');
    found.is('print', shown.slice(1).join(' '), wanted);
  }
}

/** The size in a half of a row, beside own orders, names of lines and the bar. */
function sizeIn(half: string): string {
  const beside = /(?<=^| )(?:[BS@][\d.<kM]*…?|[a-z]+…?|…)(?= |$)/g;
  return half.replaceAll('█', ' ').replaceAll(beside, '').trim();
}

/** The price ladder: each row's sizes, own orders and lines. */
function ladderDiffers(
  lines: readonly string[],
  { book, orders, tick }: Answers,
  { held, prints }: Spoken,
  found: Findings,
) {
  const pane = paneOf(lines);
  if (pane === undefined) return;
  const { ticks, half, rows } = pane;
  const step = tick * ticks;
  const steps = (price: number) => Math.round(price / step);
  const rowOf = (price: number, way: 'floor' | 'ceil') => {
    const exact = price / step;
    return Math.abs(exact - Math.round(exact)) < 1e-6 ? Math.round(exact) : Math[way](exact);
  };
  const sums = (side: readonly number[][], way: 'floor' | 'ceil') => {
    const all = new Map<number, number>();
    for (const [price, size] of side) all.set(rowOf(price!, way), (all.get(rowOf(price!, way)) ?? 0) + size!);
    return all;
  };
  const [bids, asks] = [sums(book.bids, 'floor'), sums(book.asks, 'ceil')];
  const traded = (of: string) =>
    prints.filter(({ side }) => side === of).map(({ price, size }) => [Number(price), Number(size)]);
  const [sold, bought] = [sums(traded('sell'), 'floor'), sums(traded('buy'), 'ceil')];
  const printed = half >= 17 ? 7 : 1;
  const position = held[0];
  const named = (name: string, prices: readonly (number | null | undefined)[], at: number) =>
    prices.some((price) => price !== null && price !== undefined && steps(price) === at) ? [name] : [];
  for (const { price, left, right } of rows) {
    const at = steps(price);
    for (const [what, shown, wanted] of [
      ["ladder's bid", sizeIn(left.slice(0, -printed)), bids.get(at)],
      ["ladder's ask", sizeIn(right.slice(printed)), asks.get(at)],
      ...(printed > 1
        ? ([
            ["ladder's prints", left.slice(-printed).trim(), sold.get(at)],
            ["ladder's prints", right.slice(0, printed).trim(), bought.get(at)],
          ] as const)
        : []),
    ] as const)
      if (shown === '' || wanted === undefined) found.is(what, shown, wanted === undefined ? '' : `${wanted}`);
      else found.isAbout(what, shown, wanted);
    if (printed === 1)
      for (const [shown, wanted] of [
        [left.slice(-1), sold.get(at)],
        [right.slice(0, 1), bought.get(at)],
      ] as const)
        found.is("ladder's mark of prints", shown, wanted === undefined ? ' ' : '•');
    const exits = orders.filter(({ target_position_id: of }) => of !== undefined && of === position?.id);
    const wantedLines = [
      ...named('entry', [position?.entry_price], at),
      ...named(
        'stop',
        exits.filter(({ mode }) => /stop/.test(mode)).map((one) => one.trigger_price),
        at,
      ),
      ...named(
        'target',
        exits.filter(({ mode }) => !/stop/.test(mode)).map((one) => one.trigger_price ?? one.limit_price),
        at,
      ),
      ...named('breach', [position?.computed.breach_price], at),
    ];
    const shownLines = [...right.matchAll(/(?<= )(entry|stop|target|breach)(?= |$)/g)].map(([name]) => name);
    if (!right.includes('…')) found.is("ladder's lines", shownLines.join(' '), wantedLines.join(' '));
    for (const [side, label, way] of [
      ['buy', left.slice(0, left.length - printed), 'floor'],
      ['sell', right.slice(printed), 'ceil'],
    ] as const) {
      const own = orders.filter((one) => {
        const isWaiting = one.trigger_price !== undefined && one.triggered_at === undefined;
        return one.side === side && (isWaiting ? steps(one.trigger_price!) : rowOf(one.limit_price!, way)) === at;
      });
      const texts = [...label.matchAll(/(?<=^|[ █])([BS@])(\d[\d.]*)(?:<([<\d.kM]+))?(?= |$|[█])/g)];
      if (label.includes('…')) continue;
      const sign = ({ trigger_price: trigger, triggered_at: fired }: Order) =>
        trigger !== undefined && fired === undefined ? '@' : side === 'buy' ? 'B' : 'S';
      found.is(
        "ladder's orders",
        texts
          .map(([, mark, size]) => `${mark}${size}`)
          .toSorted()
          .join(' '),
        own
          .map((one) => `${sign(one)}${quantity(one.size)}`)
          .toSorted()
          .join(' '),
      );
    }
  }
}

/** The ladder on the screen: how many ticks a row is, and of each row its price and both halves. */
function paneOf(lines: readonly string[]) {
  const at = lines.findIndex((line) => /BTC ladder {2}/.test(line));
  if (at < 0) return undefined;
  const from = lines[at]!.indexOf('BTC ladder');
  const ticks = Number(/(\d+) ticks? a row/.exec(lines[at]!.slice(from))?.[1]);
  const texts = lines.slice(at + 1, at + 5).map((line) => line.slice(from));
  const priced = (text: string, column: number) => /^[ [{]( *\d+(?:\.\d+)?)[ \]}]/.exec(text.slice(column));
  for (let half = 60; half >= 12; half--) {
    const found = texts.map((text) => priced(text, half));
    const prices = found.map((one) => Number(one?.[1]));
    const step = prices[0]! - prices[1]!;
    if (!(step > 0) || prices.some((price, row) => row > 0 && !(Math.abs(prices[row - 1]! - price - step) < 1e-6)))
      continue;
    const width = found[0]![1]!.length + 2;
    const rows = [];
    for (const line of lines.slice(at + 1)) {
      const text = line.slice(from);
      const price = priced(text, half)?.[1];
      if (price === undefined || Math.abs((prices[0]! - Number(price)) / step - rows.length) > 1e-6) break;
      rows.push({
        price: Number(price),
        left: text.slice(0, half),
        right: text.slice(half + width, 2 * half + width).padEnd(half),
      });
    }
    return { ticks, half, rows };
  }
  return undefined;
}
