import { catalogMarket } from '../../exchange/markets/catalog.ts';
import { LineProblem } from '../../exchange/markets/recorded/recording-error.ts';
import { profileOf } from '../../exchange/markets/synthetic/profile.ts';
import type { ShownEvent } from '../tape/venue-events.ts';
import type { MarketFacts } from './market-facts.ts';
import type { Tidy } from './tidy.ts';

/**
 * A preview of an import in the market's own terms, so that a person notices a wrong unit or time. Medians over the
 * seconds with a book; null where the file has none.
 */
export type Sheet = ReturnType<SheetOf['end']>;

const outside = 0.01;
/** The maximum number of samples; beyond it, every second one is dropped, and the interval doubles. */
const mostSamples = 4096;
/** A file's lot may differ from the catalog's by this factor in USD, and its best level from the usual one. */
const mostTimes = { lot: 10, top: 100 } as const;

/** Makes the sheet of an import. */
export class SheetOf {
  private readonly tidy: Tidy;
  private samples: { mid: number; top: number; depth: number; spread: number }[] = [];
  private everyMs = 1000;
  private sampledAt = Number.NEGATIVE_INFINITY;
  private before: number | null = null;
  private gap = { ms: 0, at: null as number | null };
  private low = Number.POSITIVE_INFINITY;
  private high = Number.NEGATIVE_INFINITY;
  private outsidePrints = 0;
  private printPrices: number[] = [];

  constructor(tidy: Tidy) {
    this.tidy = tidy;
  }

  take(event: ShownEvent): void {
    const { time } = event;
    if (this.before !== null && time - this.before > this.gap.ms)
      this.gap = { ms: time - this.before, at: this.before };
    this.before = time;
    if (event.kind === 'print') this.takePrint(Number(event.price));
    else if (event.kind !== 'marks' && time >= this.sampledAt + this.everyMs) this.sample(time);
  }

  private takePrint(price: number): void {
    this.low = Math.min(this.low, price);
    this.high = Math.max(this.high, price);
    this.printPrices.push(price);
    if (this.printPrices.length > mostSamples) this.printPrices = this.printPrices.filter((_, at) => at % 2 === 0);
    const { bestBid, bestAsk } = this.tidy;
    if (price > bestAsk * (1 + outside) || price < bestBid * (1 - outside)) this.outsidePrints += 1;
  }

  private sample(time: number): void {
    const { bids, asks } = this.tidy.book();
    const [bid, ask] = [bids[0], asks[0]];
    if (bid === undefined || ask === undefined) return;
    this.sampledAt = time;
    const mid = (bid + ask) / 2;
    this.low = Math.min(this.low, bid);
    this.high = Math.max(this.high, ask);
    const top = (bid * bids[1]! + ask * asks[1]!) / 2;
    const depth = (within(bids, bid) + within(asks, ask)) / 2;
    this.samples.push({ mid, top, depth, spread: ((ask - bid) / mid) * 1e4 });
    if (this.samples.length <= mostSamples) return;
    this.samples = this.samples.filter((_, at) => at % 2 === 0);
    this.everyMs *= 2;
  }

  /** The sheet of a market with lots of 10^-`sizeDecimals`. */
  end(sizeDecimals: number) {
    const middle = (of: keyof (typeof this.samples)[number]) => median(this.samples.map((sample) => sample[of]));
    const price = middle('mid') ?? median(this.printPrices);
    const isKnown = Number.isFinite(this.low);
    return {
      /** Value of one lot at the median price, USD. */
      lot_usd: price === null ? null : Number((price * 10 ** -sizeDecimals).toPrecision(6)),
      /** Value of the best level of a side, USD. */
      top_usd: rounded(middle('top')),
      /** Value of a side within 1 % of its best price, as far as it is known, USD. */
      depth_usd: rounded(middle('depth')),
      spread_bps: rounded(middle('spread')),
      low: isKnown ? this.low : null,
      high: isKnown ? this.high : null,
      /** The longest time without an event, and when it began, Unix ms. */
      largest_gap_ms: this.gap.ms,
      largest_gap_at: this.gap.at,
      /** Prints more than 1 % outside the best prices. */
      prints_outside: this.outsidePrints,
    };
  }
}

/** Refuses sizes and prices that are far from the catalog's: they are probably in another unit. */
export function checkScale(market: MarketFacts, { lot_usd, top_usd }: Sheet): void {
  const known = catalogMarket(market.market_id);
  if (known === undefined) return;
  const { base, touchUsd } = profileOf(known);
  const far = (
    [
      ['a lot', lot_usd, base * 10 ** -known.sizeDecimals, mostTimes.lot],
      ['the best level', top_usd, touchUsd, mostTimes.top],
    ] as const
  ).find(([, value, usual, times]) => value !== null && (value > usual * times || value < usual / times));
  if (far === undefined) return;
  const [what, value, usual] = far;
  const usd = (amount: number) => `${Number(amount.toPrecision(3))} USD`;
  throw new LineProblem(
    `${what} is worth ${usd(value!)}, and ${usd(usual)} in the catalog's ${market.market_id}: check the unit of the sizes; if it is right, add --any-scale`,
  );
}

/** USD of a side's levels within 1 % of its best price. */
function within(side: readonly number[], best: number): number {
  let usd = 0;
  for (let at = 0; at < side.length && Math.abs(side[at]! - best) <= outside * best; at += 2)
    usd += side[at]! * side[at + 1]!;
  return usd;
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

const rounded = (value: number | null) => (value === null ? null : Number(value.toPrecision(6)));
