import type { MarketDefinition, Ms } from '../../engine/model.ts';
import type { GapReason } from '../recorded/line.ts';
import { decimalText } from './level-text.ts';
import type { LevelTexts } from './live-book.ts';
import type { GapPrints, TapePrint } from './prints.ts';

/** A line of a recording without its time, which the tape adds. */
export interface TapeEntry {
  kind: 'market' | 'book' | 'delta' | 'trade' | 'gap' | 'gapEnd';
  marketId: string;
  /** The line after its time: `,"market_id":...}`. */
  text: string;
}

/** The line with this time. */
export function lineOf(time: Ms, text: string): string {
  return `{"time":${time}${text}\n`;
}

/** Writes the lines of one market (docs/live.md). */
export class TapeLines {
  private readonly definition: MarketDefinition;
  private readonly marketId: string;
  private readonly start: string;

  constructor(definition: MarketDefinition) {
    this.definition = definition;
    this.marketId = definition.marketId;
    this.start = `,"market_id":${JSON.stringify(definition.marketId)}`;
  }

  market(): TapeEntry {
    const { marketId, symbol, coin, sizeDecimals, priceDecimals, tick, maxLeverage, category } = this.definition;
    const market = {
      market_id: marketId,
      symbol,
      coin,
      size_decimals: sizeDecimals,
      ...(tick === null ? {} : { tick: decimalText(tick, priceDecimals), price_decimals: priceDecimals }),
      max_leverage: maxLeverage,
      category,
    };
    return { kind: 'market', marketId, text: `,"market":${JSON.stringify(market)}}` };
  }

  book(kind: 'book' | 'delta', { bids, asks }: LevelTexts): TapeEntry {
    return this.entry(kind, `${kind === 'delta' ? '"delta":true,' : ''}"bids":${bids},"asks":${asks}`);
  }

  /** The book is unchanged. */
  still(): TapeEntry {
    return this.book('delta', { bids: '[]', asks: '[]' });
  }

  /** `isHistory`: it comes late, from a gap or from the venue's history. */
  print({ trade, madeAt }: TapePrint, isHistory: boolean): TapeEntry {
    const { price, size, side, id } = trade;
    const late = isHistory ? ',"history":true' : '';
    const print = `{"price":"${price}","size":"${size}","side":"${side}","id":${JSON.stringify(id)},"traded_at":${madeAt}${late}}`;
    return this.entry('trade', `"trade":${print}`);
  }

  gap(reason: GapReason): TapeEntry {
    return this.entry('gap', `"gap":{"reason":"${reason}"}`);
  }

  gapEnd({ prints, history }: GapPrints): TapeEntry {
    return this.entry('gapEnd', `"gap":{"ended":true,"prints":${prints.length},"history":"${history}"}`);
  }

  private entry(kind: TapeEntry['kind'], fields: string): TapeEntry {
    return { kind, marketId: this.marketId, text: `${this.start},${fields}}` };
  }
}
