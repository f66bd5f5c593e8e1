import { existsSync } from 'node:fs';
import { uptime } from 'node:os';
import { type ExitCode, exitCodes, Failure, usageFailure } from '../../../base/failure/failure.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { realTiming } from '../../../base/sockets/timing.ts';
import { counted, dateTime } from '../../../base/text/format.ts';
import { jsonText } from '../../../base/text/plain-text.ts';
import { Alerts, reportEnding, tell } from '../../../desk/guard/alerts.ts';
import { Guard } from '../../../desk/guard/guard.ts';
import { freshState, type GuardState, Heartbeats, readState } from '../../../desk/guard/guard-state.ts';
import { findPlace, type GuardPlace, takeCharge } from '../../../desk/guard/place.ts';
import { type GuardEvent, Reporter } from '../../../desk/guard/reporter.ts';
import { parseExec, readRules, ruleOf, rulesFile } from '../../../desk/guard/rule-file.ts';
import { namedBy, needsOf, type Rule, type Rules } from '../../../desk/guard/rules.ts';
import { destinationText } from '../../../desk/intents/note.ts';
import { splitWords } from '../../../desk/values/split.ts';
import type { Console } from '../../console/console.ts';
import { csvPrinter } from '../../console/output/csv.ts';
import type { Result, Tone } from '../../console/output/result.ts';

/** The input of `perp guard`. */
interface GuardInput {
  rules: string | undefined;
  trail: string | undefined;
  heartbeat: string | undefined;
  maxAge: string | undefined;
  exec: string | undefined;
  once: boolean;
}

/** A guard that was away for longer than this starts to count the time of heartbeats anew, ms. */
const awayMs = 60_000;

/**
 * Runs a guard, once or until Ctrl-C. No matter how it ends, the alert program is notified, unless a single check ends
 * well.
 */
export async function runGuard(console: Console, input: GuardInput): Promise<Result> {
  const reporter = new Reporter(console.machine.now, printerOf(console));
  let alerts = new Alerts(console, input.exec === undefined ? null : execOf(input.exec));
  // A full disk or a closed terminal must not end the protection.
  console.io.outlives?.();
  // From here on, Ctrl-C and SIGTERM are handled.
  const { signal } = console;
  const end = async (exit: ExitCode, says: string, facts: object) => {
    // A single check that can't read has reported that, once.
    if (input.once && (exit === exitCodes.done || reporter.hasToldBlindness)) return;
    await reportEnding(console, { reporter, alerts, says, facts: { exit, ...facts } });
  };
  try {
    const rules = rulesOf(console, input);
    alerts = new Alerts(console, rules.exec);
    const exit = await guardWith(console, input, { rules, reporter, alerts });
    const unread = exit === exitCodes.done ? '' : ', and the fills that ended it could not be read';
    if (!input.once) await end(exit, `The guard has ended: the account can no longer trade${unread}`, {});
    return { kind: 'text', text: '', exit };
  } catch (error) {
    const isStopped = signal.aborted && signal.reason instanceof Failure;
    const { exit, code, message } = factsOf(isStopped ? signal.reason : error);
    const words = isStopped ? message : `The guard has ended: ${message}`;
    await end(exit, `${words.replace(/\.$/, '')}. Nothing is guarded until it runs again`, { code });
    if (!isStopped) throw error;
    return { kind: 'text', text: '', exit };
  }
}

interface Parts {
  rules: Rules;
  reporter: Reporter;
  alerts: Alerts;
}

async function guardWith(console: Console, input: GuardInput, parts: Parts): Promise<ExitCode> {
  const { settings, outside } = console;
  const { rules, reporter } = parts;
  const timers = outside.stage?.timers ?? realTiming;
  const place = await findPlace(console, { ...parts, timers, isOnce: input.once });
  reporter.account = place.account;
  refuseOther(console, input, rules, place.account);
  const uncharged = (why: string) => console.io.err(`${why}\n`);
  const own = { now: outside.now(), plans: needsOf(rules).has('plans') };
  using _ = settings.dryRun ? undefined : takeCharge(place.folder, place.account, own, uncharged);
  const state = stateOf(console, parts, place);
  const guard = new Guard({
    ...{ session: console, ...parts, ...place, state, timers },
    place: place.folder.split(/[\\/]/).at(-1)!,
    heartbeats: heartbeatsOf(console, input, rules, state),
    isOnce: input.once,
  });
  if (input.once) {
    const isKnown = await guard.once();
    return isKnown && guard.unfinished === 0 ? exitCodes.done : exitCodes.incomplete;
  }
  const where = destinationText((await console.access()).destination, place.account);
  console.note(`Guarding ${where}, ${counted(rules.rules.length, 'rule')}. Ctrl-C stops it.`);
  // Awaited, because the charge ends with this block.
  return (await guard.run()) ? exitCodes.done : exitCodes.incomplete;
}

/** Rules from the file, if it exists or is given, and from the options. */
function rulesOf(console: Console, input: GuardInput): Rules {
  const file = rulesFile(console.variables, input.rules);
  const own = ownRules(input);
  const isAlone = input.rules === undefined && own.length > 0 && !existsSync(file);
  const rules: Rules = isAlone ? { zone: 'America/New_York', exec: null, rules: [] } : readRules(file);
  const exec = input.exec === undefined ? rules.exec : execOf(input.exec);
  const all = [...rules.rules, ...own.filter(({ id }) => rules.rules.every((rule) => rule.id !== id))];
  if (all.length === 0)
    throw usageFailure(`${file} contains no rules.`, 'Remove the # from the examples that you want, or add a rule.');
  return { ...rules, exec, rules: all };
}

function execOf(command: string): readonly string[] {
  return parseExec(splitWords(command), '--exec');
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

/** A single check continues from the one before it; a running guard only from one that has just ended. */
function heartbeatsOf({ outside }: Console, { once }: GuardInput, { rules }: Rules, state: GuardState): Heartbeats {
  const timers = outside.stage?.timers ?? realTiming;
  const clocks = {
    monotonic: () => timers.uptime(),
    uptime: () => (outside.stage === undefined ? uptime() * 1_000 : timers.uptime()),
  };
  const files = rules.flatMap((rule) => namedBy(rule, 'file'));
  const known = Object.entries(state.heartbeats ?? {}).filter(([file, { at }]) => {
    const isRecent = at <= clocks.uptime() && clocks.uptime() - at <= awayMs;
    return files.includes(file) && (once || isRecent);
  });
  return new Heartbeats(files, Object.fromEntries(known), clocks);
}

/** The state on disk; a damaged one is an alert, because the actions in it aren't done. */
function stateOf(console: Console, { reporter, alerts }: Parts, { files }: GuardPlace): GuardState {
  if (console.settings.dryRun) return freshState;
  return readState(files.state, (aside) => {
    const says = `The guard's state was damaged; it is now ${aside}, so the guard starts over without its unfinished steps`;
    tell({ reporter, alerts, word: 'damaged', says });
  });
}

/** Refuses rules for another account. */
function refuseOther(console: Console, input: GuardInput, rules: Rules, account: string): void {
  if (rules.account === undefined || rules.account === account) return;
  throw usageFailure(
    `${rulesFile(console.variables, input.rules)} is for account ${rules.account}, not ${account}.`,
    `Add --account ${rules.account}, or name another file with --rules.`,
  );
}

const csvFields = ['time', 'event', 'rule', 'says', 'key', 'account_id'] as const;

const tones: Readonly<Record<GuardEvent['event'], Tone | undefined>> = {
  fired: 'warn',
  did: 'good',
  not_done: 'bad',
  stop_moved: undefined,
  stop_not_moved: 'bad',
  blind: 'bad',
  sees: undefined,
  another_run: 'warn',
  alert_failed: 'bad',
};

/** Prints what a guard does, one line each in every format, and rings the bell when a rule fires. */
function printerOf({ io, settings, palette }: Console): (event: GuardEvent) => void {
  const printRow = csvPrinter(io.out, csvFields);
  return (event) => {
    if (settings.output === 'table') {
      const tone = tones[event.event];
      const time = palette({ text: dateTime(event.time), tone: 'faint' });
      const steps = event.event === 'fired' && event.steps!.length > 0 ? `; now: ${event.steps!.join(', ')}` : '';
      const says = palette(tone === undefined ? event.says : { text: event.says, tone });
      io.out(`${time}  ${says}${steps}\n`);
    } else if (settings.output === 'csv') printRow(event);
    else io.out(`${jsonText(event)}\n`);
    if (event.event === 'fired' && io.stderrIsTerminal && !settings.quiet) io.err('\x07');
  };
}
