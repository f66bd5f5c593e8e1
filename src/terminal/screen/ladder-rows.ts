import type { Order } from '../../wire/contract/orders.ts';
import type { BookEvent, BookLevel } from '../../wire/contract/streams.ts';
import { type Row, toned } from '../console/charts/cells.ts';
import type { Glyphs } from '../console/charts/glyphs.ts';

/** A row of the ladder is at least this wide: price, size, a short bar. */
export const minLadderWidth = 22;
const widestBar = 16;

/**
 * The best levels of a book: asks above, bids below, with the best prices adjacent, and the size of each as a bar.
 * `own` are working orders of the market; their prices are marked.
 */
export function ladder(
  book: BookEvent | undefined,
  own: readonly Order[],
  size: { width: number; height: number },
  glyphs: Glyphs,
): Row[] {
  const { width, height } = size;
  if (book === undefined) return [[toned('Waiting for the book.', 'faint')]];
  const each = Math.max(1, Math.floor((height - 1) / 2));
  const asks = book.asks.slice(0, each);
  const bids = book.bids.slice(0, each);
  const levels = [...asks, ...bids];
  const priceWidth = Math.max(0, ...levels.map(({ px }) => px.length));
  const sizeWidth = Math.max(0, ...levels.map(({ sz }) => sz.length));
  const largest = Math.max(0, ...levels.map(({ sz }) => Number(sz)));
  const barWidth = Math.min(widestBar, width - priceWidth - sizeWidth - 4);
  const ownPrices = new Set(own.map((order) => order.limit_price));
  const row =
    (tone: 'good' | 'bad') =>
    ({ px, sz }: BookLevel): Row => [
      toned(ownPrices.has(Number(px)) ? glyphs.cursor : ' ', 'strong'),
      toned(px.padStart(priceWidth), tone),
      ` ${sz.padStart(sizeWidth)} `,
      toned(bar(Number(sz) / largest, barWidth, glyphs), tone),
    ];
  const empty: Row[] = Array.from({ length: each - asks.length }, () => []);
  return [...empty, ...asks.map(row('bad')).reverse(), spreadRow(book), ...bids.map(row('good'))].slice(0, height);
}

function spreadRow({ asks, bids }: BookEvent): Row {
  const [ask, bid] = [asks[0]?.px, bids[0]?.px];
  if (ask === undefined || bid === undefined)
    return [toned(ask === bid ? ' empty book' : ask === undefined ? ' no asks' : ' no bids', 'warn')];
  const decimals = Math.max(ask.split('.')[1]?.length ?? 0, bid.split('.')[1]?.length ?? 0);
  const spread = Number(ask) - Number(bid);
  const bps = (spread / ((Number(ask) + Number(bid)) / 2)) * 1e4;
  return [toned(` spread ${spread.toFixed(decimals)} (${bps.toFixed(2)} bps)`, 'faint')];
}

/** A bar with a resolution of an eighth of a character; any size above zero is visible. */
function bar(share: number, width: number, glyphs: Glyphs): string {
  if (!(share > 0) || width < 1) return '';
  const eighths = Math.max(1, Math.round(Math.min(1, share) * width * 8));
  const full = Math.floor(eighths / 8);
  return glyphs.bars[7]!.repeat(full) + (eighths % 8 === 0 ? '' : glyphs.bars[(eighths % 8) - 1]!);
}
