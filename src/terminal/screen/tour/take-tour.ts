import { join } from 'node:path';
import { type ExitCode, Failure } from '../../../base/failure/failure.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { stateFolder } from '../../../base/files/folders.ts';
import { makePrivateFolder } from '../../../base/files/private-files.ts';
import { wrapLines } from '../../../base/text/plain-text.ts';
import type { Console } from '../../console/console.ts';
import type { Result } from '../../console/output/result.ts';
import { privateConsole, typedLines } from '../private-console.ts';
import { runOnScreen } from '../running-command.ts';
import { Journey, type TourFacts, tourFacts } from './steps.ts';

/** The name of the tour's simulation, in its own folder. */
const state = 'tour';
/** A smaller terminal gets the tour in lines. */
const least = { columns: 80, rows: 24 };

/** Takes the user on the tour, in a simulation that nothing else uses. `isPlain`: in lines, also on a terminal. */
export async function takeTour(
  parent: Console,
  { isPlain, isRestarted }: { isPlain: boolean; isRestarted: boolean },
): Promise<Result> {
  const folder = join(stateFolder(parent.variables), 'tour');
  makePrivateFolder(folder);
  const progress = join(folder, 'tour.json');
  const console = privateConsole(parent, folder, {
    state,
    settings: {
      afterEnd: 'perp tour --restart',
      // The tour shows what perp does by default.
      ...{ leverage: undefined, marginMode: undefined, gapAllowanceBps: undefined, watchKeys: undefined },
      ...{ floorCheck: 'refuse', unknownFloor: 'warn', stops: 'ask', requireStop: false, confirmLive: 'ask' },
      ...{ yes: false, fresh: false },
    },
  });
  try {
    if (isRestarted) {
      const { resetState } = await import('../../../service/public.ts');
      const { beginning } = parent.outside;
      const onSetAside = (file: string) => parent.note(`The damaged tour was saved as ${file}.`);
      (await resetState({ stateDir: folder, state, beginning, onSetAside })).close();
      new Journey(progress, true).restart();
    }
    await console.call('simSetClock', { body: { running: true } }).catch((error: unknown) => {
      const facts = factsOf(error);
      if (facts.code !== 'store_corrupt') throw error;
      throw new Failure({ ...facts, hint: 'perp tour --restart sets it aside and begins again.' });
    });
    const { io, variables } = parent;
    const terminal = !isPlain && io.stdoutIsTerminal && variables.TERM !== 'dumb' ? await io.terminal?.() : undefined;
    const isScreen = terminal !== undefined && terminal.columns >= least.columns && terminal.rows >= least.rows;
    const journey = new Journey(progress, isScreen);
    let exit: ExitCode | undefined;
    try {
      if (isScreen) {
        const [{ openScreen }, { TourGuide }] = await Promise.all([
          import('../open-screen.ts'),
          import('./tour-guide.ts'),
        ]);
        const guide = new TourGuide(journey);
        ({ exit } = await openScreen(console, { markets: ['BTC'], interval: '1m', forMs: undefined, guide }));
      } else await tourLines(console, journey);
    } finally {
      // Its market stands still until the user returns.
      await console.call('simSetClock', { body: { running: false } });
    }
    return { kind: 'text', text: farewell(journey), ...(exit !== undefined && { exit }) };
  } finally {
    await console.close();
  }
}

function farewell({ isOver, place, step, problem }: Journey): string {
  if (isOver) return 'The tour is done. perp tour --restart begins again; perp watch shows your own simulation.\n';
  if (problem !== undefined)
    return `Left at step ${place}, ${step.name}, which could not be kept (${problem}): perp tour goes on at an earlier one.\n`;
  return `Left at step ${place}, ${step.name}. perp tour goes on there, and its market waits for you.\n`;
}

/** The tour as plain lines, for pipes and screen readers. Resolves when it is over, left, or out of input. */
async function tourLines(console: Console, journey: Journey): Promise<void> {
  const { io, signal } = console;
  using lines = typedLines(console);
  const next = async () => {
    signal.throwIfAborted();
    io.out('> ');
    const line = await lines.next();
    signal.throwIfAborted();
    // On a terminal, the line is already there.
    if (!io.stdinIsTerminal) io.out(`${line ?? ''}\n`);
    return line;
  };
  const terminal = {
    place: 'in the tour',
    columns: Math.min(io.columns, widest),
    print: io.out,
    ask: async (question: string) => {
      say(console, `${question}\nType: y   Anything else sends nothing.`);
      return /^\s*y(es)?\s*$/i.test((await next()) ?? '');
    },
    askLine: async (question: string) => {
      say(console, question);
      return (await next()) ?? '';
    },
  };
  let told: unknown;
  while (true) {
    const facts = await read(console);
    journey.look(facts);
    const { step, isOver } = journey;
    if (told !== step) tell(console, journey, facts);
    told = step;
    if (isOver) return;
    if (facts.account.status !== 'active') {
      say(console, 'The account has ended. Begin again with: perp tour --restart');
      return;
    }
    const wanted = step.task.kind === 'command' ? step.task.line : '';
    say(console, wanted === '' ? 'Press: Enter' : `Type: ${wanted}`);
    const line = await next();
    if (line === undefined || /^\s*(q|quit|exit|leave)\s*$/i.test(line)) return;
    if (/^\s*(\?|help)\s*$/i.test(line)) told = undefined;
    else if (line.trim() !== '') await runOnScreen(console, line, facts.account.id, terminal);
    else if (wanted === '') journey.pass();
    else say(console, `Nothing was typed. The tour waits for: ${wanted}`);
  }
}

/** Lines that are wider are hard to read. */
const widest = 100;

function say({ io }: Console, text: string): void {
  io.out(`${wrapLines(text, Math.min(io.columns, widest))}\n`);
}

function tell(console: Console, { step, place, undone, isOver }: Journey, facts: TourFacts): void {
  const head = `Tour, ${isOver ? 'done' : `step ${place}`}: ${step.name}`;
  say(console, ['', head, ...(undone === undefined ? [] : [undone]), step.text(facts)].join('\n'));
}

/** The facts of the tour's simulation. */
async function read(console: Console): Promise<TourFacts> {
  const { data: accounts } = await console.call('listAccounts', {});
  const account_id = accounts[0]!.id;
  const [{ data: account }, { data: positions }, { data: working }] = await Promise.all([
    console.call('getAccount', { path: { account_id } }),
    console.call('listOpenPositions', { query: { account_id } }),
    console.call('listOrders', { query: { account_id, status: 'working', limit: 100 } }),
  ]);
  return tourFacts(account, positions, working);
}
