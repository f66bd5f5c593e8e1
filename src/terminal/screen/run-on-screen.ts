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

/** Where a command of the live screen prints and asks. */
export interface ScreenTerminal {
  /** The command's location, if not on the live screen: `in the tour`. */
  readonly place?: string;
  columns: number;
  print(text: string): void;
  /** Whether the user confirms. */
  ask(question: string): Promise<boolean>;
  /** A line that the user types; empty: no answer. */
  askLine(question: string): Promise<string>;
  /** An order is about to be confirmed, exactly as it would be sent. */
  propose?(order: CreateOrderRequest): void;
  /** Throws a failure for a write that must not be sent; called with each just before it is. */
  refuse?: ((id: KnownOperationId, request: unknown) => void) | undefined;
}

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
    const facts = factsOf(error);
    terminal.print(failureReport(facts, false, terminal.columns));
    return facts.exit;
  }
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
