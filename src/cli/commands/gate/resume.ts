import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { requirePerson, typedAnswer } from '../../../console/person.ts';
import { Failure } from '../../../ground/failure/failure.ts';

export const command = defineCommand({
  summary: 'Let a stopped bot, or all, trade again: only a person can',
  description: 'Asks you to type it on a terminal; there is no way to say yes beforehand.',
  args: [{ name: 'bot', kind: 'word', optional: true, summary: 'only this bot (default: all)' }],
  examples: [['perp gate resume scalper', 'after perp gate stop scalper']],
  changesMore: true,
});

export async function run(console: Console, { bot }: InputOf<typeof command>): Promise<Result> {
  const { BotsFile, gateFolder } = await import('../../../gate/bots-file.ts');
  const { askGate } = await import('../../../gate/control.ts');
  const { settings, variables } = console;
  const untouched = 'Nothing was changed.';
  requirePerson(console, 'A person lets a bot trade again', untouched, 'perp gate resume');
  await typedAnswer(console, [`resume ${bot ?? 'all'}`], ` to let ${bot ?? 'every bot'} trade again`, untouched);
  const folder = gateFolder(variables);
  if (settings.dryRun) return said(bot, 'Dry run: nothing was changed.');
  const file = new BotsFile(folder);
  await askGate(folder, 'resume', bot).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.facts.code !== 'no_gate') throw error;
    file.resume(bot);
  });
  const isStopped = bot !== undefined && file.stoppedSince(bot) !== undefined;
  return said(
    bot,
    isStopped ? `${bot} is still stopped, because all bots are.` : `${bot ?? 'Every bot'} may trade again.`,
  );
}

function said(bot: string | undefined, text: string): Result {
  return recordOf({ bot: bot ?? null }, () => [line(text)]);
}
