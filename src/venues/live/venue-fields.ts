import { isJsonObject } from '../../base/terms/json-object.ts';
import type { VenueName } from '../../base/terms/venues.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * How a venue's frames name their kind and hold their data, and the fields of each kind: those that perp reads, and,
 * after a bar, those that the venue documents besides.
 */
interface FrameFields {
  parts(frame: Fields): readonly (readonly [kind: unknown, data: unknown])[];
  readonly kinds: Readonly<Record<string, string>>;
}

const first = (value: unknown) => (Array.isArray(value) ? value[0] : value);
const inField = (value: unknown, field: string) => (isJsonObject(value) ? value[field] : undefined);

const frameFields: Readonly<Record<VenueName, FrameFields>> = {
  binance: {
    parts: (frame) => [[inField(frame.data, 'e') ?? frame.e, frame.data ?? frame]],
    kinds: {
      depthUpdate: 'e T s U u pu b a | E st ps',
      trade: 'e T s t p q m | E X st ps',
      markPriceUpdate: 'e E s p i r T | P ap st ps',
    },
  },
  bybit: {
    parts: ({ topic, data }) => [[typeof topic === 'string' ? topic.split('.')[0] : undefined, first(data)]],
    kinds: {
      orderbook: 's b a u | seq',
      publicTrade: 'T s S v p i | L BT RPI seq mP iP mIv iv',
      tickers:
        'symbol | markPrice indexPrice fundingRate nextFundingTime fundingIntervalHour tickDirection price24hPcnt lastPrice prevPrice24h highPrice24h lowPrice24h prevPrice1h openInterest openInterestValue turnover24h volume24h bid1Price bid1Size ask1Price ask1Size deliveryTime basisRate deliveryFeeRate predictedDeliveryPrice preOpenPrice preQty curPreListingPhase fundingCap basisRateYear',
    },
  },
  hyperliquid: {
    parts: ({ channel, data }) => [[channel, inField(data, 'ctx') ?? first(data)]],
    kinds: {
      l2Book: 'coin time levels | spread fast',
      trades: 'coin side px sz time tid | hash users',
      activeAssetCtx: 'markPx oraclePx funding | openInterest prevDayPx dayNtlVlm premium midPx impactPxs dayBaseVlm',
    },
  },
  lighter: {
    parts: (frame) => {
      const kind = typeof frame.type === 'string' ? frame.type.split('/')[1] : undefined;
      return [[kind, kind === 'trade' ? first(frame.trades) : frame[kind ?? '']]];
    },
    kinds: {
      order_book: 'asks bids nonce | begin_nonce offset code last_updated_at',
      trade:
        'trade_id price size is_maker_ask timestamp type | trade_id_str tx_hash market_id usd_amount ask_id bid_id ask_client_id bid_client_id ask_client_id_str bid_client_id_str ask_id_str bid_id_str ask_account_id bid_account_id block_height taker_fee maker_fee taker_position_size_before taker_entry_quote_before taker_initial_margin_fraction_before maker_position_size_before maker_entry_quote_before maker_initial_margin_fraction_before taker_position_sign_changed maker_position_sign_changed transaction_time',
      market_stats:
        'mark_price index_price current_funding_rate | market_id symbol open_interest open_interest_limit funding_clamp_small funding_clamp_big last_trade_price funding_rate funding_timestamp daily_base_token_volume daily_quote_token_volume daily_price_low daily_price_high daily_price_change',
    },
  },
  okx: {
    parts: (frame) => [[frame.data === undefined ? undefined : inField(frame.arg, 'channel'), first(frame.data)]],
    kinds: {
      books: 'asks bids ts seqId prevSeqId | checksum',
      trades: 'instId tradeId px sz side ts | count source seqId',
      'mark-price': 'instId markPx ts | instType',
      'index-tickers': 'instId idxPx ts | high24h low24h open24h sodUtc0 sodUtc8',
      'funding-rate':
        'instId fundingRate fundingTime nextFundingTime | instType ts formulaType impactValue interestRate maxFundingRate method minFundingRate nextFundingRate premium prevFundingTime settFundingRate settState',
    },
  },
  kraken: {
    parts: (frame) => [[frame.product_id === undefined ? undefined : frame.feed, frame]],
    kinds: {
      book_snapshot: 'feed product_id timestamp seq bids asks | tickSize',
      book: 'feed product_id side seq price qty timestamp | ',
      trade: 'feed product_id uid side type time qty price | seq',
      trade_snapshot: 'feed product_id trades | ',
      ticker:
        'feed product_id time markPrice index relative_funding_rate next_funding_rate_time | bid ask bid_size ask_size volume dtm leverage premium last change suspended tag pair openInterest maturityTime post_only volumeQuote open high low funding_rate funding_rate_prediction relative_funding_rate_prediction',
    },
  },
  service: {
    parts: ({ events }) =>
      Array.isArray(events) ? events.map((event) => [inField(event, 'type'), event] as const) : [],
    kinds: {
      book: 'type provider symbol bids asks | time',
      trade: 'type provider symbol side price size time tradeId | ',
      tick: 'type provider symbol kind price time | ',
      marketStats: 'type provider symbol | fundingRate fundingIntervalHours time openInterest volume24h',
    },
  },
};

/** The fields and values that a venue has sent in one kind of message. */
export interface SeenMessages {
  kind: string;
  count: number;
  /** Fields that perp reads but that were sometimes missing, and fields that it doesn't know. */
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
      // The feed reports unparsable messages.
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
    const [read, known] = fields.split(' | ').map((names) => names.split(' ')) as [string[], string[]];
    for (const field of read) if (!(field in data)) seen.missing.add(field);
    for (const field of Object.keys(data)) if (!read.includes(field) && !known.includes(field)) seen.unknown.add(field);
  }
}
