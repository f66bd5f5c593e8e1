import { wrapLines } from '../../../base/text/plain-text.ts';
import type { Console } from '../../console/console.ts';
import { typedLines } from '../private-console.ts';
import { runOnScreen } from '../run-on-screen.ts';
import { type Journey, type TourFacts, tourFacts } from './steps.ts';

/** The tour as plain lines, for pipes and screen readers. Resolves when it is over, left, or out of input. */
export async function tourLines(console: Console, journey: Journey): Promise<void> {
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
