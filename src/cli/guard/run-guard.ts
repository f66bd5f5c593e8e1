import { existsSync } from 'node:fs';
import { splitWords } from '../batch/split.ts';
import type { Context } from '../context/context.ts';
import { exitCodes } from '../failure/exit-codes.ts';
import { Failure, usageFailure } from '../failure/failure.ts';
import { destinationText } from '../intents/destination.ts';
import type { Result } from '../output/result.ts';
import { counted } from '../text/format.ts';
import { takeCharge } from './charge.ts';
import { Guard } from './guard.ts';
import { freshState, readState } from './guard-state.ts';
import { type GuardPlace, guardPlace } from './place.ts';
import { Reporter } from './reporter.ts';
import { parseExec, readRules, ruleOf, rulesFile } from './rule-file.ts';
import type { Rule, Rules } from './rules.ts';

/** The input of `perp guard`. */
interface GuardInput {
  rules: string | undefined;
  trail: string | undefined;
  heartbeat: string | undefined;
  maxAge: string | undefined;
  exec: string | undefined;
  once: boolean;
}

/** Runs a guard, once or until Ctrl-C. */
export async function runGuard(context: Context, input: GuardInput): Promise<Result> {
  const { settings, outside } = context;
  const place = await guardPlace(context);
  const rules = rulesOf(context, input, place.account);
  using _ = settings.dryRun ? undefined : takeCharge(place.folder, place.account, outside.now());
  const guard = new Guard({
    context,
    rules,
    ...place,
    place: place.folder.split(/[\\/]/).at(-1)!,
    state: stateOf(context, place),
    reporter: new Reporter(context, place.account),
    monotonic: () => performance.now(),
  });
  if (input.once) {
    await guard.once();
    return { kind: 'text', text: '', exit: guard.unfinished > 0 ? exitCodes.incomplete : exitCodes.done };
  }
  const where = destinationText((await context.connection()).destination, place.account);
  context.note(`Guarding ${where}, ${counted(rules.rules.length, 'rule')}. Ctrl-C stops it.`);
  // Awaited, because the charge ends with this block.
  return await watch(context, guard);
}

async function watch(context: Context, guard: Guard): Promise<Result> {
  try {
    await guard.run();
  } catch (error) {
    const { reason } = context.signal;
    if (!context.signal.aborted || !(reason instanceof Failure)) throw error;
    const exit = reason.facts.code === 'terminated' ? exitCodes.done : exitCodes.interrupted;
    return { kind: 'text', text: '', exit };
  }
  return { kind: 'text', text: '' };
}

/** Rules from the file, if it exists or is given, and from the options. */
function rulesOf(context: Context, input: GuardInput, account: string): Rules {
  const file = rulesFile(context.variables, input.rules);
  const own = ownRules(input);
  const isAlone = input.rules === undefined && own.length > 0 && !existsSync(file);
  const rules: Rules = isAlone ? { zone: 'America/New_York', exec: null, rules: [] } : rulesFor(account, file);
  const exec = input.exec === undefined ? rules.exec : parseExec(splitWords(input.exec), '--exec');
  const all = [...rules.rules, ...own.filter(({ id }) => rules.rules.every((rule) => rule.id !== id))];
  if (all.length === 0)
    throw usageFailure(`${file} contains no rules.`, 'perp guard init writes a file with examples.');
  return { ...rules, exec, rules: all };
}

function ownRules({ trail, heartbeat, maxAge }: GuardInput): Rule[] {
  if (heartbeat === undefined && maxAge !== undefined) throw usageFailure('--max-age needs --heartbeat FILE.');
  const label = (field: string) => (field === 'by' ? '--trail' : field === 'file' ? '--heartbeat' : `--${field}`);
  return [
    ...(trail === undefined ? [] : [ruleOf('trail', { by: trail }, { label })]),
    ...(heartbeat === undefined
      ? []
      : [ruleOf('heartbeat', { file: heartbeat, 'max-age': maxAge ?? '60s' }, { label })]),
  ];
}

function stateOf(context: Context, { files }: GuardPlace) {
  if (context.settings.dryRun) return freshState;
  return readState(files.state, (aside) =>
    context.io.err(`The guard's state was damaged; it is now ${aside}, and the guard starts over.\n`),
  );
}

/** Rules for this account; refuses those for another account. */
function rulesFor(account: string, file: string): Rules {
  const rules = readRules(file);
  if (rules.account === undefined || rules.account === account) return rules;
  throw usageFailure(
    `${file} is for account ${rules.account}, not ${account}.`,
    `Add --account ${rules.account}, or name another file with --rules.`,
  );
}
