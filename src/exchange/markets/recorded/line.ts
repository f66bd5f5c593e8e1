import { parsedJson } from '../../../base/terms/json-object.ts';
import { marketProviders } from '../../../base/terms/venues.ts';
import { DecimalText, maxDecimals } from './decimal-text.ts';
import { LineProblem, quoted } from './recording-error.ts';

/** A line of a recording by kind; decimals still as text. */
export type Line = MarketLine | BookLine | TradeLine | MarksLine | GapLine | GapEndLine | ReturnType<typeof tapeLine>;

/** The definition of a market: it comes before all other lines of that market. */
export type MarketLine = ReturnType<typeof marketLine>;
/** A full book, or its changed levels (a size of 0 removes one). */
export type BookLine = ReturnType<typeof bookLine>;
/** A trade that the venue published. */
export type TradeLine = ReturnType<typeof tradeLine>;
/** The venue's own prices of a market, and what it charges for funding; null where not known. */
export type MarksLine = ReturnType<typeof marksLine>;
/** From here on the market is unknown until its next full book. */
export type GapLine = Extract<ReturnType<typeof gapLine>, { kind: 'gap' }>;
/** The gap ends with the full book that follows; `prints` of its prints came before this line. */
export type GapEndLine = Extract<ReturnType<typeof gapLine>, { kind: 'gapEnd' }>;

/**
 * When an event happened by the venue's own clock, and when it was received by ours, Unix microseconds; null if
 * unknown.
 */
export interface EventTimes {
  exchangeUs: number | null;
  receivedUs: number | null;
}

/** Why a market was unknown for some time. */
export type GapReason = (typeof gapReasons)[number];

type Fields = Record<string, unknown>;

/**
 * `connection`: it was lost. `sequence`: an update is missing. `silence`: the stream stopped. `lag`: data came too
 * late. `crossed`: bids and asks stayed crossed. `misfit`: data did not fit the market. `tape`: the recording could not
 * be written. `unsubscribed`: the market was not in use. `restart`: nothing was recorded between two runs. Compiled
 * tapes number the reasons in this order.
 */
export const gapReasons = [
  'connection',
  'sequence',
  'silence',
  'lag',
  'crossed',
  'misfit',
  'tape',
  'unsubscribed',
  'restart',
] as const;

/** In the order of their numbers in compiled tapes. */
export const historiesKnown = ['whole', 'part', 'none'] as const;

const timeFields = ['exchange_us', 'received_us'];
const maxSizeDecimals = 12;
/** Year 9999, the last that a Date shows with four digits. */
export const latestTime = Date.UTC(9999, 11, 31);
const name = /^[\p{L}\p{N}][\p{L}\p{N}._:/@+-]{0,63}$/u;

/** Parses one line; throws a LineProblem for anything invalid (simulation 9.2). */
export function parseLine(text: string): Line {
  const fields = object(parseJson(text), 'the line');
  const time = checkTime(fields.time);
  if ('market' in fields) return marketLine(fields, time);
  if ('trade' in fields) return tradeLine(fields, time);
  if ('marks' in fields) return marksLine(fields, time);
  if ('gap' in fields) return gapLine(fields, time);
  if ('tape' in fields) return tapeLine(fields, time);
  return bookLine(fields, time);
}

/** A time of a recording; throws a LineProblem for anything but whole Unix ms up to the year 9999. */
export function checkTime(time: unknown): number {
  if (Number.isInteger(time) && Number(time) >= 0 && Number(time) <= latestTime) return Number(time);
  throw new LineProblem(`time must be whole Unix milliseconds, not ${quoted(time)}`);
}

/** Parses a line that must be a market line. */
export function parseMarketLine(text: string): MarketLine {
  return marketLine(object(parseJson(text), 'the line'), 0);
}

function bookLine(fields: Fields, time: number) {
  onlyFields(fields, ['time', 'market_id', 'delta', 'bids', 'asks', 'snapshot', ...timeFields], 'the line');
  if ('delta' in fields && fields.delta !== true) throw new LineProblem('delta can only be true');
  if ('snapshot' in fields && (fields.snapshot !== true || 'delta' in fields))
    throw new LineProblem('snapshot can only be true, and only without delta');
  const kind = 'delta' in fields ? 'delta' : 'book';
  const { bids, asks } = fields;
  if (!Array.isArray(bids)) throw new LineProblem('bids must be a list of [price, size]');
  if (!Array.isArray(asks)) throw new LineProblem('asks must be a list of [price, size]');
  // Pairs of price and size, unchecked.
  const levels: { bids: unknown[]; asks: unknown[] } = { bids, asks };
  return { kind, time, marketId: text(fields, 'market_id'), ...levels, times: timesIn(fields) } as const;
}

function timesIn(fields: Fields): EventTimes {
  const [exchangeUs, receivedUs] = timeFields.map((field) =>
    field in fields ? whole(fields, field, 0, 1_000 * latestTime) : null,
  );
  return { exchangeUs: exchangeUs!, receivedUs: receivedUs! };
}

function tradeLine(fields: Fields, time: number) {
  onlyFields(fields, ['time', 'market_id', 'trade', ...timeFields], 'the line');
  const trade = object(fields.trade, 'trade');
  onlyFields(trade, ['price', 'size', 'side', 'id', 'traded_at', 'history'], 'trade');
  if ('id' in trade) text(trade, 'id');
  const side = trade.side;
  if (side !== 'buy' && side !== 'sell') throw new LineProblem(`trade.side must be buy or sell, not ${quoted(side)}`);
  if ('history' in trade && trade.history !== true) throw new LineProblem('trade.history can only be true');
  const marketId = text(fields, 'market_id');
  const { price, size } = trade;
  // The venue's time of the print, if given.
  const tradedAt = 'traded_at' in trade ? whole(trade, 'traded_at', 0, time) : time;
  return { kind: 'trade', time, marketId, price, size, side, tradedAt, times: timesIn(fields) } as const;
}

function marksLine(fields: Fields, time: number) {
  onlyFields(fields, ['time', 'market_id', 'marks', ...timeFields], 'the line');
  const marks = object(fields.marks, 'marks');
  onlyFields(marks, ['mark', 'index', 'funding_rate', 'funding_hours', 'next_funding_at'], 'marks');
  const rate = 'funding_rate' in marks ? text(marks, 'funding_rate') : null;
  if (rate !== null && !signedDecimal.test(rate))
    throw new LineProblem(`funding_rate is not a plain decimal: ${quoted(rate)}`);
  return {
    kind: 'marks' as const,
    time,
    marketId: text(fields, 'market_id'),
    mark: marks.mark,
    index: marks.index ?? null,
    /** A decimal, per `fundingHours`. */
    fundingRate: rate,
    fundingHours: 'funding_hours' in marks ? whole(marks, 'funding_hours', 1, 24 * 365) : null,
    nextFundingAt: 'next_funding_at' in marks ? whole(marks, 'next_funding_at', 0, latestTime) : null,
    times: timesIn(fields),
  };
}

const signedDecimal = /^-?\d{1,15}(?:\.\d{1,30})?$/;

function gapLine(fields: Fields, time: number) {
  onlyFields(fields, ['time', 'market_id', 'gap'], 'the line');
  const gap = object(fields.gap, 'gap');
  const marketId = text(fields, 'market_id');
  if (!('ended' in gap)) {
    onlyFields(gap, ['reason', 'since'], 'gap');
    // When the last data before it came, if given.
    const since = 'since' in gap ? whole(gap, 'since', 0, time) : time;
    return { kind: 'gap', time, marketId, reason: oneOf(gapReasons, gap, 'reason'), since } as const;
  }
  onlyFields(gap, ['ended', 'prints', 'history'], 'gap');
  if (gap.ended !== true) throw new LineProblem('gap.ended can only be true');
  const prints = whole(gap, 'prints', 0, Number.MAX_SAFE_INTEGER);
  return { kind: 'gapEnd', time, marketId, prints, history: oneOf(historiesKnown, gap, 'history') } as const;
}

/**
 * A mark on a tape of live markets: the start of one of its parts, with its number, after the lines of the state there;
 * or the end of a time when it could not be written.
 */
function tapeLine(fields: Fields, time: number) {
  onlyFields(fields, ['time', 'tape'], 'the line');
  const tape = object(fields.tape, 'tape');
  const part = 'part' in tape ? whole(tape, 'part', 1, Number.MAX_SAFE_INTEGER) : null;
  return { kind: 'tape', time, part } as const;
}

const marketNames = ['market_id', 'symbol', 'coin', 'category'];
const marketGrid = ['size_decimals', 'lot_decimals', 'tick', 'price_decimals', 'max_leverage'];

function marketLine(fields: Fields, time: number) {
  onlyFields(fields, ['time', 'market'], 'the line');
  const market = object(fields.market, 'market');
  onlyFields(market, [...marketNames, ...marketGrid], 'market');
  const marketId = text(market, 'market_id');
  const coin = nameIn(market, 'coin');
  const sizeDecimals = whole(market, 'size_decimals', 0, maxSizeDecimals);
  checkMarketId(marketId, coin);
  return {
    kind: 'market' as const,
    time,
    marketId,
    symbol: nameIn(market, 'symbol'),
    coin,
    sizeDecimals,
    /** Decimals of an order's size, if they are fewer. */
    lotDecimals: 'lot_decimals' in market ? whole(market, 'lot_decimals', 0, sizeDecimals) : null,
    /** Null for provider hyperliquid's own rule. */
    tick: tickOf(market, marketId),
    /** Decimals of the market's prices, if finer than its tick. */
    priceDecimals: 'price_decimals' in market ? whole(market, 'price_decimals', 0, maxDecimals) : null,
    maxLeverage: whole(market, 'max_leverage', 1, 1000),
    category: nameIn(market, 'category'),
  };
}

/** Throws a LineProblem unless the id is `<provider>|<coin>` with a provider that the contract knows. */
export function checkMarketId(marketId: string, coin: string): void {
  const pipe = marketId.indexOf('|');
  if (pipe < 0 || !name.test(marketId.slice(pipe + 1))) {
    throw new LineProblem(`market_id must have the form provider|SYMBOL, not ${quoted(marketId)}`);
  }
  if (!marketProviders.has(marketId.slice(0, pipe))) {
    throw new LineProblem(`the provider of ${quoted(marketId)} is not one of ${[...marketProviders].join(', ')}`);
  }
  if (marketId.slice(pipe + 1) !== coin)
    throw new LineProblem(`coin ${quoted(coin)} does not match ${quoted(marketId)}`);
}

function tickOf(market: Fields, marketId: string): string | null {
  const tick = market.tick ?? null;
  if (tick === null && !marketId.startsWith('hyperliquid|')) {
    throw new LineProblem('market.tick is missing (only provider hyperliquid has none)');
  }
  if (tick === null) return null;
  const decimal = new DecimalText();
  decimal.read(tick, 'market.tick');
  if (decimal.digits === 0) throw new LineProblem('market.tick must be above 0');
  // Hyperliquid's own rule replaces a tick (simulation 1).
  return marketId.startsWith('hyperliquid|') ? null : (tick as string);
}

function parseJson(line: string): unknown {
  try {
    return parsedJson(line);
  } catch {
    throw new LineProblem(`is not JSON: ${quoted(line)}`);
  }
}

function object(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new LineProblem(`${what} must be a JSON object, not ${quoted(value)}`);
  }
  return value as Fields;
}

function onlyFields(fields: Fields, known: readonly string[], what: string): void {
  for (const field of Object.keys(fields)) {
    if (!known.includes(field)) throw new LineProblem(`${what} has an unknown field ${quoted(field)}`);
  }
}

function text(fields: Fields, field: string): string {
  const value = fields[field];
  if (typeof value !== 'string') throw new LineProblem(`${field} must be a string, not ${quoted(value)}`);
  return value;
}

function oneOf<T extends string>(known: readonly T[], fields: Fields, field: string): T {
  const value = known.find((one) => one === fields[field]);
  if (value === undefined)
    throw new LineProblem(`${field} must be one of ${known.join(', ')}, not ${quoted(fields[field])}`);
  return value;
}

function nameIn(fields: Fields, field: string): string {
  const value = text(fields, field);
  if (!name.test(value)) throw new LineProblem(`${field} is not a valid name: ${quoted(value)}`);
  return value;
}

function whole(fields: Fields, field: string, lowest: number, highest: number): number {
  const value = fields[field];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < lowest || value > highest) {
    throw new LineProblem(`${field} must be a whole number from ${lowest} to ${highest}, not ${quoted(value)}`);
  }
  return value;
}
