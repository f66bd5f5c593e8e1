import type { MarketDefinition, Ms } from '../../exchange/engine/model.ts';
import { type EventTimes, type GapReason, latestTime, parseMarketLine } from '../../exchange/markets/recorded/line.ts';
import { MarketCompiler } from '../../exchange/markets/recorded/market-compiler.ts';
import { decimalText } from './level-text.ts';
import type { LevelTexts } from './live-book.ts';

/** A line of a recording without its time, which the tape adds. */
export interface TapeLine {
  kind: 'market' | 'book' | 'delta' | 'trade' | 'marks' | 'gap' | 'gapEnd';
  marketId: string;
  /** The line after its time: `,"market_id":...}`. */
  text: string;
}

/** The line with this time. */
export function lineOf(time: Ms, text: string): string {
  return `{"time":${time}${text}\n`;
}

/** A line about the tape itself, such as the hash of everything before it. */
export function markOf(time: Ms, facts: Readonly<Record<string, unknown>>): string {
  return lineOf(time, `,"tape":${JSON.stringify(facts)}}`);
}

/** A gap begins. `since`: when the last data before it came, on the tape's clock. */
export function gapLine(marketId: string, reason: string, since: Ms): TapeLine {
  const gap = `"gap":{"reason":"${reason}","since":${since}}`;
  return { kind: 'gap', marketId, text: `,"market_id":${JSON.stringify(marketId)},${gap}}` };
}

/** The definition in a market's line. */
export function definitionIn({ text }: Pick<TapeLine, 'text'>): MarketDefinition {
  return new MarketCompiler(parseMarketLine(`{"time":0${text}`)).definition();
}

/** Writes the lines of one market (docs/tapes.md). */
export class TapeLines {
  /** The market as the tape has it. */
  definition: MarketDefinition;
  private readonly marketId: string;
  private readonly start: string;

  constructor(definition: MarketDefinition) {
    this.definition = definition;
    this.marketId = definition.marketId;
    this.start = `,"market_id":${JSON.stringify(definition.marketId)}`;
  }

  market(): TapeLine {
    const { marketId, symbol, coin, sizeDecimals, lotDecimals, priceDecimals, tick, maxLeverage, category } =
      this.definition;
    const market = {
      market_id: marketId,
      symbol,
      coin,
      size_decimals: sizeDecimals,
      ...(lotDecimals !== undefined && { lot_decimals: lotDecimals }),
      ...(tick !== null && { tick: decimalText(tick, priceDecimals) }),
      price_decimals: priceDecimals,
      max_leverage: maxLeverage,
      category,
    };
    return { kind: 'market', marketId, text: `,"market":${JSON.stringify(market)}}` };
  }

  /** A full book, or changed levels. Without times, it is part of the state rather than an event. */
  book(kind: 'book' | 'delta', { bids, asks }: LevelTexts, times: EventTimes = untimed): TapeLine {
    const [change, snapshot] = kind === 'delta' ? ['"delta":true,', ''] : ['', ',"snapshot":true'];
    return this.line(kind, `${change}"bids":${bids},"asks":${asks}${snapshot}${timesText(times)}`);
  }

  /** The book is unchanged. */
  still(): TapeLine {
    return this.book('delta', { bids: '[]', asks: '[]' });
  }

  /** `isHistory`: it comes late, from a gap or from the venue's history. */
  print({ trade, madeAt, receivedUs }: TapePrint, isHistory: boolean): TapeLine {
    const { price, size, side, id } = trade;
    const late = isHistory ? ',"history":true' : '';
    const print = `{"price":"${price}","size":"${size}","side":"${side}","id":${JSON.stringify(id)},"traded_at":${madeAt}${late}}`;
    const times = { exchangeUs: microseconds(trade.time), receivedUs };
    return this.line('trade', `"trade":${print}${timesText(times)}`);
  }

  /** The venue's own prices. Without times, they are part of the state rather than an event. */
  marks({ mark, index, fundingRate, fundingHours, nextFundingAt }: VenuePrices, times: EventTimes = untimed): TapeLine {
    const marks = {
      mark,
      ...(index !== null && { index }),
      ...(fundingRate !== null && { funding_rate: fundingRate }),
      ...(fundingHours !== null && { funding_hours: fundingHours }),
      ...(nextFundingAt !== null && { next_funding_at: nextFundingAt }),
    };
    return this.line('marks', `"marks":${JSON.stringify(marks)}${timesText(times)}`);
  }

  gap(reason: GapReason, since: Ms): TapeLine {
    return gapLine(this.marketId, reason, since);
  }

  gapEnd({ prints, history }: Pick<GapPrints, 'prints' | 'history'>): TapeLine {
    return this.line('gapEnd', `"gap":{"ended":true,"prints":${prints.length},"history":"${history}"}`);
  }

  private line(kind: TapeLine['kind'], fields: string): TapeLine {
    return { kind, marketId: this.marketId, text: `${this.start},${fields}}` };
  }
}

const untimed: EventTimes = { exchangeUs: null, receivedUs: null };

/** Unix microseconds of a time in ms; null for a venue that reports none, or one that no tape can hold. */
export function microseconds(time: Ms): number | null {
  return time > 0 && time <= latestTime ? Math.round(time * 1_000) : null;
}

function timesText({ exchangeUs, receivedUs }: EventTimes): string {
  const exchange = exchangeUs === null ? '' : `,"exchange_us":${exchangeUs}`;
  return receivedUs === null ? exchange : `${exchange},"received_us":${receivedUs}`;
}

/** One print as reported by the venue. */
export interface Trade {
  /** Unique in its market. */
  id: string;
  /** The print's number, where ids count up by one; otherwise null. */
  number: number | null;
  /** For a print that stands for several trades: the number of the first. */
  firstNumber?: number;
  time: Ms;
  price: string;
  size: string;
  /** The aggressor's. */
  side: 'buy' | 'sell';
  /** It did not execute on the book: a block trade, or an auto-deleveraging. */
  isOffBook: boolean;
}

/** A print for the tape, the venue's time of it on our clock, and when it was received. */
export interface TapePrint {
  trade: Trade;
  madeAt: Ms;
  /** When it was received, Unix microseconds. */
  receivedUs: number;
}

/** Which of a gap's prints are known: all, some, or none because the venue has no history. */
export type HistoryKnown = 'whole' | 'part' | 'none';

/** The prints of a gap, oldest first. */
export interface GapPrints {
  prints: readonly TapePrint[];
  /** Prints that the stream has delivered since: as complete as at any other time. */
  since: readonly TapePrint[];
  history: HistoryKnown;
}

/** The prices that a venue computes itself, and its funding; null where it does not say. */
export interface VenuePrices {
  /** A decimal: the venue's liquidation price. */
  mark: string;
  /** A decimal: the index that the mark follows. */
  index: string | null;
  /** A decimal, a fraction of the position's value per `fundingHours`. */
  fundingRate: string | null;
  fundingHours: number | null;
  /** Unix ms. */
  nextFundingAt: Ms | null;
}
