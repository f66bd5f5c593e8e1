import { exitCodes } from '../../../../base/failure/failure.ts';
import { factsOf } from '../../../../base/failure/report.ts';
import { arrivalOf, requestTypes, takesAtOnce } from '../../../../base/terms/order-types.ts';
import { quantity } from '../../../../base/text/format.ts';
import { otherLegs } from '../../../../desk/preview/conflicts.ts';
import { checkFloors } from '../../../../desk/preview/floor-check.ts';
import { draftOrder } from '../../../../desk/preview/order-draft.ts';
import type { CreateOrderRequest } from '../../../../wire/contract/orders.ts';
import { defineCommand } from '../../../console/console.ts';
import { triggerDirection } from '../../../console/grammar/option-groups.ts';
import { termOptions } from '../../../console/grammar/spec.ts';
import { line } from '../../../console/output/result.ts';
import { orderPreview } from '../../preview/order-preview.ts';
import { checkWait, placed } from '../../writes/order-outcome.ts';
import { farStopOf, write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Place an order',
  description:
    'Without --type this is a market order or, with --limit-price, a limit order. On a terminal, perp shows what the order will do and asks for confirmation.',
  args: [
    { name: 'market', kind: 'market', summary: 'id, coin or symbol' },
    { name: 'side', choices: ['buy', 'sell'], summary: 'order side' },
    {
      name: 'size',
      kind: 'orderSize',
      summary:
        'base asset (0.05), notional (500usd), share of the position (50%), loss at the stop (risk:200usd), or max',
    },
  ],
  options: {
    type: {
      value: 'TYPE',
      choices: requestTypes,
      summary: 'order type',
    },
    'limit-price': { value: 'PRICE', kind: 'price', summary: 'worst price to accept' },
    'trigger-price': {
      value: 'PRICE',
      kind: 'price',
      summary: 'mark that triggers a stop, take or conditional order',
    },
    tif: {
      value: 'TIF',
      choices: ['ioc', 'fok', 'gtd'],
      summary: 'time in force of a limit order (default: until canceled)',
    },
    expires: { value: 'WHEN', kind: 'time', summary: 'expiry of a gtd order, such as 30m or 2026-11-21T10:00Z' },
    ...termOptions,
    slippage: { value: 'BPS', kind: 'basisPoints', summary: 'maximum distance from mid of a market order' },
    'reduce-only': { summary: 'only make a position smaller' },
    'take-profit': { value: 'PRICE', kind: 'exitPrice', summary: 'attach a take-profit' },
    'stop-loss': { value: 'PRICE', kind: 'exitPrice', summary: 'attach a stop-loss' },
    'replace-exits': { summary: "replace the position's exits with the attached ones" },
    'chase-offset': { value: 'USD', kind: 'amount', summary: 'distance a chase keeps from the best price of its side' },
    'chase-cap': { value: 'PRICE', kind: 'price', summary: 'worst price of a chase' },
    'trigger-market': { value: 'MARKET', kind: 'market', summary: 'market whose mark triggers a conditional order' },
    'trigger-direction': triggerDirection,
    'target-position': { value: 'POSITION', kind: 'position', summary: 'position that a take_profit reduces' },
    'cross-ok': { summary: 'let a limit order that crosses the book fill as taker' },
    'expected-price': {
      value: 'PRICE',
      kind: 'price',
      summary: 'price you saw; recorded, not used for pricing',
    },
    plan: {
      value: 'PLAN',
      kind: 'text',
      summary: 'exit plan, or the name of a saved one, applied once the order has filled (perp help plan)',
    },
    'client-order-id': { value: 'ID', kind: 'text', summary: 'your own name for the order' },
    wait: { summary: 'wait until the order ends' },
    force: { summary: 'place the order even if its worst case would breach a floor' },
    'far-stop': { summary: 'allow a stop-loss more than 20% away' },
  },
  examples: [
    ['perp order place BTC buy 0.05', 'buy at market'],
    ['perp order place BTC buy 500usd --limit-price 61000', 'rest a limit order'],
    ['perp order place BTC sell 50% --reduce-only', 'halve the position'],
    ['perp order place BTC buy 0.05 --stop-loss 1% --take-profit 3%', 'buy with exits, from the entry'],
    ['perp order place BTC buy risk:0.5% --stop-loss 1%', 'lose 0.5% of the equity at the stop'],
    ['perp order place BTC sell 0.05 --type stop_market --trigger-price 60000', 'sell if the price falls'],
    ['perp order place BTC buy 0.1 --type chase --chase-cap 160000', 'follow the best bid'],
  ],
  async run(console, input) {
    if (input.wait) await checkWait(console);
    const {
      order: body,
      market,
      judging,
    } = await draftOrder(
      console,
      { ...input, farStop: farStopOf(console, input.farStop) },
      console.person.isInteractive,
    );
    const draftedAs = (order: CreateOrderRequest) => ({ order, market, judging });
    const plan =
      input.plan === undefined
        ? undefined
        : (await import('../../writes/apply-plan.ts')).planOfOrder(console, input.plan, body);
    let isAnswered = false;
    const request = { body };
    const sent = write(console, 'createOrder', request, {
      preview: async (asked) => [
        await orderPreview(console, draftedAs(asked.body)),
        ...(await otherLegs(console, body)).map((text) => line({ text, tone: 'warn' })),
        plan === undefined ? [] : line(`Once it has filled: ${plan.text}`),
      ],
      check: (asked) => checkFloors(console, draftedAs(asked.body)),
      taker: meetsBook(body) ? body : undefined,
      question: `Place ${body.type} ${body.side} ${quantity(body.size)} ${market.symbol}?`,
      done: async ({ data }) => {
        isAnswered = true;
        const result = await placed(console, data, input.wait);
        if (plan === undefined) return result;
        const { placedWithPlan } = await import('../../writes/apply-plan.ts');
        return placedWithPlan(console, result, plan);
      },
    });
    if (plan === undefined) return sent;
    return sent.catch((error: unknown) => {
      if (!isAnswered && factsOf(error).exit === exitCodes.outcomeUnknown)
        console.note(`Its plan is not in place. When the order is found: perp plan ${market.symbol} "${plan.text}"`);
      throw error;
    });
  },
});

/** Whether an order is certain to take from the book as soon as it is sent. */
function meetsBook({ type, marketable_limit_acknowledged: isAcknowledged }: CreateOrderRequest): boolean {
  return takesAtOnce(type) || (arrivalOf(type) === 'rests' && isAcknowledged === true);
}
