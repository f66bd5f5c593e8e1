import { jsonText } from '../../ground/text/plain-text.ts';
import type { Session } from '../session/session.ts';
import { runExec } from './exec.ts';
import type { GuardEvent } from './reporter.ts';

/** Number of programs that may run at the same time. */
const maxPrograms = 4;

/** The alert programs that are running. */
export class Alerts {
  readonly #session: Session;
  readonly #program: readonly string[] | null;
  readonly #running = new Map<string, Promise<void>>();

  constructor(session: Session, program: readonly string[] | null) {
    this.#session = session;
    this.#program = program;
  }

  get hasProgram(): boolean {
    return this.#program !== null;
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Whether another program may be started for this key. */
  isFree(key: string): boolean {
    return !this.#running.has(key) && this.#running.size < maxPrograms;
  }

  /** Starts the program with an alert; `ended` receives what went wrong, if anything did. */
  start(key: string, alert: GuardEvent & { repeated: boolean }, ended: (trouble: string | undefined) => void): void {
    if (this.#program === null) return;
    const { variables, stage } = this.#session.machine;
    const input = `${jsonText(alert)}\n`;
    const run = stage === undefined ? runExec(this.#program, input, variables) : stage.run(this.#program, input);
    const settle = (trouble: string | undefined) => {
      this.#running.delete(key);
      ended(trouble);
    };
    this.#running.set(
      key,
      run.then(settle, (error: unknown) => settle(error instanceof Error ? error.message : String(error))),
    );
  }

  /** Resolves when the programs that are running now have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}
