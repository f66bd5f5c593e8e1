import { exitCodes } from '../../../base/failure/failure.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { counted, quantity } from '../../../base/text/format.ts';
import { exitPriceOf } from '../../../desk/account/means.ts';
import { chargeOf, guardPlace } from '../../../desk/guard/place.ts';
import {
  dropUnseen,
  type KeptPlan,
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
import type { Order } from '../../../wire/contract/orders.ts';
import type { ExitOperation, Position } from '../../../wire/contract/positions.ts';
import type { Console } from '../../console/console.ts';
import type { Result } from '../../console/output/result.ts';
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

/** The current account's plans that need a guard, and whether one carries them out. */
interface PlansInPlace {
  readonly file: string;
  readonly plans: readonly KeptPlan[];
  /** A guard runs, and its rules have `[plans]`. */
  readonly isActive: boolean;
}

/** Reads the parts of the account's plans that need a guard. */
export async function plansInPlace(session: Session): Promise<PlansInPlace> {
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
