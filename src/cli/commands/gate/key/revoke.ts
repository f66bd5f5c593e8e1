import type { Console } from '../../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../../console/output/result.ts';
import { notFoundFailure } from '../../../../ground/failure/failure.ts';
import { quoted } from '../../../../ground/text/plain-text.ts';

export const command = defineCommand({
  summary: "Revoke a bot's key; its next request is refused, and its streams end",
  args: [{ name: 'key', kind: 'word', summary: 'id of the key, or its bot' }],
  examples: [['perp gate key revoke scalper', 'the bot gets in no more']],
  changesMore: true,
});

export async function run(
  { variables, settings, machine }: Console,
  { key }: InputOf<typeof command>,
): Promise<Result> {
  const { BotsFile, gateFolder } = await import('../../../../gate/bots-file.ts');
  const file = new BotsFile(gateFolder(variables));
  const found = settings.dryRun ? file.named(key) : file.revoke(key, machine.now());
  if (found === undefined)
    throw notFoundFailure(`No key ${quoted(key)} is left to revoke.`, 'perp gate key list shows keys and bots.');
  const { id, bot } = found;
  const text = settings.dryRun ? 'Dry run: would revoke' : 'Revoked';
  return recordOf({ id, bot, revoked: !settings.dryRun }, () => [line(`${text} the key of ${bot} (${id}).`)]);
}
