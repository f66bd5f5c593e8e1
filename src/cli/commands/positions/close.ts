import type { Quote } from '../../../contract/markets.ts';
import type { ClosePositionRequest, Position } from '../../../contract/positions.ts';
import { beginAccount, beginOrderAftermath } from '../../../desk/reading/before.ts';
import { ofChosenAccount } from '../../../desk/resolve/account.ts';
import { resolvePosition, workingOrders } from '../../../desk/resolve/holdings.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import { maybePrice } from '../../../desk/resolve/price.ts';
import { limitFill, sizedQuote } from '../../../desk/resolve/quote.ts';
import { resolveSize } from '../../../desk/resolve/size.ts';
import { coverOf } from '../../../desk/risk/cover.ts';
import { unrealizedPnl } from '../../../desk/risk/profit.ts';
import type { Price } from '../../../desk/values/prices.ts';
import type { Taker } from '../../../desk/writes/drift.ts';
import { quantity, usd } from '../../../ground/text/format.ts';
import { takesAtOnce } from '../../../terms/order-types.ts';
import type { Console } from '../../console/console.ts';
import { goesTo } from '../../console/where.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { type Block, fields, line, type Result } from '../../output/result.ts';
import { stopCell } from '../../views/cover-view.ts';
import { profitCell, sideCell } from '../../views/tones.ts';
import { checkWait, placed } from '../../writes/order-outcome.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Close a position, or part of it',
  args: [{ name: 'position', kind: 'position', summary: 'position id or market' }],
  options: {
    size: { value: 'SIZE', kind: 'size', summary: 'size to close: 0.02, 500usd or 50% (default: all)' },
    type: {
      value: 'TYPE',
      choices: ['market', 'limit', 'conditional'],
      summary: 'order type (default: market, or limit with --limit-price)',
    },
    'limit-price': { value: 'PRICE', kind: 'price', summary: 'worst price to accept' },
    'trigger-price': { value: 'PRICE', kind: 'price', summary: 'mark that triggers a conditional close' },
    'trigger-market': {
      value: 'MARKET',
      kind: 'market',
      summary: "market whose mark triggers it (default: the position's)",
    },
    'trigger-direction': {
      value: 'WAY',
      choices: ['above', 'below'],
      summary: 'which side of the trigger price fires it',
    },
    slippage: { value: 'BPS', kind: 'basisPoints', summary: 'maximum distance from mid of a market close' },
    'cross-ok': { summary: 'let a limit order that crosses the book fill as taker' },
    'expected-price': { value: 'PRICE', kind: 'price', summary: 'price you saw; recorded, not used for pricing' },
    'client-order-id': { value: 'ID', kind: 'text', summary: 'your own name for the closing order' },
    wait: { summary: 'wait until the order ends' },
  },
  examples: [
    ['perp positions close BTC', 'close it at market'],
    ['perp positions close BTC --size 50%', 'close half of it'],
    ['perp positions close BTC --limit-price 160000', 'close it at a limit price'],
    ['perp close-all', 'every position of the account'],
  ],
});

type Input = InputOf<typeof command>;

export async function run(console: Console, input: Input): Promise<Result> {
  await checkWait(console, input.wait);
  beginAccount(console);
  const position = ofChosenAccount(console, await resolvePosition(console, input.position));
  beginOrderAftermath(console, position);
  const body = await requestOf(console, input, position);
  const size = quantity(closedSize(position, body));
  return write(
    console,
    'closePosition',
    { path: { position_id: position.id }, body },
    {
      preview: () => preview(console, position, body),
      account: position.account_id,
      taker: takesAtOnce(body.type) ? takerOf(position, body) : undefined,
      question: `Close ${size} ${position.symbol} of the ${position.side} position?`,
      done: ({ data, body: { queued } }) => placed(console, data, input.wait, queued),
    },
  );
}

function takerOf(position: Position, body: ClosePositionRequest): Taker {
  const { account_id, market_id, side } = position;
  return { account_id, market_id, side: side === 'long' ? 'sell' : 'buy', size: closedSize(position, body) };
}

async function requestOf(console: Console, input: Input, position: Position): Promise<ClosePositionRequest> {
  const side = position.side === 'long' ? 'sell' : 'buy';
  const market = { ...position, size_decimals: position.size_decimals ?? 8 };
  const triggered = input.triggerMarket ?? (input.triggerPrice === undefined ? undefined : position.market_id);
  const trigger_market_id = triggered === undefined ? undefined : (await resolveMarket(console, triggered)).market_id;
  const price = (given: Price | undefined, label: string, marketId = position.market_id, isLimit = false) =>
    maybePrice(console, given, { label, marketId, side, entry: () => position.entry_price, isLimit });
  const limit_price = await price(input.limitPrice, '--limit-price', position.market_id, true);
  const trigger_price = await price(input.triggerPrice, '--trigger-price', trigger_market_id);
  const size =
    input.size === undefined
      ? undefined
      : await resolveSize(console, input.size, {
          market,
          side,
          price: limit_price,
          trigger: input.triggerMarket === undefined ? trigger_price : undefined,
          position,
        });
  const request: ClosePositionRequest = {
    type:
      input.type ??
      (input.triggerPrice !== undefined ? 'conditional' : input.limitPrice !== undefined ? 'limit' : 'market'),
    size,
    client_order_id: input.clientOrderId,
    expected_price: await price(input.expectedPrice, '--expected-price'),
    slippage_tolerance_bps: input.slippage,
    limit_price,
    trigger_price,
    trigger_market_id,
    trigger_direction: input.triggerDirection,
    marketable_limit_acknowledged: input.crossOk || undefined,
  };
  return request;
}

/** A close is capped at the size of the position. */
function closedSize(position: Position, body: ClosePositionRequest): number {
  return Math.min(body.size ?? position.size, position.size);
}

async function preview(console: Console, position: Position, body: ClosePositionRequest): Promise<Block[]> {
  const size = closedSize(position, body);
  const side = position.side === 'long' ? 'sell' : 'buy';
  const [quote, working] = await Promise.all([
    sizedQuote(console, takerOf(position, body)),
    workingOrders(console, position.account_id),
  ]);
  const left = Number((position.size - size).toPrecision(14));
  const { limit_price: limit, trigger_price: trigger } = body;
  const fills = quote.estimated_fill_price;
  const price = limit === undefined ? fills : trigger === undefined ? limitFill(side, limit, quote) : limit;
  const notional = price === undefined || price === fills ? quote.estimated_notional : price * size;
  const fee = notional === undefined || price === fills ? quote.estimated_fee : feeAt(notional, quote);
  const profit = price === undefined ? undefined : unrealizedPnl({ ...position, size }, price);
  return [
    line(
      { text: 'Close', tone: 'strong' },
      '  ',
      sideCell(position.side),
      ` ${quantity(size)} of ${quantity(position.size)} ${position.symbol}, entry ${quantity(position.entry_price)}`,
    ),
    fields(
      ['on', await goesTo(console, position.account_id)],
      ['limit', limit === undefined ? undefined : quantity(limit)],
      ['fills at', price === undefined || (price === limit && price !== fills) ? undefined : quantity(price)],
      ['trigger', body.trigger_price === undefined ? undefined : quantity(body.trigger_price)],
      ['notional', notional === undefined ? undefined : `${usd(notional)} USD`],
      ['fee', fee === undefined ? undefined : `${usd(fee)} USD`],
      ['realizes', profit === undefined ? undefined : profitCell(profit)],
      ['then', size >= position.size ? 'flat' : `${position.side} ${quantity(left)} ${position.symbol}`],
      ['stop', left === 0 ? undefined : stopCell({ size: left }, coverOf({ ...position, size: left }, working))],
    ),
  ];
}

/** The fee of a notional; zero if the quote charges none. */
function feeAt(notional: number, { fee_bps: bps, estimated_fee: estimated }: Quote): number | undefined {
  if (estimated === 0 || bps === undefined) return estimated;
  return (notional * bps) / 1e4;
}
