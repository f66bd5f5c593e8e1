import { realpathSync } from 'node:fs';
import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { requirePerson, typedAnswer } from '../../../console/person.ts';
import type { NamedMandate } from '../../../desk/mandate/mandate-file.ts';
import { exitCodes, Failure } from '../../../ground/failure/failure.ts';
import { plain, plainLines } from '../../../ground/text/plain-text.ts';

export const command = defineCommand({
  summary: 'Agree to a mandate: shows what changes, and asks you to type it',
  description:
    'Only on a terminal, by a person: there is no way to say yes beforehand. The signed copy is kept in the state ' +
    'folder, and from then on the file may only make its terms tighter.',
  args: [{ name: 'file', kind: 'file', summary: 'the mandate: its file, or the name of its bot' }],
  examples: [['perp mandate sign scalper', 'put it in force']],
  changesMore: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { mandateFile, readMandate } = await import('../../../desk/mandate/mandate-file.ts');
  const { changesOf, readSigned, signMandate } = await import('../../../desk/mandate/signed.ts');
  const { fieldNames } = await import('../../../desk/mandate/terms.ts');
  const { changeText } = await import('../../../console/views/mandate-view.ts');
  const { variables, settings, machine } = console;
  const file = mandateFile(variables, input.file);
  const { mandate, text } = readMandate(file);
  const untouched = 'Nothing was signed.';
  if (!settings.dryRun)
    requirePerson(console, 'A mandate is signed by a person who reads it', untouched, 'perp mandate sign FILE');
  const signed = readBefore(() => readSigned(variables, mandate.name), console);
  const changes =
    signed === undefined
      ? fieldNames
          .filter((field) => mandate[field] !== undefined)
          .map((field) => ({ field, change: 'looser' as const }))
      : changesOf(signed.mandate, mandate).filter(
          ({ field }) => (mandate[field] ?? signed.mandate[field]) !== undefined,
        );
  const isSame = signed !== undefined && changes.every(({ change }) => change === 'same');
  if (isSame) return said(mandate, signed.hash, `${file} is signed as it is.`);
  const shown = changes.map(({ field, change }) => changeText(field, change, signed?.mandate, mandate));
  const verb = changes.some(({ change }) => change === 'looser') && signed !== undefined ? 'loosen' : 'sign';
  const answer = `${verb} ${mandate.name}`;
  const title = `Mandate of ${mandate.name}, ${nameOf(file)}${mandate.until <= machine.now() ? ', WHICH IS OVER' : ''}`;
  if (settings.dryRun) return said(mandate, undefined, ['Dry run: not signed.', title, ...shown].join('\n'));
  console.io.out(`${plainLines([title, ...shown].join('\n'))}\n`);
  await typedAnswer(console, [answer], ' to put it in force', untouched);
  if (readMandate(file).text !== text) {
    throw new Failure({
      exit: exitCodes.conflict,
      code: 'changed',
      message: `${file} was changed while you read it. ${untouched}`,
      hint: 'Run perp mandate sign again, and read what it shows then.',
    });
  }
  const { hash } = signMandate(variables, mandate, machine.now());
  return said(mandate, hash, `The mandate of ${mandate.name} is in force.`);
}

function said({ name }: NamedMandate, hash: string | undefined, text: string): Result {
  return recordOf({ name, hash: hash ?? null }, () => text.split('\n').map((one) => line(one)));
}

/** The file that a name leads to, if it is a link. */
function nameOf(file: string): string {
  const real = realpathSync(file);
  return real.endsWith(file) ? plain(file) : plain(`${file}, which is ${real}`);
}

/** A copy that does not count is replaced, as if nothing was signed; its reader is told. */
function readBefore<T>(read: () => T, console: Console): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Failure) || error.facts.code !== 'not_signed') throw error;
    console.note(error.message);
    return undefined;
  }
}
