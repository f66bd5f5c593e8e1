import { join } from 'node:path';
import { Failure, notFoundFailure, usageFailure } from '../../base/failure/failure.ts';
import { configFolder, type Variables } from '../../base/files/folders.ts';
import { readRegularFile } from '../../base/files/private-files.ts';
import { changeFile } from '../../base/files/shared-file.ts';
import { quoted } from '../../base/text/plain-text.ts';
import { type ExitPlan, parseExitPlan } from '../values/exit-plans.ts';

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
