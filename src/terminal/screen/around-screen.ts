import { type ExitCode, exitCodes, Failure } from '../../base/failure/failure.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import { NewAlarms } from '../../desk/watch/new-alarms.ts';
import type { Console } from '../console/console.ts';
import type { Result } from '../console/output/result.ts';
import type { RawTerminal } from '../console/terminal/raw-terminal.ts';
import { whereNow } from '../console/where.ts';
import type { Deck } from './deck.ts';
import type { ScreenGuide, ScreenView } from './view.ts';
import { WaitingApprovals } from './waiting-approvals.ts';

/** How a live screen begins and ends. */
export interface LiveOptions {
  readonly forMs: number | undefined;
  readonly ladder?: ScreenView['ladder'];
  /** The layout with which it was left; trading keys are off. */
  readonly layout?: ScreenView['ladder'] | undefined;
  /** The screen is being left like this. */
  left?(view: ScreenView): void;
  /** Leads the user. */
  readonly guide?: ScreenGuide;
  /** The control that moves the clock. */
  readonly deck?: Deck;
}

/** Waits for the end, closes, and reports how it ended; a write in progress may have an unknown outcome. */
export async function resultOf(ended: Promise<void>, close: () => Promise<ExitCode | undefined>): Promise<Result> {
  try {
    await ended;
    return { kind: 'text', text: '', exit: (await close()) ?? exitCodes.done };
  } catch (error) {
    const unknown = await close();
    if (!(error instanceof Failure) || error.facts.code !== 'interrupted') throw error;
    return { kind: 'text', text: '', exit: unknown ?? exitCodes.interrupted };
  }
}

/** Calls `act` with the reason once the signal is aborted, at once if it is already. */
export function whenAborted(signal: AbortSignal, act: (reason: unknown) => void): void {
  if (signal.aborted) act(signal.reason);
  else signal.addEventListener('abort', () => act(signal.reason), { once: true });
}

/** Where a screen trades, its local times, and the approvals that wait there. */
export function settingOf(console: Console) {
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
  const isHost = console.settings.environment !== 'sim';
  const place = (account: string | undefined) => whereNow(console, account);
  return { place, isHost, localTime: (ms: number) => clock.format(ms), approvals: new WaitingApprovals(console) };
}

/** Rings the terminal's bell once for each alarm of any account. */
export class Bell {
  readonly #terminal: RawTerminal;
  readonly #alarms = new NewAlarms();
  /** The waiting requests for which it has already rung. */
  readonly #waiting = new Set<string>();

  constructor(terminal: RawTerminal) {
    this.#terminal = terminal;
  }

  /** Whether there is an alarm for which it has not rung. */
  isDue(model: LiveModel): boolean {
    return this.#alarms.areDue(model.accounts.values(), model);
  }

  /** Looks for new alarms, and for what began to wait for the user; several at once ring once. */
  look(model: LiveModel, waiting: readonly string[] = []): void {
    const isNew = this.#alarms.tell(model.accounts.values(), model);
    const begun = waiting.filter((id) => !this.#waiting.has(id));
    for (const id of begun) this.#waiting.add(id);
    if (isNew || begun.length > 0) this.ring();
  }

  ring(): void {
    this.#terminal.write('\u0007');
  }
}
