import { notFoundFailure, usageFailure } from '../../../../base/failure/failure.ts';
import { dateTime } from '../../../../base/text/format.ts';
import { quoted } from '../../../../base/text/plain-text.ts';
import { defineCommand } from '../../../console/console.ts';
import { type Column, fields, line, listOf, recordOf, shownOnce } from '../../../console/output/result.ts';
import { prefixGiven } from '../../../console/settings/serving.ts';

const list = defineCommand({
  summary: "List the bots' keys",
  examples: [['perp gate key', 'without the secrets, which are not kept']],
  async run({ variables, machine }) {
    const { BotsFile, gateFolder, isValid } = await import('../../../../bots/gate/bots-file.ts');
    const rows = new BotsFile(gateFolder(variables))
      .keys()
      .map(({ hash: _, environment: __, ...key }): Row => ({ ...key, is_valid: isValid(key, machine.now()) }))
      .reverse();
    return listOf(rows, {
      fields: ['id', 'bot', 'created_at', 'expires_at', 'revoked_at', 'is_valid'],
      columns,
      empty: 'No keys yet; perp gate key add BOT makes one.',
    });
  },
});

type KeptKey = ReturnType<import('../../../../bots/gate/bots-file.ts').BotsFile['keys']>[number];
type Row = Omit<KeptKey, 'hash' | 'environment'> & { readonly is_valid: boolean };

const columns: readonly Column<Row>[] = [
  { header: 'BOT', cell: ({ bot }) => bot },
  {
    header: 'STATE',
    cell: ({ is_valid: valid, revoked_at: revoked }) =>
      valid ? { text: 'valid', tone: 'good' } : { text: revoked === null ? 'expired' : 'revoked', tone: 'warn' },
  },
  { header: 'CREATED', cell: ({ created_at: at }) => dateTime(at), keep: 3 },
  { header: 'EXPIRES', cell: ({ expires_at: at }) => dateTime(at), keep: 1 },
  { header: 'REVOKED', cell: ({ revoked_at: at }) => (at === null ? '' : dateTime(at)), keep: 4 },
  { header: 'ID', cell: ({ id }) => id, keep: 0 },
];

const add = defineCommand({
  summary: "Create a bot's key for the gate; it is shown only once",
  description:
    'A bot has one key; a new key replaces it from the next request of a running gate. Only its hash is stored.',
  args: [{ name: 'bot', kind: 'word', summary: 'the name in its mandate' }],
  options: {
    prefix: {
      value: 'PREFIX',
      summary: 'prefix of the key, for a bot that expects one (default gate_live_, as perp mcp --gate requires)',
    },
    expires: { value: 'DURATION', kind: 'duration', summary: 'how long it is valid (default 30d, at most 365d)' },
  },
  examples: [
    ['perp gate key add scalper', 'valid for 30 days'],
    ['perp gate key add scalper --expires 12h', 'for today'],
  ],
  changesMore: true,
  async run(console, { bot, prefix, expires = usualMs }) {
    const { BotsFile, gateFolder } = await import('../../../../bots/gate/bots-file.ts');
    const { environmentOf } = await import('../../../../bots/gate/serve.ts');
    const { isBotName } = await import('../../../../desk/mandate/terms.ts');
    const { readSigned } = await import('../../../../desk/mandate/signed.ts');
    const { variables, settings, machine } = console;
    if (!isBotName(bot))
      throw usageFailure(`A bot can't be named ${quoted(bot)}.`, 'Use up to 24 lowercase letters, digits and hyphens.');
    if (expires > longestMs) throw usageFailure('A key is valid for at most 365 days.', 'Make a new one later.');
    if (readSigned(variables, bot) === undefined)
      console.note(`No mandate is signed for ${bot} yet: perp mandate sign FILE. Until then, the key allows nothing.`);
    const now = machine.now();
    const until = now + expires;
    if (settings.dryRun)
      return recordOf({ bot, expires_at: until }, () => [line(`Dry run: no key was made for ${bot}.`)]);
    const { key, text } = new BotsFile(gateFolder(variables)).add(
      bot,
      environmentOf(console),
      now,
      until,
      prefix && prefixGiven(prefix),
    );
    return recordOf({ api_key: text, id: key.id, bot, expires_at: until }, () => [
      line({ text, tone: 'strong' }),
      fields(['for', bot], ['valid until', dateTime(until)], ['id', key.id]),
      shownOnce,
    ]);
  },
});

const dayMs = 86_400_000;
const usualMs = 30 * dayMs;
const longestMs = 365 * dayMs;

const revoke = defineCommand({
  summary: "Revoke a bot's key and end its streams",
  args: [{ name: 'key', kind: 'word', summary: 'id of the key, or its bot' }],
  examples: [['perp gate key revoke scalper', 'the bot can no longer connect']],
  changesMore: true,
  async run({ variables, settings, machine }, { key }) {
    const { BotsFile, gateFolder } = await import('../../../../bots/gate/bots-file.ts');
    const file = new BotsFile(gateFolder(variables));
    const found = settings.dryRun ? file.named(key) : file.revoke(key, machine.now());
    if (found === undefined)
      throw notFoundFailure(`There is no key ${quoted(key)} to revoke.`, 'perp gate key list shows keys and bots.');
    const { id, bot } = found;
    const text = settings.dryRun ? 'Dry run: would revoke' : 'Revoked';
    return recordOf({ id, bot, revoked: !settings.dryRun }, () => [line(`${text} the key of ${bot} (${id}).`)]);
  },
});

export const commands = { list, add, revoke };
