import type { CandleInterval, Client } from '../client/client-types.ts';

type Plan = 'select' | 'prime' | 'none';

/** How a simulation is opened. */
export interface SimulationOptions {
  /** A recording or tape to take markets and books from. Default: the synthetic markets. */
  readonly books?: string | undefined;
  /** `manual`: time moves only with `advance`. Default `manual`; one that is in its folder already keeps its own. */
  readonly clock?: 'manual' | 'real' | undefined;
  /** Of a real clock on a recording: a multiple of real time. */
  readonly speed?: number | undefined;
  /**
   * The challenge of its accounts, or several in turn: with `none`, an account has no rules, and its rooms are null.
   * Default `select`.
   */
  readonly plan?: Plan | readonly Plan[] | undefined;
  /** Starting balance of its accounts, USD. Default 100,000. */
  readonly balance?: number | undefined;
  /** How many accounts it has. Default: one for each plan. */
  readonly accounts?: number | undefined;
  /** Of the synthetic markets and the exchange's draws; default: random. */
  readonly seed?: number | undefined;
  /** Market time at which it starts, Unix ms or a date. Default: the start of the recording, or now. */
  readonly start?: number | Date | undefined;
  /** Keeps the simulation in this folder, under its `name`; default: in memory, and gone when it is closed. */
  readonly folder?: string | undefined;
  /** Its name in the folder. Default `default`. */
  readonly name?: string | undefined;
}

/** Where a served simulation is. Both stand in its service file, `NAME.service.json` beside its state. */
export interface ServedSimulation {
  readonly baseUrl: string;
  /** Its own key. A key of `perp sim key add` may trade, but not move the clock. */
  readonly key: string;
}

/** A simulation of the whole service: accounts, markets, both streams. */
export interface OpenedSimulation extends AsyncDisposable {
  /** A client of it, of the same type as one of a host. */
  readonly client: Client;
  /** Market time, Unix ms. */
  now(): Promise<number>;
  /**
   * Moves a manual clock: a duration such as `1s`, ms as a number, or a Date. Resolves with the new market time, Unix
   * ms.
   */
  advance(by: string | number | Date): Promise<number>;
  /** Its clock, its books, its accounts that have ended. */
  status(): Promise<SimulationStatus>;
  /** A book at this moment: levels best first, as price and size. */
  book(marketId: string): Promise<SimulationBook>;
  /** A market's history until now: its last closed candles, and its trades since a time at most an hour ago. */
  past(
    marketId: string,
    wanted: {
      readonly candles?: { readonly interval: CandleInterval; readonly count: number } | undefined;
      readonly tradesAfter?: number | undefined;
    },
  ): Promise<SimulationPast>;
  /** Why an order filled or did not, line by line. */
  explain(orderId: string): Promise<OrderExplanation>;
  /** Changes limits and restrictions of an account, for practice. */
  setPolicy(accountId: string, changes: Readonly<Record<string, unknown>>): Promise<void>;
  /** Closes it; one that is served goes on. */
  close(): Promise<void>;
}

/** A simulation's description of itself. */
export interface SimulationStatus {
  readonly clock: 'real' | 'manual';
  /** Market time, Unix ms. */
  readonly time: number;
  readonly source: 'synthetic' | 'recorded' | 'live';
  readonly seed: number;
  /** Of a recording, Unix ms; null if there is none, or if it is hidden. */
  readonly firstTime: number | null;
  readonly lastTime: number | null;
  readonly workingOrders: number;
  readonly openPositions: number;
}

/** A book at one moment. */
export interface SimulationBook {
  readonly market_id: string;
  /** When the market last published it, Unix ms; null: never. */
  readonly time: number | null;
  readonly bids: readonly (readonly [price: number, size: number])[];
  readonly asks: readonly (readonly [price: number, size: number])[];
  /** The market's own prices; null: not known. */
  readonly marks: {
    readonly mark: number;
    readonly index: number | null;
    /** A fraction per `funding_hours`; on synthetic markets the carry. */
    readonly funding_rate: number | null;
    readonly funding_hours: number | null;
    readonly next_funding_at: number | null;
    readonly time: number;
  } | null;
}

/** A market's history, oldest first. */
export interface SimulationPast {
  readonly market_id: string;
  /** Closed candles; `time` is when they opened, Unix ms. */
  readonly candles: readonly {
    readonly time: number;
    readonly open: number;
    readonly high: number;
    readonly low: number;
    readonly close: number;
    readonly volume: number;
    readonly trades: number;
  }[];
  /** `side` is the taker's. */
  readonly trades: readonly {
    readonly time: number;
    readonly side: 'buy' | 'sell';
    readonly price: number;
    readonly size: number;
  }[];
}

/** The history of an order. */
export interface OrderExplanation {
  readonly orderId: string;
  readonly lines: readonly {
    readonly time: number;
    readonly kind: string;
    readonly detail: Readonly<Record<string, unknown>>;
  }[];
}
