import { exitCodes, Failure, usageFailure } from '../../../base/failure/failure.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { isReduction, takesAtOnce } from '../../../base/terms/order-types.ts';
import { counted, quantity } from '../../../base/text/format.ts';
import { withPlace } from '../../../base/text/place-options.ts';
import { exitPriceOf } from '../../../desk/account/means.ts';
import { chargeOf, guardPlace } from '../../../desk/guard/place.ts';
import {
  dropUnseen,
  keepPlan,
  keepUnseen,
  keptPlan,
  planNamed,
  readPlans,
  seenPlans,
} from '../../../desk/guard/plans.ts';
import type { Snapshot } from '../../../desk/preview/exit-plan.ts';
import { type PlanLeg, planLegs, planOperations, positionName } from '../../../desk/preview/exit-preview.ts';
import { workingNow } from '../../../desk/reading/prospects.ts';
import { ofChosenAccount } from '../../../desk/resolve/account.ts';
import { beginPositions, resolvePosition } from '../../../desk/resolve/holdings.ts';
import { allMarkets } from '../../../desk/resolve/market.ts';
import type { Session } from '../../../desk/session/session.ts';
import { type ExitPlan, trailText } from '../../../desk/values/exit-plans.ts';
import { canceledBy } from '../../../desk/writes/exit-changes.ts';
import type { CreateOrderRequest, Order } from '../../../wire/contract/orders.ts';
import type { ExitOperation, Position } from '../../../wire/contract/positions.ts';
import type { Console } from '../../console/console.ts';
import { blank, line, type RecordResult, type Result, recordOf, shownBlocks } from '../../console/output/result.ts';
import { changeExits } from './exit-changes.ts';

/** A position, and its account's working orders as read after it opened. */
export interface Filled {
  readonly found: Position;
  readonly working: readonly Order[] | undefined;
}

/** Runs `perp plan POSITION PLAN`; a position that was just read isn't looked up again. */
export async function applyPlan(console: Console, input: { position: string | Filled; plan: string }): Promise<Result> {
  const plan = planNamed(console.variables, input.plan, 'PLAN');
  const { found, working } =
    typeof input.position === 'string' ? await positionOf(console, input.position) : input.position;
  const { file, isActive } = await plansInPlace(console);
  let legs: readonly PlanLeg[] = [];
  const needsGuard = plan.breakEven || plan.trail !== undefined;
  const says = ({ position, exits }: Snapshot, operations: readonly ExitOperation[]): string[] => {
    const former = canceledBy({ position, exits }, operations);
    const closed = legs.reduce((sum, { size }) => sum + size, 0);
    const left = Number((position.size - closed).toPrecision(14));
    return [
      ...former.map(
        (exit) => `Cancels the take-profit ${exit.id}: ${quantity(exit.size)} at ${quantity(exitPriceOf(exit))}.`,
      ),
      ...(left > 0 && legs.length > 0 ? [`${quantity(left)} ${position.symbol} has no target.`] : []),
      ...guardWords(plan, legs.length),
      ...(needsGuard ? [isActive ? 'A running guard will do it.' : notActive] : []),
    ];
  };
  const kept = ({ position, exits }: Snapshot) => keptPlan({ position, exits }, legs, plan);
  let isSent = false;
  const change = changeExits(console, found, {
    working,
    async plan(snapshot) {
      legs = await planLegs(console, snapshot, plan);
      return planOperations(snapshot, legs);
    },
    question: ({ position }) => `Place ${counted(legs.length, 'take-profit')} of ${positionName(position)}`,
    unchanged: ({ position }) => `${positionName(position)}: the plan places no order.`,
    says,
    computed: () => ({
      plan: { text: plan.text, targets: legs, guard: needsGuard ? (isActive ? 'active' : 'not_active') : null },
    }),
    sending(snapshot) {
      isSent = true;
      const own = kept(snapshot);
      if (own !== null) keepUnseen(file, { ...own, unseen: legs.map(({ price }) => price) });
    },
    done: (snapshot) => keepPlan(file, snapshot.position.id, kept(snapshot)),
  });
  return change.catch((error: unknown) => {
    if (!needsGuard || !isSent) throw error;
    if (factsOf(error).exit !== exitCodes.outcomeUnknown) dropUnseen(file, found.id);
    else
      console.note(
        'A guard runs the rest of the plan after its targets appear; perp plan list shows whether they have.',
      );
    throw error;
  });
}

async function positionOf(console: Console, text: string): Promise<Filled> {
  beginPositions(console);
  allMarkets(console).catch(() => {});
  return { found: ofChosenAccount(console, await resolvePosition(console, text)), working: undefined };
}

const notActive =
  'NOT ACTIVE: no guard runs plans. Add [plans] to its rules, and run perp guard. Until then, only the orders above act.';

/** The effect of each part of a plan, in a sentence. */
export function planWords({ targets, breakEven, trail }: ExitPlan): string[] {
  return [
    ...targets.map(({ text }, at) => {
      const [share, price] = text.split('@');
      return `Target ${at + 1}: ${share === 'rest' ? 'the rest' : share} of the position at ${price}, a reduce-only order.`;
    }),
    ...guardWords({ breakEven, trail }, targets.length),
  ];
}

/** The parts of a plan that a guard must carry out. */
function guardWords({ breakEven, trail }: Pick<ExitPlan, 'breakEven' | 'trail'>, targets: number): string[] {
  return [
    ...(breakEven ? ['After target 1, a guard moves the stop to the entry.'] : []),
    ...(trail === undefined
      ? []
      : [
          `${targets === 0 ? 'At once' : `After target ${targets}`}, a guard moves the stop behind the price, ${trailText(trail)} away.`,
        ]),
  ];
}

/**
 * Reads the current account's plans that need a guard, and whether one carries them out: it runs, and its rules have
 * `[plans]`.
 */
export async function plansInPlace(session: Session) {
  const { account, folder, files } = await guardPlace(session);
  const isActive = chargeOf(folder, account)?.plans === true;
  if (readPlans(files.plans).some(({ unseen }) => unseen !== undefined))
    seenPlans(files.plans, (await workingNow(session, account)) ?? []);
  return { file: files.plans, plans: readPlans(files.plans), isActive };
}

/** The plan of a position, by its id or symbol; undefined without one. */
export async function planInPlace(session: Session, position: string) {
  const { file, plans, isActive } = await plansInPlace(session);
  const wanted = position.toLowerCase();
  const plan = plans.findLast(({ position_id, symbol }) =>
    [position_id, symbol].some((one) => one.toLowerCase() === wanted),
  );
  return plan === undefined ? undefined : { file, plan, isActive };
}

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
