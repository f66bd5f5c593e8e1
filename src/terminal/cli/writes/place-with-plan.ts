import { exitCodes, Failure, usageFailure } from '../../../base/failure/failure.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { isReduction, takesAtOnce } from '../../../base/terms/order-types.ts';
import { withPlace } from '../../../base/text/place-options.ts';
import { planNamed } from '../../../desk/guard/saved-plans.ts';
import type { ExitPlan } from '../../../desk/values/exit-plans.ts';
import type { CreateOrderRequest, Order } from '../../../wire/contract/orders.ts';
import type { Console } from '../../console/console.ts';
import { blank, line, type RecordResult, type Result, recordOf, shownBlocks } from '../../console/output/result.ts';
import { applyPlan } from './apply-plan.ts';

/** The plan of an order that may have one: checked before anything is sent. */
export function planOfOrder(console: Console, text: string, body: CreateOrderRequest): ExitPlan {
  const plan = planNamed(console.variables, text, '--plan');
  if (isReduction(body))
    throw usageFailure('--plan is for an order that opens a position.', 'Omit --plan or --reduce-only.');
  if (!takesAtOnce(body.type))
    throw usageFailure(
      `--plan needs a position, and a ${body.type} order may fill later.`,
      'Omit --plan, and use perp plan once the order has filled.',
    );
  if (console.settings.idempotencyKey !== undefined)
    throw usageFailure(
      '--plan sends a second write, so one --idempotency-key is not enough.',
      'Use perp plan afterwards.',
    );
  return plan;
}

/** Applies a plan to the position of a filled order as perp plan does, with its own preview and question. */
export async function placedWithPlan(console: Console, placed: Result, plan: ExitPlan): Promise<Result> {
  const order = (placed as RecordResult).record as Order;
  if (order.status !== 'filled')
    return noted(console, placed, order, `The order has not filled, so its plan was not applied`, plan);
  try {
    const query = { account_id: order.account_id };
    const [{ data: open }, { data: working }] = await Promise.all([
      console.call('listOpenPositions', { query }),
      console.call('listOrders', { query: { ...query, status: 'working' } }),
    ]);
    const found = open.find(({ market_id }) => market_id === order.market_id);
    if (found === undefined)
      return noted(console, placed, order, 'No position is open, so the plan was not applied', plan);
    return joined(placed, await applyPlan(console, { position: { found, working }, plan: plan.text }));
  } catch (error) {
    console.signal.throwIfAborted();
    if (!(error instanceof Failure) && (error as Error).name !== 'ApiError') throw error;
    const { exit, message, hint = '' } = factsOf(error);
    // The plan may be in place.
    if (exit === exitCodes.outcomeUnknown) throw error;
    return noted(
      console,
      placed,
      order,
      `The order has filled, but its plan was not applied: ${message} ${hint}`.trim(),
      plan,
    );
  }
}

/** The order stands; the plan does not. */
function noted(console: Console, placed: Result, { symbol }: Order, text: string, plan: ExitPlan): Result {
  const next = withPlace(`Next: perp plan ${symbol} "${plan.text}"`, console.settings);
  const { record, blocks } = placed as RecordResult;
  return recordOf(
    { ...(record as object), plan: null },
    () => [blocks(), line({ text: `${text.replace(/\.$/, '')}.`, tone: 'warn' }), line({ text: next, tone: 'strong' })],
    exitCodes.incomplete,
  );
}

function joined(placed: Result, planned: Result): Result {
  const { record, blocks, exit } = placed as RecordResult;
  const after = planned as RecordResult;
  // The destination of a write is its last line, and the order has its own.
  const own = () => (after.isOfWrite === true ? shownBlocks(after.blocks()).slice(0, -1) : after.blocks());
  return recordOf({ ...(record as object), plan: after.record }, () => [blocks(), blank, own()], planned.exit ?? exit);
}
