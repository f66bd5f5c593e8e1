import type { Context } from '../context/context.ts';
import { type ExitCode, exitCodes } from '../failure/exit-codes.ts';
import type { RawTerminal } from '../terminal/raw-terminal.ts';
import { runOnDesk } from './desk-command.ts';
import type { Dialog } from './desk-view.ts';

/** The command that is running on the live screen; only one at a time. */
export class DeskCommands {
  readonly #context: Context;
  readonly #terminal: RawTerminal;
  readonly #show: (dialog: Dialog) => void;
  #running: Promise<ExitCode> | undefined;
  #answer: ((yes: boolean) => void) | undefined;
  #output = '';
  #isOver = false;

  /** `show` puts the dialog on the screen. */
  constructor(context: Context, terminal: RawTerminal, show: (dialog: Dialog) => void) {
    this.#context = context;
    this.#terminal = terminal;
    this.#show = show;
  }

  /** No command is under way. */
  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /** Starts a command; its preview, question and result appear in the dialog. */
  run(text: string, account: string | undefined): void {
    if (this.#running !== undefined) return;
    this.#output = '';
    const running = runOnDesk(this.#context, text, account, {
      columns: this.#terminal.columns,
      print: (printed) => {
        this.#output += printed;
        this.#show({ stage: 'running', text, output: this.#output });
      },
      ask: (question) => this.#ask(text, question),
    });
    this.#running = running;
    void running.then(() => {
      if (this.#isOver) return;
      this.#running = undefined;
      this.#show({ stage: 'done', text, output: this.#output });
    });
  }

  /** The user's answer to the question on the screen. */
  answer(yes: boolean): void {
    this.#answer?.(yes);
  }

  /**
   * Ends the command when the screen closes: answers its question with no, stops a running write, and prints its
   * outcome. Returns its exit status if the outcome is unknown.
   */
  async end(): Promise<ExitCode | undefined> {
    this.#isOver = true;
    this.#answer?.(false);
    const exit = await this.#running;
    if (exit === undefined) return undefined;
    this.#context.io.err(this.#output);
    this.#output = '';
    return exit === exitCodes.outcomeUnknown ? exit : undefined;
  }

  async #ask(text: string, question: string): Promise<boolean> {
    if (this.#isOver) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#answer = resolve;
    this.#show({ stage: 'asking', text, output: this.#output, question, isShown: false });
    const answer = await promise;
    this.#answer = undefined;
    // The preview has been read; the result replaces it.
    this.#output = `${question} ${answer ? 'yes' : 'no'}\n\n`;
    return answer;
  }
}
