import { usageFailure } from '../../../../base/failure/failure.ts';
import { type LimitName, limitNames } from '../../../../base/terms/limits.ts';
import { providers } from '../../../../base/terms/venues.ts';
import { quoted } from '../../../../base/text/plain-text.ts';
import { accountId } from '../../../../desk/resolve/account.ts';
import { allMarkets, resolveMarket } from '../../../../desk/resolve/market.ts';
import { parseValue } from '../../../../desk/values/values.ts';
import { nearest } from '../../../../wire/contract/nearest.ts';
import type { SetPolicyRequest } from '../../../../wire/contract/simulation.ts';
import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf, type OptionSpec } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { observedBlocks, policyBlocks } from '../../../console/views/account-view.ts';
import { write } from '../../writes/write.ts';

const amount = (summary: string) => ({ value: 'N', kind: 'amount', summary }) as const satisfies OptionSpec;
const onOff = (summary: string) => ({ value: 'on|off', choices: ['on', 'off'], summary }) as const satisfies OptionSpec;

export const command = defineCommand({
  summary: "Show or change an account's policy and trading halts",
  description: 'Without options, shows the policy. Omitted settings are unchanged.',
  options: {
    restrict: { value: 'WHAT', choices: ['reduce_only', 'none'], summary: 'restrict the account' },
    halt: { value: 'CATEGORY', repeat: true, summary: 'halt a category or platform (everything); none ends all halts' },
    'trades-per-minute': amount('maximum trades per minute'),
    'trades-per-hour': amount('maximum trades per hour'),
    'trades-per-day': amount('maximum trades per day'),
    'unlimited-trade-count-threshold': {
      value: 'USD',
      kind: 'amount',
      summary: 'starting balance at which trade limits stop applying; 0 always limits trades',
    },
    'order-cooldown-ms': amount('pause between orders'),
    'max-open-positions': amount('maximum number of open positions'),
    'max-position-value-usd': amount('maximum value of a position'),
    'min-order-notional-usd': amount('minimum notional of an order'),
    'execution-delay-min-ms': amount('shortest delay before an order meets the book'),
    'execution-delay-max-ms': amount('longest delay'),
    'max-book-staleness-ms': amount('age at which a book is stale'),
    'maintenance-margin-ratio-bps': amount('maintenance margin'),
    'liquidation-fee-bps': amount('liquidation fee'),
    'max-resting-orders': amount('maximum number of resting orders'),
    'slippage-min-bps': amount('minimum slippage tolerance of an order'),
    'slippage-max-bps': amount('maximum slippage tolerance of an order'),
    'provider-max-bps': {
      value: 'PROVIDER=BPS',
      repeat: true,
      summary: 'maximum slippage tolerance of market orders on a venue',
    },
    'total-notional': { value: 'USD', kind: 'optionalPositive', summary: 'maximum total notional, or none' },
    'fee-exempt': onOff('charge no fees'),
    'payout-pending': onOff('simulate a pending payout'),
    allow: {
      value: 'MARKET',
      kind: 'market',
      repeat: true,
      summary: 'competition: positions may be opened only in these markets',
    },
    'competition-exposure': {
      value: 'WHAT',
      choices: ['allowed', 'restricted'],
      summary: 'competition: whether positions may be opened',
    },
    'no-competition': { summary: 'end the competition' },
    preset: {
      value: 'NAME',
      choices: ['observed', 'default'],
      summary: 'start from all observed behaviors of the live service, or from none',
    },
    'exposure-cap-usd': {
      value: 'USD',
      kind: 'optionalPositive',
      summary: 'maximum open notional per owner and market, not shown in any answer, or none',
    },
    'slippage-caps': onOff('cap taker slippage by class, notional and open interest'),
    'open-interest': {
      value: 'MARKET=USD',
      repeat: true,
      summary: "a market's open interest, for its slippage cap; replaces all earlier values",
    },
    'stop-price': {
      value: 'PRICE',
      choices: ['mark', 'last', 'index'],
      summary: "what triggers stops: the mark, the last print or the venue's index",
    },
    marks: {
      value: 'SOURCE',
      choices: ['book', 'venue'],
      summary: "where marks come from: the book's midpoint or the venue's own mark",
    },
    'fx-at-mark': onOff('trade fx at its mark plus a spread'),
    'worst-price-is-estimate': onOff("report a quote's estimated fill price as its worst price"),
    'order-list-needs-filter': onOff('require an account or client order id to list orders'),
    'side-alone-is-plain-quote': onOff('answer a quote that has a side and no size like one without both'),
    'pings-keep-stream': onOff('let WebSocket pings keep the market stream connected'),
  },
  examples: [
    ['perp sim policy', 'show the policy'],
    ['perp sim policy --restrict reduce_only', 'test a restriction'],
    ['perp sim policy --halt crypto', 'halt a category'],
    ['perp sim policy --preset observed', 'behave like the live service'],
    ['perp sim policy --marks venue', "trigger and liquidate at the venue's own mark, on live books"],
    ['perp sim policy --execution-delay-min-ms 200 --execution-delay-max-ms 800', 'slower fills'],
  ],
  simulationOnly: true,
});

type Input = InputOf<typeof command>;

export async function run(console: Console, input: Input): Promise<Result> {
  const account_id = await accountId(console);
  const { trading_halt, ...own } = await changes(console, input, account_id);
  const forAccount = Object.values(own).some((value) => value !== undefined);
  if (!forAccount && trading_halt === undefined) {
    const { data } = await console.call('simGetPolicy', { query: { account_id } });
    return recordOf(data, () => [...policyBlocks(data), ...observedBlocks(data.observed)]);
  }
  const body: SetPolicyRequest = {
    ...own,
    ...(forAccount ? { account_id } : {}),
    ...(trading_halt === undefined ? {} : { trading_halt }),
  };
  return write(
    console,
    'simSetPolicy',
    { body },
    {
      question: forAccount ? `Change the policy of ${account_id}?` : 'Change the trading halts?',
      done: async () => {
        const { data } = await console.call('simGetPolicy', { query: { account_id } });
        return recordOf(data, () => [
          line({ text: 'Changed.', tone: 'good' }),
          ...policyBlocks(data),
          ...observedBlocks(data.observed),
        ]);
      },
    },
  );
}

async function changes(console: Console, input: Input, account: string): Promise<SetPolicyRequest> {
  const given: Partial<Record<LimitName, number | undefined>> = input;
  const limits = Object.fromEntries(limitNames.map(([wireName, name]) => [wireName, given[name]]));
  return {
    preset: input.preset,
    limits: Object.values(limits).some((limit) => limit !== undefined) ? limits : undefined,
    unlimited_trade_count_threshold: input.unlimitedTradeCountThreshold,
    slippage_min_bps: input.slippageMinBps,
    slippage_max_bps: input.slippageMaxBps,
    market_order_maximum_bps_by_provider: providerMaximums(input.providerMaxBps),
    maximum_total_notional_usd: input.totalNotional,
    fee_exempt: switched(input.feeExempt),
    payout_pending: switched(input.payoutPending),
    restriction: input.restrict === undefined ? undefined : input.restrict === 'none' ? null : input.restrict,
    competition: await competition(console, input, account),
    observed: await observed(console, input),
    trading_halt: await halt(console, input.halt),
  };
}

async function observed(console: Console, input: Input): Promise<SetPolicyRequest['observed']> {
  const change = {
    exposure_cap_usd: input.exposureCapUsd,
    slippage_caps: switched(input.slippageCaps),
    stop_price: input.stopPrice,
    marks: input.marks,
    fx_at_mark: switched(input.fxAtMark),
    open_interest_usd: await openInterest(console, input.openInterest),
    worst_price_is_estimate: switched(input.worstPriceIsEstimate),
    order_list_needs_filter: switched(input.orderListNeedsFilter),
    side_alone_is_plain_quote: switched(input.sideAloneIsPlainQuote),
    pings_keep_stream: switched(input.pingsKeepStream),
  };
  return Object.values(change).some((value) => value !== undefined) ? change : undefined;
}

function switched(word: 'on' | 'off' | undefined): boolean | undefined {
  return word === undefined ? undefined : word === 'on';
}

/** `BTC=7400000000`: a market and USD. */
async function openInterest(console: Console, texts: readonly string[]): Promise<Record<string, number> | undefined> {
  if (texts.length === 0) return undefined;
  const pairs = texts.map(async (text) => {
    const [, market, usd] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (market === undefined || usd === undefined) {
      throw usageFailure(
        `--open-interest is ${quoted(text)}, not MARKET=USD.`,
        'Write MARKET=USD, such as BTC=7400000000.',
      );
    }
    const { market_id } = await resolveMarket(console, market);
    return [market_id, parseValue('amount', usd, `--open-interest of ${market}`)] as const;
  });
  return Object.fromEntries(await Promise.all(pairs));
}

/** `binance=40`: a venue and basis points. */
function providerMaximums(texts: readonly string[]): Record<string, number> | undefined {
  if (texts.length === 0) return undefined;
  const maximums = new Map<string, number>();
  for (const text of texts) {
    const [, provider, bps] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (provider === undefined || bps === undefined) {
      throw usageFailure(
        `--provider-max-bps is ${quoted(text)}, not PROVIDER=BPS.`,
        'Write PROVIDER=BPS, such as binance=40.',
      );
    }
    const name = knownProvider(provider);
    if (maximums.has(name)) throw usageFailure(`--provider-max-bps names ${name} twice.`, 'Give it once.');
    maximums.set(name, parseValue('positive', bps, `--provider-max-bps of ${name}`));
  }
  return Object.fromEntries(maximums);
}

/** Rejects a mistyped venue, which would silently limit nothing. */
function knownProvider(text: string): string {
  const name = text.toLowerCase();
  if ((providers as readonly string[]).includes(name)) return name;
  const near = nearest(name, providers);
  throw usageFailure(
    `There is no provider ${quoted(text)}; allowed: ${providers.join(', ')}.`,
    near === undefined ? undefined : `Did you mean ${near}?`,
  );
}

/** The API replaces the whole competition; here, omitted settings are unchanged. */
async function competition(console: Console, input: Input, account: string): Promise<SetPolicyRequest['competition']> {
  const { allow, competitionExposure: exposure, noCompetition } = input;
  const isNamed = allow.length > 0 || exposure !== undefined;
  if (noCompetition && isNamed)
    throw usageFailure("--no-competition can't be combined with other competition options.");
  if (noCompetition) return null;
  if (!isNamed) return undefined;
  const { data: present } = await console.call('simGetPolicy', { query: { account_id: account } });
  const markets = await Promise.all(allow.map((text) => resolveMarket(console, text)));
  return {
    opening_exposure_restricted:
      exposure === undefined ? (present.competition?.opening_exposure_restricted ?? false) : exposure === 'restricted',
    market_allowlist:
      allow.length > 0 ? markets.map(({ market_id }) => market_id) : (present.competition?.market_allowlist ?? []),
  };
}

async function halt(console: Console, words: readonly string[]): Promise<SetPolicyRequest['trading_halt']> {
  if (words.length === 0) return undefined;
  if (words.includes('none') && words.length > 1)
    throw usageFailure("--halt none ends all halts and can't be combined with others.");
  const categories = words.filter((word) => word !== 'platform' && word !== 'none');
  if (categories.length > 0) await refuseUnknown(console, categories);
  return { platform: words.includes('platform'), categories };
}

/** Rejects a mistyped category, which would silently halt nothing. */
async function refuseUnknown(console: Console, categories: readonly string[]): Promise<void> {
  const known = new Set((await allMarkets(console)).map((market) => market.category));
  const unknown = categories.find((category) => !known.has(category));
  if (unknown === undefined) return;
  const there = [...known].filter((category) => category !== undefined).sort();
  throw usageFailure(
    `No market has the category ${quoted(unknown)}.`,
    `Categories: ${there.join(', ')}. Use platform to halt everything, none to end all halts.`,
  );
}
