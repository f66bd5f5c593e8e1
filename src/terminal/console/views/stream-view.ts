import { dateTime, marketName, maybe, quantity, timeOfDay, usd, word } from '../../../base/text/format.ts';
import { withoutLastPart } from '../../../desk/account/means.ts';
import type { Account } from '../../../wire/contract/accounts.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import type { Position } from '../../../wire/contract/positions.ts';
import type {
  AccountFrame,
  BookEvent,
  CandleEvent,
  MarketStatsEvent,
  TickEvent,
  TradeEvent,
} from '../../../wire/contract/streams.ts';
import { type Cell, type Column, sideCell } from '../output/result.ts';
import { accountFields } from './account-view.ts';
import { orderFields } from './order-view.ts';
import { positionFields } from './position-view.ts';

/** How events are printed. */
export interface EventView {
  /** Wire names, used as CSV columns. */
  fields: readonly string[];
  /** One line of text. */
  line: (event: never) => readonly Cell[];
  /** The CSV rows of an event; default: one, the event itself. */
  rows?: (event: never) => readonly object[];
  /** Printed as text, not JSON lines, also without a terminal, unless JSON is requested. */
  isText?: true;
}

const of = ['provider', 'symbol'] as const;
const gap = '  ';

/** The start of a line about a market: when, and which. */
function headOf(
  { provider, symbol, time }: { provider: string; symbol: string; time?: number },
  when = timeOfDay(time!),
): Cell[] {
  return [faint(when), gap, strong(marketName(`${provider}|${symbol}`))];
}

/** How a tick looks. */
export const tickView: EventView = {
  fields: [...of, 'kind', 'price', 'time'],
  line: (event: TickEvent) => [...headOf(event), `  ${event.kind.padEnd(4)}  `, event.price],
};

/** How a trade looks. */
export const tradeView: EventView = {
  fields: [...of, 'tradeId', 'side', 'price', 'size', 'time'],
  line: ({ side, price, size, ...event }: TradeEvent) => [
    ...headOf(event),
    gap,
    sideCell(side),
    `${side === 'buy' ? ' ' : ''}  ${size} at ${price}`,
  ],
};

/** A book as text: its best levels on one line. */
export const bookView: EventView = {
  fields: [...of, 'bids', 'asks', 'time'],
  line: ({ bids, asks, ...event }: BookEvent) => [
    ...headOf(event),
    gap,
    bids[0] === undefined ? 'no bids' : `${bids[0].sz} x `,
    { text: bids[0]?.px ?? '', tone: 'good' },
    ' / ',
    { text: asks[0]?.px ?? '', tone: 'bad' },
    asks[0] === undefined ? 'no asks' : ` x ${asks[0].sz}`,
  ],
};

/** Wire names of a candle's fields. */
export const candleFields = [
  ...of,
  'interval',
  'openTime',
  'closeTime',
  'open',
  'high',
  'low',
  'close',
  'volume',
  'quoteVolume',
  'trades',
  'isFinal',
] as const;

/** How a candle looks. */
export const candleView: EventView = {
  fields: candleFields,
  line: ({ interval, open, high, low, close, volume, isFinal, ...event }: CandleEvent) => [
    ...headOf(event, dateTime(event.openTime)),
    `  ${interval.padEnd(3)}  open ${open}  high ${high}  low ${low}  close `,
    strong(close),
    `  volume ${volume}`,
    isFinal ? '' : faint('  forming'),
  ],
};

/** The table of candles. */
export const candleColumns: readonly Column<CandleEvent>[] = [
  { header: 'OPENED', cell: ({ openTime }) => dateTime(openTime) },
  { header: 'OPEN', cell: ({ open }) => open, align: 'right' },
  { header: 'HIGH', cell: ({ high }) => high, align: 'right' },
  { header: 'LOW', cell: ({ low }) => low, align: 'right' },
  { header: 'CLOSE', cell: ({ close }) => strong(close), align: 'right' },
  { header: 'VOLUME', cell: ({ volume }) => volume, align: 'right', keep: 3 },
  { header: 'TRADES', cell: ({ trades }) => maybe(trades, String), align: 'right', keep: 2 },
  {
    header: '',
    cell: ({ isFinal, otherPrices }) => faint(isFinal ? (otherPrices ? 'other prices' : '') : 'forming'),
    keep: 1,
  },
];

/** How a market's statistics look. */
export const statsView: EventView = {
  fields: [
    ...of,
    'markPx',
    'change24hPct',
    'fundingRate',
    'fundingIntervalHours',
    'openInterestUsd',
    'dayNtlVlm',
    'time',
  ],
  line: (stats: MarketStatsEvent) => [
    ...headOf(stats),
    ...figure('mark', stats.markPx, quantity),
    ...figure('24h', stats.change24hPct, (percent) => `${percent > 0 ? '+' : ''}${quantity(percent)}%`),
    ...figure('volume', stats.dayNtlVlm, usd),
    ...figure('open interest', stats.openInterestUsd, usd),
    ...figure('funding', stats.fundingRate, quantity),
  ],
};

/** Patches contain only changes; null means unknown. */
function figure(label: string, value: number | null | undefined, text: (value: number) => string): Cell[] {
  return value === undefined || value === null ? [] : [faint(`  ${label} `), text(value)];
}

/** A frame of the account stream; heartbeats and the like are not printed. */
export type PrintedFrame = Extract<AccountFrame, { account_id: string }>;

/** A change in an account, as text. */
export const accountView: EventView = {
  fields: [
    ...['type', 'event', 'seq', 'time', 'account_id'],
    ...orderFields.map((name) => `order.${name}`),
    ...positionFields.map((name) => `position.${name}`),
    ...accountFields.map((name) => `account.${name}`),
  ],
  rows: rowsOf,
  line: (frame: PrintedFrame) => [
    faint(timeOfDay(frame.time)),
    gap,
    faint(word(frame.account_id)),
    gap,
    strong('event' in frame ? `${frame.type} ${frame.event}` : frame.type),
    gap,
    ...what(frame),
  ],
};

/** A row has one record: a snapshot is a row for the account, each position and each order. A fill is its order. */
function rowsOf(frame: PrintedFrame): readonly object[] {
  const { type, seq, time, account_id } = frame;
  const head = { type, seq, time, account_id };
  if (type === 'fill') return [{ ...head, order: frame.fill }];
  if (type !== 'snapshot') return [frame];
  return [
    { ...head, account: frame.account },
    ...frame.positions.map((position) => ({ ...head, position })),
    ...frame.orders.map((order) => ({ ...head, order })),
  ];
}

function what(frame: PrintedFrame): readonly Cell[] {
  if (frame.type === 'order') return ofOrder(withoutLastPart(frame.order));
  if (frame.type === 'fill') return ofOrder(frame.fill);
  if (frame.type === 'position') return ofPosition(frame.position);
  if (frame.type === 'account') return frame.event === 'removed' ? [] : ofAccount(frame.account);
  const { positions, orders } = frame;
  return [...ofAccount(frame.account), `  ${positions.length} open, ${orders.length} working`];
}

function ofOrder({ id, side, size, market_id, symbol, type, ...order }: Order): readonly Cell[] {
  const price = order.fill_price ?? order.limit_price ?? order.trigger_price;
  return [
    sideCell(side),
    ` ${quantity(size)} ${marketName(market_id, symbol)} ${word(type)}`,
    price === undefined ? '' : ` at ${quantity(price)}`,
    faint(`  ${word(id)}`),
  ];
}

function ofPosition({ id, side, size, market_id, symbol, entry_price, exit_price, status }: Position): readonly Cell[] {
  const isClosed = status === 'closed' && exit_price !== undefined;
  const price = isClosed ? ` closed at ${quantity(exit_price)}` : ` at ${quantity(entry_price)}`;
  return [sideCell(side), ` ${quantity(size)} ${marketName(market_id, symbol)}${price}`, faint(`  ${word(id)}`)];
}

function ofAccount({ balance, risk, status }: Account): readonly Cell[] {
  const equity = risk?.equity ?? null;
  return [`${word(status)}  balance ${usd(balance)}`, equity === null ? '' : `  equity ${usd(equity)}`];
}

function faint(text: string): Cell {
  return { text, tone: 'faint' };
}

function strong(text: string): Cell {
  return { text, tone: 'strong' };
}
