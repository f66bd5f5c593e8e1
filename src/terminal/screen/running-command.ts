import { type ExitCode, exitCodes } from '../../base/failure/failure.ts';
import type { CreateOrderRequest } from '../../wire/contract/orders.ts';
import type { Console } from '../console/console.ts';
import { runOnScreen, type ScreenTerminal } from './run-on-screen.ts';
import type { Dialog } from './view.ts';

/** Runs one line of the live screen: prints, asks, and returns the exit status. */
export type Runner = (
  console: Console,
  line: string,
  account: string | undefined,
  terminal: ScreenTerminal,
) => Promise<ExitCode>;

/** The command that is running on the live screen; only one at a time. */
export class ScreenCommands {
  readonly #console: Console;
  readonly #show: (dialog: Dialog | undefined) => void;
  #running: Promise<ExitCode> | undefined;
  #answer: ((answer: string) => void) | undefined;
  #output = '';
  /** The order that is asked about. */
  #order: CreateOrderRequest | undefined;
  #isOver = false;

  /** `show` puts the dialog on the screen. */
  constructor(console: Console, show: (dialog: Dialog | undefined) => void) {
    this.#console = console;
    this.#show = show;
  }

  /** No command is in progress. */
  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /**
   * Starts a command; its preview, question and result appear in the dialog. `runner`: in place of a command of perp.
   */
  run(text: string, account: string | undefined, columns: number, runner: Runner = runOnScreen): void {
    if (this.#running !== undefined) return;
    this.#output = '';
    this.#order = undefined;
    this.#running = runner(this.#console, text, account, {
      columns,
      print: (printed) => {
        this.#output += printed;
        this.#show({ stage: 'running', text, output: this.#output });
      },
      ask: async (question) => (await this.#ask(text, question)) === 'y',
      askLine: (question) => this.#ask(text, question, ''),
      propose: (order) => {
        this.#order = order;
      },
    });
    void this.#running.then((exit) => {
      if (this.#isOver) return;
      this.#running = undefined;
      const isSilent = runner !== runOnScreen && exit === exitCodes.done;
      this.#show(isSilent ? undefined : { stage: 'done', text, output: this.#output });
    });
  }

  /**
   * Runs a complete command of armed keys, without a dialog: every question has the mandate's answer. Resolves with
   * what it printed; undefined if another command is in progress.
   */
  async runArmed(
    text: string,
    account: string | undefined,
    mandate: { isArmed(): boolean; refuse: NonNullable<ScreenTerminal['refuse']> },
  ): Promise<{ printed: string; exit: ExitCode } | undefined> {
    if (this.#running !== undefined || this.#isOver) return undefined;
    this.#output = '';
    let asked = 0;
    const running = runOnScreen(this.#console, text, account, {
      columns: 100,
      print: (printed) => {
        this.#output += printed;
      },
      ask: async () => {
        // The output so far was a preview.
        if (asked++ === 0) this.#output = '';
        return !this.#isOver && mandate.isArmed();
      },
      askLine: async () => '',
      refuse: mandate.refuse,
    });
    this.#running = running;
    const exit = await running;
    const printed = this.#output;
    if (!this.#isOver) {
      this.#running = undefined;
      this.#output = '';
    }
    return { printed, exit };
  }

  /** The user's answer to the question on the screen: a line, or `y` for yes. */
  answer(answer: string): void {
    this.#answer?.(answer);
  }

  /**
   * Ends the command when the screen closes: answers its question with no, stops a running write, and prints its
   * outcome. Returns its exit status if the outcome is unknown.
   */
  async end(): Promise<ExitCode | undefined> {
    this.#isOver = true;
    this.#answer?.('');
    const exit = await this.#running;
    if (exit === undefined) return undefined;
    this.#console.io.err(this.#output);
    this.#output = '';
    return exit === exitCodes.outcomeUnknown ? exit : undefined;
  }

  async #ask(text: string, question: string, typed?: string): Promise<string> {
    if (this.#isOver) return '';
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#answer = resolve;
    this.#show({
      stage: 'asking',
      text,
      output: this.#output,
      question,
      isShown: false,
      order: this.#order,
      ...(typed !== undefined && { typed }),
    });
    const answer = await promise;
    this.#answer = undefined;
    // The preview has been read; the result replaces it.
    this.#output = `${question}${typed === undefined ? ` ${answer === 'y' ? 'yes' : 'no'}` : `: ${answer}`}\n\n`;
    return answer;
  }
}
