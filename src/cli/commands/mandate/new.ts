import { existsSync } from 'node:fs';
import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { accountNow } from '../../../desk/reading/prospects.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { allMarkets, resolveMarket } from '../../../desk/resolve/market.ts';
import { nearestFloor } from '../../../desk/risk/breach.ts';
import { exitCodes, Failure, usageFailure } from '../../../ground/failure/failure.ts';
import { writePrivateFile } from '../../../ground/files/private-files.ts';
import { quoted } from '../../../ground/text/plain-text.ts';

export const command = defineCommand({
  summary: 'Write a mandate for a bot, with comments',
  description:
    'Its numbers are fractions of what the account has now; change them. It counts once you have signed it. An ' +
    'existing file is not changed.',
  args: [{ name: 'bot', summary: 'its name: a to z, 0 to 9 and -, up to 24' }],
  options: {
    file: {
      value: 'FILE',
      kind: 'file',
      summary: 'where to write it (default: mandates/BOT.toml beside the config file)',
    },
    market: { value: 'MARKET', kind: 'market', repeat: true, summary: 'a market that it may trade (default: BTC)' },
  },
  examples: [
    ['perp mandate new scalper', 'then edit the file, and sign it'],
    ['perp mandate new grid --market BTC --market ETH', 'for two markets'],
  ],
  changesMore: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { suggestedMandate, templateOf } = await import('../../../desk/mandate/template.ts');
  const { isBotName, mandateFile } = await import('../../../desk/mandate/mandate-file.ts');
  const name = input.bot;
  if (!isBotName(name)) throw usageFailure(`BOT is ${quoted(name)}.`, 'Write 1 to 24 of a to z, 0 to 9 and -.');
  const file = input.file ?? mandateFile(console.variables, name);
  if (existsSync(file)) {
    throw new Failure({
      exit: exitCodes.conflict,
      code: 'exists',
      message: `${file} exists; nothing was changed.`,
      hint: 'Edit it, remove it, or name another with --file FILE.',
    });
  }
  const account = await accountId(console);
  const asked = input.market.length === 0 ? [(await firstMarket(console)) ?? 'BTC'] : input.market;
  const found = await Promise.all(asked.map((text) => resolveMarket(console, text)));
  const { risk, balance } = await accountNow(console, account);
  const mandate = suggestedMandate(
    { name, account, markets: [...new Set(found.map(({ market_id }) => market_id))] },
    { equity: risk?.equity ?? balance, room: nearestFloor(risk)?.room, leverage: 1 },
    console.machine.now(),
  );
  const { dryRun } = console.settings;
  if (!dryRun) writePrivateFile(file, templateOf(mandate));
  return recordOf({ file, name }, () => [
    line(dryRun ? `Dry run: ${file} would be written.` : `Wrote ${file}.`),
    line({ text: `Edit it, then sign it: perp mandate sign ${input.file ?? name}`, tone: 'faint' }),
  ]);
}

async function firstMarket(console: Console): Promise<string | undefined> {
  const markets = await allMarkets(console);
  return (markets.find(({ symbol }) => symbol === 'BTC') ?? markets[0])?.market_id;
}
