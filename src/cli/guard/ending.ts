import { realOutside } from '../../client/streams/backoff.ts';
import type { Context } from '../context/context.ts';
import type { Alerts } from './alerts.ts';
import type { Task } from './guard-state.ts';
import { pause } from './pause.ts';
import type { Reporter } from './reporter.ts';

/** How long an alert program may delay the end of a guard that was stopped, and of one that ends by itself, ms. */
const stoppedMs = 1_500;
const endedMs = 10_000;

interface Ending {
  reporter: Reporter;
  alerts: Alerts;
  says: string;
  facts: object;
}

/** Reports that the guard ends, as a line and to the alert program, which goes on if it takes longer. */
export async function tellEnding(context: Context, { reporter, alerts, says, facts }: Ending): Promise<void> {
  const task: Task = {
    key: `end@${reporter.now}`,
    rule: 'guard',
    time: reporter.now,
    says,
    facts: { ...facts },
    steps: [],
  };
  reporter.fired(task);
  if (!alerts.hasProgram) return;
  const timers = context.outside.stage?.timers ?? realOutside;
  const told = new AbortController();
  alerts.start(task.key, { ...reporter.recordOf(task), repeated: false }, (trouble) => {
    if (trouble !== undefined) reporter.execFailed(task, trouble);
    told.abort();
  });
  await pause(timers, context.signal.aborted ? stoppedMs : endedMs, told.signal);
}
