import { toNumber } from '../../base/terms/decimal.ts';
import { quantity } from '../../base/text/format.ts';
import { finestTick, lotDecimalsOf, lotOf } from '../../exchange/engine/book/price-grid.ts';
import type { MarketDefinition } from '../../exchange/engine/model.ts';
import { hyperliquidDecimals } from '../../exchange/markets/catalog.ts';
import type { LiveBook } from '../tape/live-book.ts';
import type { TapeLines } from '../tape/tape-lines.ts';

/** Watches whether a market still has the tick and the lots that its tape has. */
export class GridWatch {
  /** Why the tape can't hold the market as its venue lists it now; null if it can. */
  unfit: string | null = null;
  /** The venue's changes, or evidence of one, since the market has been followed; null if there are none. */
  change: string | null = null;
  private readonly lines: TapeLines;

  constructor(lines: TapeLines) {
    this.lines = lines;
  }

  /**
   * Takes the definition as the venue lists it now. `write`: writes the new one to the tape; returns whether it could.
   */
  redefine(now: MarketDefinition, write: () => boolean): void {
    const before = this.lines.definition;
    const { definition, problem } = inUnitsOf(before, now);
    this.unfit = problem;
    const change = changeOf(before, definition);
    if (change === null) return;
    this.lines.definition = definition;
    if (write()) this.change = change;
    else this.lines.definition = before;
  }

  /** Whether a best price and its size are whole ticks and lots; if not, the venue may have changed them. */
  fits({ bids, asks }: Pick<LiveBook, 'bids' | 'asks'>): boolean {
    const { definition } = this.lines;
    const tick = definition.tick ?? Number.NaN;
    const lot = lotOf(definition);
    const isOff = bids.best % tick > 0 || asks.best % tick > 0;
    if (!isOff && !(bids.sizes[bids.count - 1]! % lot > 0) && !(asks.sizes[asks.count - 1]! % lot > 0)) return true;
    this.change ??= 'its prices or sizes are finer than the venue lists';
    return false;
  }
}

/**
 * How a tape records a market's definition as its venue lists it now: tick and lots in the tape's fixed units, or why
 * those can't represent them.
 */
export function inUnitsOf(
  taped: MarketDefinition,
  now: MarketDefinition,
): { definition: MarketDefinition; problem: string | null } {
  const wayOut = 'the units of this tape can hold: record to a new one, or start another simulation with --state';
  const { lot, tick } = gridOf(now);
  const lotDecimals = lotDecimalsOf(now);
  if (lotDecimals > taped.sizeDecimals)
    return { definition: taped, problem: `the venue lists lots of ${lot} now, finer than ${wayOut}` };
  const lots: MarketDefinition = { ...taped, lotDecimals };
  const units = now.tick === null ? null : (now.tick * 10 ** taped.priceDecimals) / 10 ** now.priceDecimals;
  const fits = units === null ? hyperliquidDecimals(lotDecimals) <= taped.priceDecimals : Number.isSafeInteger(units);
  if (fits) return { definition: { ...lots, tick: units }, problem: null };
  return { definition: taped, problem: `the venue lists a tick of ${tick} now, finer than ${wayOut}` };
}

/** A venue's changes to a market's tick and lots, in words; null if there are none. */
function changeOf(before: MarketDefinition, now: MarketDefinition): string | null {
  const [was, is] = [gridOf(before), gridOf(now)];
  const changes = (['tick', 'lot'] as const).flatMap((kind) =>
    was[kind] === is[kind] ? [] : [`the ${kind} from ${was[kind]} to ${is[kind]}`],
  );
  return changes.length === 0 ? null : `the venue has changed ${changes.join(' and ')}`;
}

function gridOf(definition: MarketDefinition): { tick: string; lot: string } {
  return {
    tick: quantity(toNumber(finestTick(definition), definition.priceDecimals)),
    lot: quantity(toNumber(1, lotDecimalsOf(definition))),
  };
}
