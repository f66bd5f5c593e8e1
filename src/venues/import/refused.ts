import { LineProblem } from '../../exchange/markets/recorded/recording-error.ts';

/** Contents that aren't text, by their first bytes in hex: each is refused by name. */
const packed: readonly (readonly [start: string, what: string])[] = [
  ['28b52ffd', 'packed with zstd'],
  ['fd377a58', 'packed with xz'],
  ['425a68', 'packed with bzip2'],
  ['377abcaf', 'a 7z archive'],
  ['02214c18', 'packed with LZ4 in its legacy form'],
  ['1f8b', 'packed with gzip'],
  ['504b0304', 'a ZIP archive'],
  ['50415231', 'a Parquet file'],
  ['894844', 'an HDF5 file'],
  ['934e55', 'a NumPy array'],
  ['fffe', 'UTF-16 text'],
];

/** Throws a LineProblem for contents that aren't text and that perp recognizes by their first bytes. */
export function checkText(start: Buffer): void {
  const first = start.toString('hex', 0, 4);
  const known = packed.find(([bytes]) => first.startsWith(bytes));
  if (known !== undefined) throw new LineProblem(`its contents are ${known[1]}: unpack it, or save it as UTF-8 text`);
}

/** Common files that perp does not import, by their first line: each is refused by name. */
export const refusedFormats: readonly {
  readonly what: string;
  readonly instead: string;
  isIt(first: string): boolean;
}[] = [
  {
    what: 'a Binance spot archive',
    instead: 'perp trades perpetuals: import the one of USD-M futures',
    isIt: (first) =>
      /^\d+,[\d.]+,[\d.]+,(\d+,\d+|[\d.]+),\d+,(true|false),(true|false)$/i.test(first) ||
      /is_?best_?match/i.test(first),
  },
  {
    what: 'a Binance klines archive',
    instead: 'candles have no prints: import aggTrades or trades of that day',
    isIt: (first) => /^open_time,open,high/.test(first) || /^\d{13,16}(,[\d.]+){5},\d{13,16},/.test(first),
  },
  {
    what: 'a Binance bookDepth archive',
    instead: 'it has sums of depth, not levels: import bookTicker of that day',
    isIt: (first) => /^timestamp,percentage,depth,notional/.test(first),
  },
  {
    what: 'an OKX order book archive',
    instead: 'import its trades, or Tardis incremental_book_L2 of okex-swap',
    isIt: (first) => isJsonWith(first, 'instId') && /"(asks|bids)"/.test(first),
  },
  {
    what: 'a raw tardis-machine recording',
    instead: 'download the CSV of the same day from Tardis',
    isIt: (first) => /^\d{4}-\d\d-\d\dT[\d:.]+Z \{/.test(first),
  },
  {
    what: 'a normalized tardis-machine recording',
    instead: 'download the CSV of the same day from Tardis',
    isIt: (first) => isJsonWith(first, 'localTimestamp'),
  },
  {
    what: 'a Kraken archive of trades',
    instead: 'it is of spot markets; perp trades perpetuals',
    isIt: (first) => /^\d{10}(\.\d+)?,[\d.]+,[\d.]+$/.test(first),
  },
];

/** Whether a line is that of a JSON object with a field of this name. */
function isJsonWith(line: string, field: string): boolean {
  return line.startsWith('{') && line.includes(`"${field}"`);
}
