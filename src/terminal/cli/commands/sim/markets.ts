import { stateFolder } from '../../../../base/files/folders.ts';
import { counted, dateTime, marketName, quantity, shellSafe, stretch } from '../../../../base/text/format.ts';
import type { FeedsStatus } from '../../../../wire/contract/simulation.ts';
import { defineCommand } from '../../../console/console.ts';
import {
  type Blocks,
  blank,
  type Cell,
  type Column,
  fields,
  line,
  recordOf,
  tableOf,
} from '../../../console/output/result.ts';
import { percentOf } from '../../../console/views/market-view.ts';
import { watch } from '../../reading/watch-reading.ts';

const stats = defineCommand({
  summary: 'Simulate markets and measure spread, depth and order flow',
  description:
    'Without MARKET, shows one market of each kind. With --books, shows the markets of a recording, each next to the synthetic market of the same symbol.',
  args: [{ name: 'market', optional: true, repeat: true, kind: 'market', summary: 'symbols or ids' }],
  options: {
    hours: { value: 'N', kind: 'count', maximum: 168, summary: 'hours of synthetic prices to play (default 8)' },
    gates: { summary: 'check that resting orders and simple signals earn nothing' },
    seed: { value: 'N', kind: 'count', maximum: 999_999_999, summary: 'seed of the synthetic prices (default 1)' },
  },
  examples: [
    ['perp sim markets stats', 'one of each kind'],
    ['perp sim markets stats BTC ETH --hours 24', 'one day of two markets'],
    ['perp sim markets stats BTC ETH EUR --gates --hours 24', 'the earnings of makers and bots'],
    ['perp sim markets stats --books friday.jsonl.gz', 'a recording and its synthetic counterparts'],
  ],
  simulationOnly: true,
  async run(console, input) {
    const { marketStatistics } = await import('../../../../service/simulation/market-statistics.ts');
    const columns = await console.person.during('Playing markets', () =>
      marketStatistics({
        books: console.settings.simulation.books,
        stateDir: stateFolder(console.variables),
        markets: input.market ?? [],
        seed: input.seed ?? 1,
        hours: input.hours ?? 8,
        gates: input.gates,
        until: lastFullHour(console.outside.now()),
      }),
    );
    const record = columns.map(({ source, market, from, to, figures }) => ({
      source,
      market_id: market.marketId,
      symbol: market.symbol,
      from,
      to,
      figures: figures.map(({ name, unit, value, least, most }) => ({
        name,
        unit,
        value: Number.isFinite(value) ? value : null,
        ...((least ?? most ?? null) === null ? {} : { least, most }),
      })),
    }));
    const units = new Map(record.flatMap(({ figures }) => figures.map(({ name, unit }) => [name, unit] as const)));
    return recordOf(record, () => [
      ...record.map(({ source, symbol, market_id, from, to }) =>
        line(
          { text: symbol, tone: 'strong' },
          `  ${shellSafe(market_id)}, ${source}, ${dateTime(from)} to ${dateTime(to)}`,
        ),
      ),
      blank,
      tableOf(
        [...units.keys()],
        [
          { header: 'FIGURE', cell: (name) => name },
          ...record.map(({ symbol, source, figures }) => ({
            header: source === 'recorded' ? `${symbol} recorded` : symbol,
            align: 'right' as const,
            cell: (name: string) => shown(figures.find((figure) => figure.name === name)?.value ?? null),
          })),
          ...(input.gates ? [{ header: 'MUST BE', cell: (name: string) => mustBe(record, name) }] : []),
          { header: 'UNIT', cell: (name) => units.get(name) ?? '' },
        ],
      ),
      input.gates ? [blank, line({ text: chanceText(input.hours ?? 8), tone: 'faint' })] : [],
    ]);
  },
});

/** How far a correlation of pairs, one at the end of each minute, varies by chance. */
function chanceText(hours: number): string {
  const error = (1 / Math.sqrt(60 * hours)).toFixed(3);
  return `The bounds are for means over many days. In ${hours} h, an autocorrelation across the end of a minute varies by about ${error} by chance (one standard error).`;
}

/** The required range of a figure, for each market where it differs. */
function mustBe(
  record: readonly {
    source: string;
    symbol: string;
    figures: readonly { name: string; least?: number | null | undefined; most?: number | null | undefined }[];
  }[],
  name: string,
): string {
  const symbols = new Map<string, string[]>();
  const played = record.filter(({ source }) => source !== 'recorded').length;
  for (const { symbol, figures } of record) {
    const found = figures.find((figure) => figure.name === name);
    const text = found === undefined ? '' : range(found.least ?? null, found.most ?? null);
    if (text !== '') symbols.set(text, [...(symbols.get(text) ?? []), symbol]);
  }
  return [...symbols].map(([text, of]) => (of.length < played ? `${of.join(', ')}: ${text}` : text)).join('; ');
}

function range(least: number | null, most: number | null): string {
  if (least === null) return most === null ? '' : `up to ${shown(most)}`;
  return `${shown(least)} to ${shown(most)}`;
}

/** Fixed, so that the same command prints the same figures. */
function lastFullHour(now: number): number {
  return Math.floor(now / 3_600_000) * 3_600_000;
}

/** Three significant digits; empty if unknown. */
function shown(value: number | null): string {
  if (value === null) return '';
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
}

const feeds = defineCommand({
  summary: 'Show the state of live market feeds',
  options: { watch: { summary: 'keep updating until Ctrl-C' } },
  examples: [
    ['perp sim feeds', 'state, lag, gaps, messages and request weight'],
    ['perp sim feeds --watch', 'live updates'],
  ],
  simulationOnly: true,
  async run(console, input) {
    const look = async () => (await console.call('simFeeds', {})).data;
    if (input.watch) {
      return watch(console, async () => {
        const status = await look();
        return { records: [status], blocks: blocksOf(status, console.outside.now()) };
      });
    }
    const status = await look();
    return recordOf(status, () => blocksOf(status, console.outside.now()));
  },
});

type Feed = FeedsStatus['feeds'][number];
type FeedMarket = Feed['markets'][number];

const marketColumns: readonly Column<FeedMarket>[] = [
  { header: 'MARKET', cell: ({ market_id: id }) => marketName(id) },
  { header: 'STATE', cell: stateCell },
  { header: 'LAG', cell: ({ lag_ms: lag }) => (lag === null ? '' : `${lag} ms`), align: 'right', keep: 3 },
  {
    header: 'LAST',
    cell: ({ quiet_ms: quiet }) => (quiet === null ? '' : `${stretch(quiet)} ago`),
    align: 'right',
    keep: 2,
  },
  { header: 'MARK', cell: markCell, align: 'right', keep: 1 },
  { header: 'INDEX', cell: ({ index }) => (index === null ? '' : quantity(index)), align: 'right', keep: 0 },
  {
    header: 'FUNDING',
    cell: ({ funding_rate: rate }) => (rate === null ? '' : percentOf(rate)),
    align: 'right',
    keep: 0,
  },
  { header: 'MESSAGES', cell: ({ messages }) => quantity(messages), align: 'right', keep: 1 },
  { header: 'GAPS', cell: ({ gaps }) => String(gaps), align: 'right' },
  { header: 'PROBLEM', cell: ({ problem, mark_problem: ofMark }) => problem ?? ofMark ?? '', keep: 4 },
];

/** How old a venue's mark may be. */
const markStaleMs = 15_000;

function markCell({ mark, mark_age_ms: age }: FeedMarket): Cell {
  if (mark === null) return '';
  if (age === null || age <= markStaleMs) return quantity(mark);
  return { text: `${quantity(mark)}, ${stretch(age)} ago`, tone: 'warn' };
}

/** The state of a market's feed in words; for a gap, its reason. */
export function stateCell({ state, gap_reason: reason }: Pick<FeedMarket, 'state' | 'gap_reason'>): Cell {
  if (reason !== null) return { text: `in a gap (${reason})`, tone: 'bad' };
  return { text: state, tone: state === 'live' ? 'good' : 'warn' };
}

function blocksOf({ feeds, tape }: FeedsStatus, now: number): Blocks {
  return [
    ...feeds.flatMap((feed) => [feedBlocks(feed, now), blank]),
    fields(
      ['tape', tape.file],
      ['written', `${quantity(tape.lines)} lines, part ${tape.part}`],
      ['on disk', tape.synced_at === null ? 'not yet' : `everything older than ${stretch(now - tape.synced_at)}`],
      ['problem', tape.problem === null ? undefined : { text: tape.problem, tone: 'bad' }],
    ),
  ];
}

function feedBlocks(feed: Feed, now: number): Blocks {
  const { venue, state, messages_per_second: rate, skew_ms: skew, connections, markets } = feed;
  const paused = feed.paused_until === null ? '' : `, paused for ${stretch(Math.max(0, feed.paused_until - now))}`;
  const tone = state === 'live' || state === 'idle' ? 'good' : 'warn';
  return [
    line({ text: venue, tone: 'strong' }, '  ', { text: state.replace('_', ' '), tone }),
    fields(
      ['problem', feed.problem === null ? undefined : { text: feed.problem, tone: 'bad' }],
      ...feed.unknown_rows.map((text): [string, Cell] => ['unknown in its list', { text, tone: 'warn' }]),
      ['messages', `${quantity(rate)} a second`],
      ['clock', skew === null ? 'not compared yet' : `${Math.abs(skew)} ms ${skew < 0 ? 'behind' : 'ahead of'} ours`],
      ['weight', `${feed.weight_used} of ${feed.weight_limit} a minute${paused}`],
      ...connections.map(
        ({ name, state: is, subscriptions, wanted, age_ms: age, reconnects, problem }): [string, string] => [
          `${name} stream`,
          `${is}, ${subscriptions} of ${wanted} subscriptions, ${stretch(age)} old, ${counted(reconnects, 'reconnect')}${problem === null ? '' : `; last: ${problem}`}`,
        ],
      ),
    ),
    ...(markets.length === 0 ? [line('  No market is in use.')] : [tableOf(markets, marketColumns)]),
  ];
}

export const words = { markets: { stats }, feeds };
