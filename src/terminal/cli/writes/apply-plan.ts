import { exitCodes } from '../../../base/failure/failure.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { counted, quantity } from '../../../base/text/format.ts';
import { exitPriceOf } from '../../../desk/account/means.ts';
import { dropUnseen, keepPlan, keepUnseen, keptPlan } from '../../../desk/guard/plans.ts';
import { plansInPlace } from '../../../desk/guard/plans-in-place.ts';
import { planNamed } from '../../../desk/guard/saved-plans.ts';
import type { Snapshot } from '../../../desk/preview/exit-plan.ts';
import { positionName } from '../../../desk/preview/exit-preview.ts';
import { type PlanLeg, planLegs, planOperations } from '../../../desk/preview/plan-legs.ts';
import { ofChosenAccount } from '../../../desk/resolve/account.ts';
import { beginPositions, resolvePosition } from '../../../desk/resolve/holdings.ts';
import { allMarkets } from '../../../desk/resolve/market.ts';
import { canceledBy } from '../../../desk/writes/exit-changes.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import type { ExitOperation, Position } from '../../../wire/contract/positions.ts';
import type { Console } from '../../console/console.ts';
import type { Result } from '../../console/output/result.ts';
import { guardWords } from '../preview/plan-words.ts';
import { changeExits } from './exit-changes.ts';

/** A position, and its account's working orders as read after it opened. */
export interface Filled {
  readonly found: Position;
  readonly working: readonly Order[] | undefined;
}

/** Runs `perp plan POSITION PLAN`; a position that was just read need not be looked up. */
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
