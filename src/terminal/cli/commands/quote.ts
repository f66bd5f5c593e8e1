import { exitCodes, usageFailure } from '../../../base/failure/failure.ts';
import { bpsFrom, quantity, usd } from '../../../base/text/format.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import { fetchQuote } from '../../../desk/resolve/quote.ts';
import { resolveSize, wholeLots } from '../../../desk/resolve/size.ts';
import type { Market, Quote } from '../../../wire/contract/markets.ts';
import { type Console, defineCommand, type InputOf } from '../../console/console.ts';
import { blank, type Column, line, listOf, type Result, recordOf, tableOf } from '../../console/output/result.ts';
import { checkVenue, venueOption } from '../../console/settings/venues.ts';
import { quoteBlocks, quoteColumns } from '../../console/views/market-view.ts';
import { breachText } from '../../console/views/position-view.ts';
import { watch } from '../reading/watch-reading.ts';
import { noteAhead, withinOption } from '../reading/within.ts';

export const command = defineCommand({
  summary: 'Show the best prices and the fill price of a size',
  description:
    'The API returns best prices and fills, not price levels. --depth shows the fills of N increasing sizes on both sides, each computed against the whole visible book.',
  args: [{ name: 'market', kind: 'market', repeat: true, summary: 'id, coin or symbol' }],
  options: {
    side: { value: 'SIDE', choices: ['buy', 'sell'], summary: 'side of the fill, with --size' },
    size: { value: 'SIZE', kind: 'size', summary: 'size of the fill, such as 0.05 or 500usd, with --side' },
    depth: {
      value: 'N',
      kind: 'count',
      maximum: 20,
      summary: 'show fills of N sizes, doubling from --size or 1000usd',
    },
    ...withinOption,
    venue: venueOption,
    watch: { summary: 'keep updating until Ctrl-C' },
  },
  examples: [
    ['perp quote BTC', 'bid, ask and mid'],
    ['perp quote BTC ETH SOL', 'one row each'],
    ['perp quote BTC --side buy --size 2', 'the price of 2 BTC'],
    ['perp quote BTC --side buy --size 2 --within 4h', "the account's end price after four hours of carry"],
    ['perp quote BTC --depth 8', 'the depth of the book'],
    ['perp quote BTC --watch', 'live updates'],
    ['perp quote BTC --books live --venue okx', "a venue's book now, without a simulation"],
  ],
  async run(console, input): Promise<Result> {
    checkVenue(input.venue, console.settings.simulation.books);
    if (input.depth === undefined && (input.side === undefined) !== (input.size === undefined)) {
      const missing = input.side === undefined ? '--side' : '--size';
      throw usageFailure(`${missing} is missing.`, '--side and --size must be used together.');
    }
    if (
      input.within !== undefined &&
      (input.size === undefined || input.watch || input.market.length > 1 || input.depth)
    )
      throw usageFailure(
        '--within works for one market with --side and --size, without --watch and --depth.',
        'It adds time to the mark that ends the account after that fill.',
      );
    const [text = '', ...others] = input.market;
    if (others.length > 0) return several(console, input);
    const market = await resolveMarket(console, text);
    if (input.depth !== undefined) return depth(console, input, market, input.depth);
    const side = input.side;
    const size =
      side === undefined || input.size === undefined
        ? undefined
        : await resolveSize(console, input.size, { market, side });
    const account = size !== undefined && console.settings.environment === 'sim' ? await accountId(console) : undefined;
    const look = () => fetchQuote(console, market.market_id, { side, size, account });
    if (input.watch) {
      return watch(console, async () => {
        const quote = await look().catch(withoutBook);
        if ('message' in quote) return { records: [quote], blocks: [line({ text: quote.message, tone: 'bad' })] };
        return { records: [quote], blocks: quoteBlocks(quote, console.memory.marketSource) };
      });
    }
    if (side !== undefined && size !== undefined) {
      const { quotedFill } = await import('../../../desk/preview/quoted-fill.ts');
      const { quote, computed, floor } = await quotedFill(
        console,
        market,
        { side, size, within: input.within },
        look(),
      );
      noteAhead(console, input.within, computed.within);
      const { breach_price: price } = computed;
      const breach = price === null ? undefined : breachText(price, quote.mid ?? undefined, floor);
      return recordOf({ ...quote, computed }, () => quoteBlocks(quote, console.memory.marketSource, breach));
    }
    const quote = await look();
    return recordOf(quote, () => quoteBlocks(quote, console.memory.marketSource));
  },
});

type Input = InputOf<typeof command>;

/** One row per market. With a size, its fill in each market; a size in USD means the same in all of them. */
async function several(console: Console, input: Input): Promise<Result> {
  if (input.depth !== undefined)
    throw usageFailure('--depth works for one market.', 'Name one market, or omit --depth.');
  const markets = await Promise.all(input.market.map((text) => resolveMarket(console, text)));
  const { side, size } = input;
  const sizes = new Map<string, number>();
  if (side !== undefined && size !== undefined)
    for (const market of markets) sizes.set(market.market_id, await resolveSize(console, size, { market, side }));
  const account = sizes.size > 0 && console.settings.environment === 'sim' ? await accountId(console) : undefined;
  const look = async () => {
    const asked = markets.map(async ({ market_id, symbol }) => {
      const quote = await fetchQuote(console, market_id, { side, size: sizes.get(market_id), account }).catch(
        withoutBook,
      );
      return 'message' in quote ? { market_id, symbol, ...quote } : quote;
    });
    return Promise.all(asked);
  };
  if (input.watch)
    return watch(console, async () => {
      const records = await look();
      return { records, blocks: [tableOf(records, quoteColumns)], fields: namesIn(records) };
    });
  const quotes = await look();
  const isBookless = quotes.some((quote) => 'message' in quote);
  const list = listOf(quotes, { fields: namesIn(quotes), columns: quoteColumns, empty: '' });
  return isBookless ? { ...list, exit: exitCodes.incomplete } : list;
}

function namesIn(quotes: readonly object[]): string[] {
  return [...new Set(quotes.flatMap((quote) => Object.keys(quote)))];
}

/** Keeps watching a market without a usable book, and shows the reason until there is one again. */
function withoutBook(error: unknown): { status: 'unavailable'; message: string } {
  const { name, status, message } = error as { name?: string; status?: number; message?: string };
  if (name !== 'ApiError' || status !== 503 || message === undefined) throw error;
  return { status: 'unavailable', message };
}

/** One size and its fills on both sides. */
type DepthRow = Record<'sell' | 'buy', Quote> & { size: number };

async function depth(console: Console, input: Input, market: Market, count: number): Promise<Result> {
  const first = await resolveSize(console, input.size ?? { unit: 'usd', amount: 1000, text: '1000usd' }, {
    market,
    side: 'buy',
  });
  const sizes = Array.from({ length: count }, (_, doublings) =>
    wholeLots([first, 2 ** doublings], 1, market.size_decimals),
  );
  const quotes = await Promise.all(
    sizes.map(async (size): Promise<DepthRow> => {
      const [sell, buy] = await Promise.all([
        fetchQuote(console, market.market_id, { side: 'sell', size }),
        fetchQuote(console, market.market_id, { side: 'buy', size }),
      ]);
      return { size, sell, buy };
    }),
  );
  const wanted = input.side;
  if (console.settings.output !== 'table') {
    const rows = quotes.flatMap(({ sell, buy }) =>
      wanted === undefined ? [sell, buy] : wanted === 'buy' ? [buy] : [sell],
    );
    return listOf(rows, { fields: namesIn(rows), columns: [], empty: '' });
  }
  const top = quotes[0]!.buy;
  const blocks = [
    quoteBlocks({ ...top, requested_side: undefined }, console.memory.marketSource),
    blank,
    tableOf(quotes, depthColumns(wanted)),
  ];
  return recordOf(quotes, () => blocks);
}

function depthColumns(side: 'buy' | 'sell' | undefined): readonly Column<DepthRow>[] {
  const way = (name: 'sell' | 'buy'): Column<DepthRow>[] => [
    { header: `${name.toUpperCase()} AT`, cell: (row) => fillOf(row[name]), align: 'right' },
    { header: 'BPS', cell: (row) => costOf(row[name]), align: 'right', keep: 3 },
    {
      header: 'LEVELS',
      cell: ({ [name]: quote }) => (quote.fillable === false ? '' : String(quote.levels_consumed ?? '')),
      align: 'right',
      keep: 1,
    },
  ];
  return [
    { header: 'SIZE', cell: ({ size }) => quantity(size), align: 'right' },
    { header: 'USD', cell: ({ size, buy }) => (buy.mid === null ? '' : usd(size * buy.mid)), align: 'right', keep: 2 },
    ...(side === 'buy' ? [] : way('sell')),
    ...(side === 'sell' ? [] : way('buy')),
  ];
}

function fillOf(quote: Quote): string {
  return quote.fillable === false || quote.estimated_fill_price === undefined
    ? 'too deep'
    : quantity(quote.estimated_fill_price);
}

function costOf(quote: Quote): string {
  const { estimated_fill_price: price, mid, fillable } = quote;
  return price === undefined || mid === null || fillable === false ? '' : bpsFrom(price, mid);
}
