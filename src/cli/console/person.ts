import { exitCodes, Failure, interruptedFailure } from '../../ground/failure/failure.ts';
import { quoted } from '../../ground/text/plain-text.ts';
import type { Console } from './console.ts';

/**
 * Throws a failure unless somebody can read and type here: nothing that was said before counts, such as --yes. `what`
 * says what a person does, `untouched` that nothing has happened.
 */
export function requirePerson(
  { isInteractive, settings }: Console,
  what: string,
  untouched: string,
  command: string,
): void {
  if (isInteractive && !settings.yes) return;
  const why = settings.yes ? '--yes does not count' : 'this is none';
  throw new Failure({
    exit: exitCodes.notAllowed,
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
