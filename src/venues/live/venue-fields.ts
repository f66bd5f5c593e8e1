import { isJsonObject } from '../../base/terms/json-object.ts';
import type { VenueName } from '../../base/terms/venues.ts';

/** The fields of a message that perp reads, and those that the venue documents besides. */
interface MessageFields {
  readonly read: string;
  readonly known: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** How a venue's frames name their kind and hold their data, and the fields of each kind, separated by spaces. */
interface FrameFields {
  parts(frame: Fields): readonly (readonly [kind: unknown, data: unknown])[];
  readonly kinds: Readonly<Record<string, MessageFields>>;
}

const first = (value: unknown) => (Array.isArray(value) ? value[0] : value);
const inField = (value: unknown, field: string) => (isJsonObject(value) ? value[field] : undefined);

const frameFields: Readonly<Record<VenueName, FrameFields>> = {
  binance: {
    parts: (frame) => [[inField(frame.data, 'e') ?? frame.e, frame.data ?? frame]],
    kinds: {
      depthUpdate: { read: 'e T s U u pu b a', known: 'E st ps' },
      trade: { read: 'e T s t p q m', known: 'E X st ps' },
      markPriceUpdate: { read: 'e E s p i r T', known: 'P ap st ps' },
    },
  },
  bybit: {
    parts: ({ topic, data }) => [[typeof topic === 'string' ? topic.split('.')[0] : undefined, first(data)]],
    kinds: {
      orderbook: { read: 's b a u', known: 'seq' },
      publicTrade: { read: 'T s S v p i', known: 'L BT RPI seq mP iP mIv iv' },
      tickers: {
        read: 'symbol',
        known:
          'markPrice indexPrice fundingRate nextFundingTime fundingIntervalHour tickDirection price24hPcnt lastPrice prevPrice24h highPrice24h lowPrice24h prevPrice1h openInterest openInterestValue turnover24h volume24h bid1Price bid1Size ask1Price ask1Size deliveryTime basisRate deliveryFeeRate predictedDeliveryPrice preOpenPrice preQty curPreListingPhase fundingCap basisRateYear',
      },
    },
  },
  hyperliquid: {
    parts: ({ channel, data }) => [[channel, inField(data, 'ctx') ?? first(data)]],
    kinds: {
      l2Book: { read: 'coin time levels', known: 'spread fast' },
      trades: { read: 'coin side px sz time tid', known: 'hash users' },
      activeAssetCtx: {
        read: 'markPx oraclePx funding',
        known: 'openInterest prevDayPx dayNtlVlm premium midPx impactPxs dayBaseVlm',
      },
    },
  },
  lighter: {
    parts: (frame) => {
      const kind = typeof frame.type === 'string' ? frame.type.split('/')[1] : undefined;
      return [[kind, kind === 'trade' ? first(frame.trades) : frame[kind ?? '']]];
    },
    kinds: {
      order_book: { read: 'asks bids nonce', known: 'begin_nonce offset code last_updated_at' },
      trade: {
        read: 'trade_id price size is_maker_ask timestamp type',
        known:
          'trade_id_str tx_hash market_id usd_amount ask_id bid_id ask_client_id bid_client_id ask_client_id_str bid_client_id_str ask_id_str bid_id_str ask_account_id bid_account_id block_height taker_fee maker_fee taker_position_size_before taker_entry_quote_before taker_initial_margin_fraction_before maker_position_size_before maker_entry_quote_before maker_initial_margin_fraction_before taker_position_sign_changed maker_position_sign_changed transaction_time',
      },
      market_stats: {
        read: 'mark_price index_price current_funding_rate',
        known:
          'market_id symbol open_interest open_interest_limit funding_clamp_small funding_clamp_big last_trade_price funding_rate funding_timestamp daily_base_token_volume daily_quote_token_volume daily_price_low daily_price_high daily_price_change',
      },
    },
  },
  okx: {
    parts: (frame) => [[frame.data === undefined ? undefined : inField(frame.arg, 'channel'), first(frame.data)]],
    kinds: {
      books: { read: 'asks bids ts seqId prevSeqId', known: 'checksum' },
      trades: { read: 'instId tradeId px sz side ts', known: 'count source seqId' },
      'mark-price': { read: 'instId markPx ts', known: 'instType' },
      'index-tickers': { read: 'instId idxPx ts', known: 'high24h low24h open24h sodUtc0 sodUtc8' },
      'funding-rate': {
        read: 'instId fundingRate fundingTime nextFundingTime',
        known:
          'instType ts formulaType impactValue interestRate maxFundingRate method minFundingRate nextFundingRate premium prevFundingTime settFundingRate settState',
      },
    },
  },
  kraken: {
    parts: (frame) => [[frame.product_id === undefined ? undefined : frame.feed, frame]],
    kinds: {
      book_snapshot: { read: 'feed product_id timestamp seq bids asks', known: 'tickSize' },
      book: { read: 'feed product_id side seq price qty timestamp', known: '' },
      trade: { read: 'feed product_id uid side type time qty price', known: 'seq' },
      trade_snapshot: { read: 'feed product_id trades', known: '' },
      ticker: {
        read: 'feed product_id time markPrice index relative_funding_rate next_funding_rate_time',
        known:
          'bid ask bid_size ask_size volume dtm leverage premium last change suspended tag pair openInterest maturityTime post_only volumeQuote open high low funding_rate funding_rate_prediction relative_funding_rate_prediction',
      },
    },
  },
  service: {
    parts: ({ events }) =>
      Array.isArray(events) ? events.map((event) => [inField(event, 'type'), event] as const) : [],
    kinds: {
      book: { read: 'type provider symbol bids asks', known: 'time' },
      trade: { read: 'type provider symbol side price size time tradeId', known: '' },
      tick: { read: 'type provider symbol kind price time', known: '' },
      marketStats: {
        read: 'type provider symbol',
        known: 'fundingRate fundingIntervalHours time openInterest volume24h',
      },
    },
  },
};

/** The fields and values that a venue has sent in one kind of message. */
export interface SeenMessages {
  kind: string;
  count: number;
  /** Fields that perp reads and that were missing in some, and fields that it does not know. */
  missing: string[];
  unknown: string[];
}

/** Compares the fields of a venue's frames with those that are expected. */
export class FieldCheck {
  private readonly of: FrameFields;
  private readonly seen = new Map<string, { count: number; missing: Set<string>; unknown: Set<string> }>();

  constructor(venue: VenueName) {
    this.of = frameFields[venue];
  }

  take(text: string): void {
    let frame: unknown;
    try {
      frame = JSON.parse(text);
    } catch {
      // The feed reports what can't be parsed.
      return;
    }
    if (!isJsonObject(frame)) return;
    for (const [kind, data] of this.of.parts(frame)) if (typeof kind === 'string') this.check(kind, data);
  }

  messages(): SeenMessages[] {
    const kinds = new Set([...Object.keys(this.of.kinds), ...this.seen.keys()]);
    return [...kinds].map((kind) => {
      const { count, missing, unknown } = this.seen.get(kind) ?? { count: 0, missing: [], unknown: [] };
      return { kind, count, missing: [...missing], unknown: [...unknown] };
    });
  }

  private check(kind: string, data: unknown): void {
    const fields = this.of.kinds[kind];
    // Answers to requests are no data.
    if (fields === undefined || !isJsonObject(data)) return;
    const seen = this.seen.get(kind) ?? { count: 0, missing: new Set(), unknown: new Set() };
    this.seen.set(kind, seen);
    seen.count += 1;
    const [read, known] = [fields.read.split(' '), fields.known.split(' ')];
    for (const field of read) if (!(field in data)) seen.missing.add(field);
    for (const field of Object.keys(data)) if (!read.includes(field) && !known.includes(field)) seen.unknown.add(field);
  }
}
