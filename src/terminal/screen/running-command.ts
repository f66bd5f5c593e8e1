import { type ExitCode, exitCodes, interruptedFailure, usageFailure } from '../../base/failure/failure.ts';
import { factsOf, failureReport, storeDestination } from '../../base/failure/report.ts';
import type { Given } from '../../desk/intents/note.ts';
import { splitWords } from '../../desk/values/split.ts';
import type { Operation } from '../../wire/contract/operation.ts';
import { type KnownOperationId, operations } from '../../wire/contract/operations.ts';
import type { CreateOrderRequest } from '../../wire/contract/orders.ts';
import { Console, type Way } from '../console/console.ts';
import type { Chosen } from '../console/grammar/command-line.ts';
import type { GlobalInput } from '../console/grammar/global-options.ts';
import { kebabCase, takesOf } from '../console/grammar/spec.ts';
import { plainPalette } from '../console/output/themes.ts';
import type { Settings } from '../console/settings/settings.ts';
import type { Outside } from '../console/terminal/outside.ts';
import { destinationOf, showPlaced } from '../console/where.ts';
import type { Dialog, Runner, ScreenTerminal } from './view.ts';

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

  /** Starts a command; its preview, question and result appear in the dialog. `runner`: replaces a perp command. */
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
   * Runs a complete command of armed keys, without a dialog: every question has the mandate's answer. Resolves with its
   * output; undefined if another command is in progress.
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

/**
 * Commands that may be typed on the live screen: those that trade, and those that show orders, positions and prices.
 */
const allowed = new Set([
  ...[
    'order',
    'stop',
    'target',
    'plan',
    'positions',
    'twap',
    'scaled',
    'reverse',
    'flatten',
    'cancel-all',
    'close-all',
  ],
  ...['quote', 'accounts', 'fills', 'markets', 'pending'],
]);
/** Global options that may be typed; all others apply to the whole screen. */
const ownOptions: ReadonlySet<keyof GlobalInput> = new Set(['account', 'dryRun', 'new']);

/**
 * Runs one typed command over the screen's access, exactly as `perp` would run it on a terminal: the same checks,
 * preview, question, kept write and idempotency key. It always asks. Prints errors; returns the exit status.
 */
export async function runOnScreen(
  parent: Console,
  line: string,
  account: string | undefined,
  terminal: ScreenTerminal,
): Promise<ExitCode> {
  try {
    const { path, input, globals } = await chosenIn(parent, line, terminal.place);
    const console = watchConsole(
      parent,
      settingsFor(parent.settings, globals, account, terminal.refuse !== undefined),
      { path, input },
      terminal,
    );
    const command = await parent.registry.load(path);
    try {
      const result = await command.run(console, input as never);
      await showPlaced(console, result);
      return result.exit ?? exitCodes.done;
    } catch (error) {
      const diagnosed = await console.memory.diagnosed(error);
      storeDestination(diagnosed, destinationOf(console), console.settings, takesOf(command));
      throw diagnosed;
    } finally {
      await settle(console);
    }
  } catch (error) {
    return reported(error, terminal);
  }
}

/** Prints why a line failed; returns its exit status. */
export function reported(error: unknown, terminal: ScreenTerminal): ExitCode {
  const facts = factsOf(error);
  terminal.print(failureReport(facts, false, terminal.columns));
  return facts.exit;
}

/** A console that asks on the live screen, for work that isn't a separate command. */
export function consoleFor(parent: Console, account: string | undefined, terminal: ScreenTerminal): Console {
  const settings = settingsFor(parent.settings, {}, account, false);
  return watchConsole(parent, settings, { path: 'watch', input: {} }, terminal);
}

async function chosenIn(parent: Console, line: string, place = 'on the live screen'): Promise<Chosen> {
  const words = splitWords(line);
  const [first = ''] = words[0] === 'perp' ? words.splice(0, 1) && words : words;
  const chosen = (await parent.lineReader()).read(words);
  if (!allowed.has(first)) throw usageFailure(`perp ${first} can't be used ${place}.`, 'Run it in another terminal.');
  const { input, globals } = chosen;
  if (input.watch === true || input.wait === true)
    throw usageFailure('--wait and --watch are not needed here.', 'The screen shows every change.');
  const stray = (Object.keys(globals) as (keyof GlobalInput)[]).find((name) => !ownOptions.has(name));
  if (stray !== undefined) throw usageFailure(`--${kebabCase(stray)} can't be used ${place}.`, 'Omit it.');
  return chosen;
}

function settingsFor(shared: Settings, globals: GlobalInput, account: string | undefined, isArmed: boolean): Settings {
  return {
    ...shared,
    account: (globals.account as string | undefined) ?? account ?? shared.account,
    accountFrom: '--account',
    output: 'table',
    yes: false,
    quiet: false,
    dryRun: globals.dryRun === true,
    fresh: globals.new === true,
    // The account's name was typed when the keys were armed.
    confirmLive: isArmed ? 'ask' : shared.confirmLive,
    // Each command has its own key; a shared one would make the second command a repetition of the first.
    idempotencyKey: undefined,
  };
}

/** The console of one command on the live screen: it prints to a dialog and asks there. */
function watchConsole(parent: Console, settings: Settings, given: Given, terminal: ScreenTerminal): Console {
  const { registry, lineReader } = parent;
  const way: Way = {
    async open() {
      const access = await parent.access();
      access.intents.isDeliberate = settings.fresh;
      access.intents.given = given;
      return access;
    },
    async call(id, request, send) {
      if (isWrite(id)) terminal.refuse?.(id, request);
      return send(request);
    },
  };
  const outside = outsideOf(parent.outside, terminal);
  const interruption = () => parent.signal;
  return new Console({ settings, registry, lineReader, outside, interruption, palette: plainPalette, way });
}

/** The result is on the screen, so its writes count as settled. */
async function settle(console: Console): Promise<void> {
  const { intents } = await console.access();
  intents.shown();
  intents.flush();
}

function isWrite(id: KnownOperationId): boolean {
  return (operations as Readonly<Record<string, Operation>>)[id]?.scope === 'trade';
}

function outsideOf(outside: Outside, { columns, print, ask, askLine, propose }: ScreenTerminal): Outside {
  const notHere = () => {
    throw usageFailure('Something is missing in the command.', 'Type it, such as: order place BTC buy 0.05');
  };
  const isTerminal = { stdinIsTerminal: true, stdoutIsTerminal: true, stderrIsTerminal: false };
  const changes = () => outside.io.changes?.();
  return {
    ...outside,
    io: { ...isTerminal, columns, stderrColumns: columns, out: print, err: print, changes, input: notHere },
    prompts: {
      confirm: async (question) => {
        if (await ask(question)) return true;
        throw interruptedFailure('Nothing was sent.');
      },
      ...(propose !== undefined && { propose }),
      secret: notHere,
      choose: notHere,
      // The user isn't asked again for a wrong line.
      line: async (question, problem) => {
        const text = await askLine(question);
        return problem(text) === undefined ? text : '';
      },
    },
  };
}
