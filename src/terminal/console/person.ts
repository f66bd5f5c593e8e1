import { Failure, interruptedFailure } from '../../base/failure/failure.ts';
import { plainLines, quoted } from '../../base/text/plain-text.ts';
import type { Sending } from '../../desk/writes/settlement.ts';
import type { Console } from './console.ts';

/**
 * Asks on a terminal before a write is sent. On live, with `trade.confirm_live = name`, the answer is the name of the
 * account, or of the host if there are several; an empty one sends nothing.
 */
export async function confirmWrite(console: Console, question: string, sending: Sending): Promise<void> {
  const { settings, isInteractive, outside } = console;
  const asksName = settings.confirmLive === 'name' && sending.destination.environment === 'live';
  if (!asksName || settings.yes || !isInteractive) return console.confirm(question);
  const name = await nameToType(sending);
  const same = (text: string) => text.trim().toLowerCase() === name.trim().toLowerCase();
  const wrong = `Type ${name} to send it, or nothing to send nothing`;
  const typed = await outside.prompts.line(plainLines(`${question} Type ${name} to send it`), (text) =>
    text.trim() === '' || same(text) ? undefined : plainLines(wrong),
  );
  if (!same(typed)) throw interruptedFailure('Nothing was sent.');
}

async function nameToType({ client, destination: { baseUrl }, accounts }: Sending): Promise<string> {
  const [account, ...others] = accounts;
  if (account === undefined || others.length > 0) return new URL(baseUrl!).host;
  try {
    const { data } = await client.call('getAccount', { path: { account_id: account } });
    // A name of spaces only can't be told from no answer.
    return data.name.trim() === '' ? account : data.name;
  } catch {
    return account;
  }
}

/**
 * Throws a failure unless someone can read and type here: nothing that was said before counts, such as --yes. `what`
 * says what a person does, `untouched` that nothing has happened.
 */
export function requirePerson(
  { isInteractive, settings }: Console,
  what: string,
  untouched: string,
  command: string,
): void {
  if (isInteractive && !settings.yes) return;
  const why = settings.yes ? '--yes is not a person' : "this isn't a terminal";
  throw new Failure({
    code: 'person_needed',
    message: `${what} on a terminal: ${why}. ${untouched}`,
    hint: `Run ${command} on a terminal, without pipes and without --yes.`,
  });
}

/**
 * Asks a person to type one of these answers in full, and returns it. An empty line is a refusal: throws an interruption
 * that says `untouched`.
 */
export async function typedAnswer<A extends string>(
  { outside }: Console,
  answers: readonly A[],
  purpose: string,
  untouched: string,
): Promise<A> {
  const choice = answers.map((answer) => quoted(answer)).join(' or ');
  const typed = await outside.prompts.line(`Type ${choice}${purpose}`, (text) =>
    text.trim() === '' || answers.some((answer) => answer === text.trim()) ? undefined : `Type ${choice}, or nothing`,
  );
  const answer = answers.find((one) => one === typed.trim());
  if (answer === undefined) throw interruptedFailure(untouched);
  return answer;
}
