import type { Console } from '../../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../../console/grammar/spec.ts';
import { fields, line, type Result, recordOf } from '../../../../console/output/result.ts';
import { usageFailure } from '../../../../ground/failure/failure.ts';
import { dateTime } from '../../../../ground/text/format.ts';
import { quoted } from '../../../../ground/text/plain-text.ts';

export const command = defineCommand({
  summary: "Make a bot's key for the gate; it is shown only once",
  description:
    'A bot has one key: a new one ends the one before. It counts from the next request of a running gate. Only its hash is kept.',
  args: [{ name: 'bot', kind: 'word', summary: 'the name in its mandate' }],
  options: {
    expires: { value: 'DURATION', kind: 'duration', summary: 'how long it is valid (default 30d, at most 365d)' },
  },
  examples: [
    ['perp gate key add scalper', 'valid for 30 days'],
    ['perp gate key add scalper --expires 12h', 'for today'],
  ],
  changesMore: true,
});

const dayMs = 86_400_000;
const usualMs = 30 * dayMs;
const longestMs = 365 * dayMs;

export async function run(console: Console, { bot, expires = usualMs }: InputOf<typeof command>): Promise<Result> {
  const { BotsFile, gateFolder } = await import('../../../../gate/bots-file.ts');
  const { environmentOf } = await import('../../../../gate/serve.ts');
  const { isBotName } = await import('../../../../desk/mandate/mandate-file.ts');
  const { readSigned } = await import('../../../../desk/mandate/signed.ts');
  const { variables, settings, machine } = console;
  if (!isBotName(bot))
    throw usageFailure(`A bot can't be named ${quoted(bot)}.`, 'Use up to 24 lowercase letters, digits and hyphens.');
  if (expires > longestMs) throw usageFailure('A key is valid for at most 365 days.', 'Make another one then.');
  if (readSigned(variables, bot) === undefined)
    console.note(`No mandate is signed for ${bot} yet: perp mandate sign FILE. Until then, the key allows nothing.`);
  const now = machine.now();
  const until = now + expires;
  if (settings.dryRun)
    return recordOf({ bot, expires_at: until }, () => [line(`Dry run: no key was made for ${bot}.`)]);
  const { key, text } = new BotsFile(gateFolder(variables)).add(bot, environmentOf(console), now, until);
  return recordOf({ api_key: text, id: key.id, bot, expires_at: until }, () => [
    line({ text, tone: 'strong' }),
    fields(['for', bot], ['valid until', dateTime(until)], ['id', key.id]),
    line({ text: 'This key is not shown again.', tone: 'warn' }),
  ]);
}
