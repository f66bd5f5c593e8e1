import { type ExitCode, exitCodes } from '../../ground/failure/failure.ts';
import type { Console } from '../console/console.ts';
import type { RawTerminal } from '../terminal/raw-terminal.ts';
import { runOnScreen } from './screen-command.ts';
import type { Dialog } from './screen-view.ts';

/** The command that is running on the live screen; only one at a time. */
export class ScreenCommands {
  readonly #console: Console;
  readonly #terminal: RawTerminal;
  readonly #show: (dialog: Dialog) => void;
  #running: Promise<ExitCode> | undefined;
  #answer: ((answer: string) => void) | undefined;
  #output = '';
  #isOver = false;

  /** `show` puts the dialog on the screen. */
  constructor(console: Console, terminal: RawTerminal, show: (dialog: Dialog) => void) {
    this.#console = console;
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
    const running = runOnScreen(this.#console, text, account, {
      columns: this.#terminal.columns,
      print: (printed) => {
        this.#output += printed;
        this.#show({ stage: 'running', text, output: this.#output });
      },
      ask: async (question) => (await this.#ask(text, question)) === 'y',
      askLine: (question) => this.#ask(text, question, ''),
    });
    this.#running = running;
    void running.then(() => {
      if (this.#isOver) return;
      this.#running = undefined;
      this.#show({ stage: 'done', text, output: this.#output });
    });
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
      ...(typed !== undefined && { typed }),
    });
    const answer = await promise;
    this.#answer = undefined;
    // The preview has been read; the result replaces it.
    this.#output = `${question}${typed === undefined ? ` ${answer === 'y' ? 'yes' : 'no'}` : `: ${answer}`}\n\n`;
    return answer;
  }
}
