import { counted, marketName, quantity, stretch } from '../../../../base/text/format.ts';
import type { FeedsStatus } from '../../../../wire/contract/simulation.ts';
import { defineCommand } from '../../../console/console.ts';
import {
  type Block,
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

export const command = defineCommand({
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

function blocksOf({ feeds, tape }: FeedsStatus, now: number): Block[] {
  return [
    ...feeds.flatMap((feed) => [...feedBlocks(feed, now), blank]),
    fields(
      ['tape', tape.file],
      ['written', `${quantity(tape.lines)} lines, part ${tape.part}`],
      ['on disk', tape.synced_at === null ? 'not yet' : `everything older than ${stretch(now - tape.synced_at)}`],
      ['problem', tape.problem === null ? undefined : { text: tape.problem, tone: 'bad' }],
    ),
  ];
}

function feedBlocks(feed: Feed, now: number): Block[] {
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
