import { workingNow } from '../reading/prospects.ts';
import type { Session } from '../session/session.ts';
import { chargeOf } from './charge.ts';
import { guardPlace } from './place.ts';
import { type KeptPlan, readPlans, seenPlans } from './plans.ts';

/** The plans of the current account that a guard has to do, and whether one does. */
export interface PlansInPlace {
  readonly file: string;
  readonly plans: readonly KeptPlan[];
  /** A guard runs, and its rules have `[plans]`. */
  readonly isActive: boolean;
}

/** Reads what of the account's plans a guard has to do. */
export async function plansInPlace(session: Session): Promise<PlansInPlace> {
  const { account, folder, files } = await guardPlace(session);
  const isActive = chargeOf(folder, account)?.plans === true;
  const plans = readPlans(files.plans);
  if (plans.some(({ unseen }) => unseen !== undefined))
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
