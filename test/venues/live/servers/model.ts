/** The grid of a model's prices and sizes, and its levels at the start. */
export interface ModelOptions {
  priceDecimals: number;
  /** Decimals with which the venue writes prices. */
  writtenDecimals: number;
  sizeDecimals: number;
  levels: number;
}

/** The ground truth of a venue's market: its book moves and prints, and every book it ever had is remembered. */
export class ModelMarket {
  readonly coin: string;
  /** The venue's number for it, if the venue numbers markets. */
  readonly number: number;
  readonly priceDecimals: number;
  readonly writtenDecimals: number;
  readonly sizeDecimals: number;
  readonly bids = new Map<number, number>();
  readonly asks = new Map<number, number>();
  /** Id of the last change. */
  id = 1_000;
  /** Number of changes so far. */
  count = 0;
  /** All its books so far, as `bookText` writes them. */
  readonly states = new Set<string>();
  readonly trades: ModelTrade[] = [];
  /** How far the venue's own mark and index are from the midpoint, in price units. */
  offsets = { mark: 3, index: -2 };
  fundingRate = 0.0001;
  /** Base units of a contract, of venues that have them, and contracts of a base unit. */
  contract: readonly [size: string, perUnit: string] = ['0.01', '100'];
  private readonly random: () => number;
  private mid: number;

  constructor(coin: string, number: number, random: () => number, options: Partial<ModelOptions> = {}) {
    const { priceDecimals = 1, writtenDecimals = 2, sizeDecimals = 3, levels = 12 } = options;
    this.coin = coin;
    this.number = number;
    this.random = random;
    this.priceDecimals = priceDecimals;
    this.writtenDecimals = writtenDecimals;
    this.sizeDecimals = sizeDecimals;
    this.mid = 100_000 + 1_000 * number;
    for (let level = 1; level <= levels; level += 1) {
      this.bids.set(this.mid - level, this.lots());
      this.asks.set(this.mid + level, this.lots());
    }
    this.remember();
  }

  /** Makes one change: levels change, and sometimes a trade happens. */
  step(time: number): ModelChange {
    const previous = this.id;
    this.count += 1;
    const first = this.id + 1 + Math.floor(this.random() * 3);
    this.id = first + Math.floor(this.random() * 4);
    const bids = new Map<number, number>();
    const asks = new Map<number, number>();
    const changes = 1 + Math.floor(this.random() * 4);
    for (let count = 0; count < changes; count += 1) this.change(bids, asks);
    // The mid may have drifted over a level that changed before.
    for (const price of bids.keys()) if (price >= this.mid) bids.set(price, 0);
    for (const price of asks.keys()) if (price <= this.mid) asks.set(price, 0);
    for (const [side, changed] of [
      [this.bids, bids],
      [this.asks, asks],
    ] as const) {
      for (const [price, size] of changed) {
        if (size === 0) side.delete(price);
        else side.set(price, size);
      }
    }
    this.remember();
    const trades: ModelTrade[] = [];
    while (this.random() < 0.4) trades.push(this.trade(time));
    return { time, first, last: this.id, previous, bids: flat(bids, -1), asks: flat(asks, 1), trades };
  }

  /** Levels of a side, best first. */
  levels(side: 'bids' | 'asks', most = Number.POSITIVE_INFINITY): [price: number, size: number][] {
    return flat(this[side], side === 'bids' ? -1 : 1).slice(0, most);
  }

  /** A level as the venue writes it. */
  written([price, size]: readonly [number, number]): [string, string] {
    const written = (price / 10 ** this.priceDecimals).toFixed(this.writtenDecimals);
    return [written, (size / 10 ** this.sizeDecimals).toFixed(this.sizeDecimals)];
  }

  /** The number of its last change, for venues that count changes one by one. */
  get changeNumber(): number {
    return 100 + this.count;
  }

  /** The venue's own prices, as it writes them. */
  get marks(): { mark: string; index: string } {
    const written = (price: number) => (price / 10 ** this.priceDecimals).toFixed(this.writtenDecimals);
    return { mark: written(this.mid + this.offsets.mark), index: written(this.mid + this.offsets.index) };
  }

  /** What was traded so far, in base units. */
  get volume(): string {
    const lots = this.trades.reduce((sum, { size }) => sum + size, 0);
    return (lots / 10 ** this.sizeDecimals).toFixed(this.sizeDecimals);
  }

  /** The steps of its prices and sizes, as the venue writes them. */
  get tick(): string {
    return (10 ** -this.priceDecimals).toFixed(this.writtenDecimals);
  }

  get lot(): string {
    return (10 ** -this.sizeDecimals).toFixed(this.sizeDecimals);
  }

  /** The book as text, for comparisons. */
  text(): string {
    return bookText(this.levels('bids').flat(), this.levels('asks').flat());
  }

  protected remember(): void {
    this.states.add(this.text());
  }

  private change(bids: Map<number, number>, asks: Map<number, number>): void {
    // The mid drifts now and then; levels across the new mid are removed first.
    if (this.random() < 0.1) {
      this.mid += this.random() < 0.5 ? -1 : 1;
      for (const price of this.bids.keys()) if (price >= this.mid) bids.set(price, 0);
      for (const price of this.asks.keys()) if (price <= this.mid) asks.set(price, 0);
    }
    const isBid = this.random() < 0.5;
    const side = isBid ? this.bids : this.asks;
    const changed = isBid ? bids : asks;
    const price = this.mid + (isBid ? -1 : 1) * (1 + Math.floor(this.random() * 20));
    const isEmptied = side.size > 6 && (side.has(price) ? this.random() < 0.3 : false);
    changed.set(price, isEmptied ? 0 : this.lots());
  }

  private trade(time: number): ModelTrade {
    const side = this.random() < 0.5 ? 'buy' : 'sell';
    const price = this.mid + (side === 'buy' ? 1 : -1);
    const trade: ModelTrade = { number: 5_000 + this.trades.length, time, price, size: this.lots(), side };
    this.trades.push(trade);
    return trade;
  }

  private lots(): number {
    return 1 + Math.floor(this.random() * 5_000);
  }
}

export interface ModelTrade {
  number: number;
  time: number;
  price: number;
  size: number;
  side: 'buy' | 'sell';
}

export interface ModelChange {
  time: number;
  first: number;
  last: number;
  previous: number;
  bids: [number, number][];
  asks: [number, number][];
  trades: ModelTrade[];
}

/** Flat sides as text: equal books give equal text. */
export function bookText(bids: readonly number[], asks: readonly number[]): string {
  return `${bids.join(' ')} | ${asks.join(' ')}`;
}

function flat(levels: ReadonlyMap<number, number>, direction: 1 | -1): [number, number][] {
  return [...levels].sort(([one], [other]) => direction * (one - other));
}

/** When funding is charged next: every eight hours. */
export function nextFunding(time: number): number {
  const every = 8 * 3_600_000;
  return (Math.floor(time / every) + 1) * every;
}
