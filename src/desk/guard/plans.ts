import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, notFoundFailure, usageFailure } from '../../base/failure/failure.ts';
import { configFolder, type Variables } from '../../base/files/folders.ts';
import { readRegularFile } from '../../base/files/private-files.ts';
import { changeFile } from '../../base/files/shared-file.ts';
import { exitGroupOf } from '../../base/terms/order-types.ts';
import { quoted } from '../../base/text/plain-text.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { exitPriceOf } from '../account/means.ts';
import type { Snapshot } from '../preview/exit-plan.ts';
import type { PlanLeg } from '../preview/exit-preview.ts';
import { type ExitPlan, parseExitPlan } from '../values/exit-plans.ts';

/** A percentage, or an absolute amount: USD of a loss, or a distance in the market's price. */
export interface Amount {
  unit: 'percent' | 'absolute';
  amount: number;
}

/** The guard's part of an exit plan: it is on disk, so it outlives the guard and perp itself. */
export interface KeptPlan {
  readonly position_id: string;
  readonly symbol: string;
  /** The plan as written. */
  readonly text: string;
  /** The position and its targets when the plan was made, base asset. */
  readonly size: number;
  readonly targets: readonly number[];
  /** Once the first target has filled, the stop goes to the entry. */
  readonly breakEven: boolean;
  /** Once all targets have filled, the stop follows the price. */
  readonly trail?: Amount | undefined;
  /** The prices of its targets, until their orders have been seen: before that, a guard does nothing with it. */
  readonly unseen?: readonly number[] | undefined;
}

/** The plans of an account that a guard carries out; empty if the file can't be read. */
export function readPlans(file: string): readonly KeptPlan[] {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(kept) ? kept.filter(isPlan) : [];
  } catch {
    return [];
  }
}

function isPlan(value: unknown): value is KeptPlan {
  const { position_id, symbol, text, size, targets, trail, unseen } = (value ?? {}) as Partial<KeptPlan>;
  return (
    [position_id, symbol, text].every((one) => typeof one === 'string') &&
    Number.isFinite(size) &&
    Array.isArray(targets) &&
    targets.every(Number.isFinite) &&
    (unseen === undefined || (Array.isArray(unseen) && unseen.every(Number.isFinite))) &&
    (trail === undefined || (Number.isFinite(trail.amount) && trail.amount > 0))
  );
}

/** Stores a plan whose targets are about to be sent, beside an earlier one of its position. */
export function keepUnseen(file: string, plan: KeptPlan): void {
  changeFile({ file }, (write) => write(JSON.stringify([...withoutUnseen(file, plan.position_id), plan])));
}

/** Removes a plan whose targets were not placed. */
export function dropUnseen(file: string, positionId: string): void {
  changeFile({ file }, (write) => write(JSON.stringify(withoutUnseen(file, positionId))));
}

function withoutUnseen(file: string, positionId: string): KeptPlan[] {
  return readPlans(file).filter(({ position_id, unseen }) => position_id !== positionId || unseen === undefined);
}

/**
 * The plans of an account, as far as their targets were seen. One whose outcome was unknown takes effect when all of
 * its targets work, and then replaces an earlier one; that is written down.
 */
export function seenPlans(file: string, working: readonly Order[]): readonly KeptPlan[] {
  for (const plan of readPlans(file)) {
    const { position_id: id, targets, unseen, ...rest } = plan;
    if (unseen === undefined) continue;
    const exits = working.filter(({ target_position_id: of, mode }) => of === id && exitGroupOf(mode) === 'tp');
    const isThere = (size: number, at: number) =>
      exits.some((exit) => (exit.initial_size ?? exit.size) === size && exitPriceOf(exit) === unseen[at]);
    if (targets.every(isThere)) keepPlan(file, id, { position_id: id, targets, ...rest });
  }
  return readPlans(file).filter(({ unseen }) => unseen === undefined);
}

/** Stores a plan in place of earlier ones of its position; null only removes those. */
export function keepPlan(file: string, positionId: string, plan: KeptPlan | null): void {
  const of = ({ position_id }: KeptPlan) => position_id === positionId;
  if (plan === null && !readPlans(file).some(of)) return;
  changeFile({ file }, (write) => {
    const others = readPlans(file).filter((kept) => !of(kept));
    write(JSON.stringify(plan === null ? others : [...others, plan]));
  });
}

/** Sizes are equal up to binary noise. */
const noise = 1e-9;

/**
 * A plan's current requirement for its position's stop; undefined if there is none yet, or no longer. A target has
 * filled once its order no longer works and the position is smaller by its size. If a position has grown since, the
 * plan requires nothing: it wasn't made for it.
 */
export function aimOf(plan: KeptPlan, position: Position, working: readonly Order[]) {
  const { size, targets, breakEven, trail } = plan;
  const slack = size * noise;
  if (position.size > size + slack) return undefined;
  const left = working.filter(
    ({ target_position_id: id, mode }) => id === position.id && exitGroupOf(mode) === 'tp',
  ).length;
  const hasFilled = (count: number) => {
    const closed = targets.slice(0, count).reduce((sum, one) => sum + one, 0);
    return left <= targets.length - count && position.size <= size - closed + slack;
  };
  const isFirst = breakEven && targets.length > 0 && hasFilled(1);
  const isLast = trail !== undefined && hasFilled(targets.length);
  return isFirst || isLast ? { breakEven: isFirst, trail: isLast ? trail : undefined } : undefined;
}

/** The parts of a plan that a guard must carry out; null if there are none. */
export function keptPlan({ position }: Snapshot, legs: readonly PlanLeg[], plan: ExitPlan): KeptPlan | null {
  const { breakEven, trail, text } = plan;
  if (!breakEven && trail === undefined) return null;
  const { id: position_id, symbol, size } = position;
  return { position_id, symbol, text, size, targets: legs.map((leg) => leg.size), breakEven, trail };
}

/** Exit plans by the names under which they were saved, as typed. */
export type SavedPlans = Readonly<Record<string, string>>;

const nameForm = /^[a-z][a-z0-9-]{0,31}$/;

function fileIn(variables: Variables): string {
  return join(configFolder(variables), 'plans.json');
}

/** The saved plans; a failure if their file can't be read, because rewriting it would lose them. */
export function savedPlans(variables: Variables): SavedPlans {
  const file = fileIn(variables);
  try {
    const kept: unknown = JSON.parse(readRegularFile(file, 1 << 20).text);
    if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) throw new Error('it is not an object');
    const named = Object.entries(kept).filter(([name, text]) => nameForm.test(name) && typeof text === 'string');
    return Object.fromEntries(named) as SavedPlans;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    const message = `The saved plans in ${file} can't be read: ${(error as Error).message}.`;
    throw new Failure({ code: 'plans', message, hint: 'Fix or remove that file.' });
  }
}

/** Saves a plan under a name; says what was saved under it before. */
export function savePlan(variables: Variables, name: string, text: string): { plan: ExitPlan; before: string | null } {
  if (!nameForm.test(name))
    throw usageFailure(`${quoted(name)} can't name a plan.`, 'Write up to 32 of a-z, 0-9 and -, such as scalp.');
  const plan = parseExitPlan(text, 'PLAN');
  return changeFile({ file: fileIn(variables), followsLinks: true }, (write) => {
    const saved = savedPlans(variables);
    write(`${JSON.stringify({ ...saved, [name]: plan.text }, null, 2)}\n`);
    return { plan, before: Object.hasOwn(saved, name) ? saved[name]! : null };
  });
}

/** Removes a saved plan; false if there is none of this name. */
export function removePlan(variables: Variables, name: string): boolean {
  return changeFile({ file: fileIn(variables), followsLinks: true }, (write) => {
    const { [name]: known, ...others } = savedPlans(variables);
    if (known === undefined) return false;
    write(`${JSON.stringify(others, null, 2)}\n`);
    return true;
  });
}

/** A plan as typed, or a saved one by its name. */
export function planNamed(variables: Variables, text: string, label: string): ExitPlan {
  if (!nameForm.test(text)) return parseExitPlan(text, label);
  const saved = savedPlans(variables);
  if (Object.hasOwn(saved, text)) return parseExitPlan(saved[text]!, `plan ${text}`);
  throw notFoundFailure(
    `There is no saved plan ${text}.`,
    `perp plan list shows them; perp plan set ${text} "1/3@1R rest@2R" creates it.`,
  );
}
