import { existsSync } from 'node:fs';
import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf, rulesOption } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { exitCodes, Failure } from '../../../ground/failure/failure.ts';
import { writePrivateFile } from '../../../ground/files/private-files.ts';

export const command = defineCommand({
  summary: 'Write a rules file with an example of every rule',
  description: 'The examples are commented out: remove the # from the ones you want. An existing file is not changed.',
  options: rulesOption,
  examples: [['perp guard init', 'then edit the file, and check it with perp guard rules']],
  changesMore: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { rulesFile } = await import('../../../desk/guard/rule-file.ts');
  const { rulesTemplate } = await import('../../../desk/guard/template.ts');
  const file = rulesFile(console.variables, input.rules);
  if (existsSync(file))
    throw new Failure({
      exit: exitCodes.conflict,
      code: 'exists',
      message: `${file} exists; nothing was changed.`,
      hint: 'Edit it, remove it, or name another with --rules FILE.',
    });
  if (!console.settings.dryRun) writePrivateFile(file, rulesTemplate);
  return recordOf({ file }, () => [
    line(console.settings.dryRun ? `Dry run: ${file} would be written.` : `Wrote ${file}.`),
    line({ text: 'Edit it, check it with perp guard rules, and start perp guard.', tone: 'faint' }),
  ]);
}
