import { realTiming } from '../../sockets/timing.ts';
import type { Session } from '../session/session.ts';
import type { Alerts } from './alerts.ts';
import type { Task } from './guard-state.ts';
import { pause, type Reporter } from './reporter.ts';

/** How long an alert program may delay the end of a guard that was stopped, and of one that ends by itself, ms. */
const stoppedMs = 1_500;
const endedMs = 10_000;

interface Telling {
  reporter: Reporter;
  alerts: Alerts;
  /** Begins the key of the alert. */
  word: string;
  says: string;
  facts?: object;
}

/** Reports something of the guard itself, which no rule has fired, as a line and to the alert program. */
export function tell({ reporter, alerts, word, says, facts = {} }: Telling, told = () => {}): void {
  const key = `${word}@${reporter.now}`;
  const task: Task = { key, rule: 'guard', time: reporter.now, says, facts: { ...facts }, steps: [] };
  reporter.fired(task);
  alerts.start(key, { ...reporter.recordOf(task), repeated: false }, (trouble) => {
    if (trouble !== undefined) reporter.execFailed(task, trouble);
    told();
  });
}

/** Reports that the guard ends; the alert program goes on if it takes longer. */
export async function tellEnding(session: Session, ending: Omit<Telling, 'word'>): Promise<void> {
  const timers = session.machine.stage?.timers ?? realTiming;
  const told = new AbortController();
  tell({ ...ending, word: 'end' }, () => told.abort());
  if (ending.alerts.hasProgram) await pause(timers, session.signal.aborted ? stoppedMs : endedMs, told.signal);
}
