import { existsSync, realpathSync } from 'node:fs';
import { exitCodes, Failure, notFoundFailure } from '../../../base/failure/failure.ts';
import { writePrivateFile } from '../../../base/files/private-files.ts';
import { dateTime, marketName, quantity, usd } from '../../../base/text/format.ts';
import { plain, plainLines } from '../../../base/text/plain-text.ts';
import type { RoomToTrade } from '../../../desk/mandate/judge-write.ts';
import type { Mandate } from '../../../desk/mandate/mandate.ts';
import type { NamedMandate } from '../../../desk/mandate/mandate-file.ts';
import { accountNow } from '../../../desk/reading/prospects.ts';
import { accountId, allAccounts } from '../../../desk/resolve/account.ts';
import { allMarkets, resolveMarket } from '../../../desk/resolve/market.ts';
import { nearestFloor } from '../../../desk/risk/breach.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { type Block, blank, line, listOf, type Result, recordOf, tableOf, wrote } from '../../console/output/result.ts';
import { requirePerson, typedAnswer } from '../../console/person.ts';

const add = defineCommand({
  summary: 'Write a mandate for a bot, with comments',
  description:
    "Its numbers are fractions of the account's current values; change them. It takes effect when you sign it. An " +
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
    ['perp mandate add scalper', 'then edit the file, and sign it'],
    ['perp mandate add grid --market BTC --market ETH', 'for two markets'],
  ],
  changesMore: true,
  async run(console, input) {
    const { mandateFile, suggestedMandate, templateOf } = await import('../../../desk/mandate/mandate-file.ts');
    const { botNameOf } = await import('../../../desk/mandate/terms.ts');
    const name = botNameOf(input.bot, 'BOT');
    const file = input.file ?? mandateFile(console.variables, name);
    if (existsSync(file)) {
      throw new Failure({
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
      wrote(file, dryRun),
      line({ text: `Edit it, then sign it: perp mandate sign ${input.file ?? name}`, tone: 'faint' }),
    ]);
  },
});

async function firstMarket(console: Console): Promise<string | undefined> {
  const markets = await allMarkets(console);
  return (markets.find(({ symbol }) => symbol === 'BTC') ?? markets[0])?.market_id;
}

const check = defineCommand({
  summary: 'Check a mandate, and compare it with the signed one',
  description:
    'Exits 2 and reports the line if the file is invalid, 6 if nothing is signed, a term is looser than signed, ' +
    "or an account or a market doesn't exist. Only reads.",
  args: [{ name: 'file', kind: 'file', summary: 'the mandate: its file, or the name of its bot' }],
  examples: [['perp mandate check scalper', 'the terms in force, and the largest orders that they allow now']],
  async run(console, input) {
    const { mandateFile, readMandate } = await import('../../../desk/mandate/mandate-file.ts');
    const { effectiveMandate, readSigned } = await import('../../../desk/mandate/signed.ts');
    const { termKey, wordsOf } = await import('../../../desk/mandate/terms.ts');
    const { termsBlock, termsRecord } = await import('../../console/views/mandate-view.ts');
    const file = mandateFile(console.variables, input.file);
    const { mandate: own } = readMandate(file);
    const signed = readSigned(console.variables, own.name);
    const { mandate, looser } = signed === undefined ? { mandate: own, looser: [] } : effectiveMandate(signed, own);
    const keys = looser.map(termKey);
    const unknown = await unknownIds(console, mandate);
    const rows = await allowedNow(console, mandate, unknown);
    const record = {
      file,
      name: own.name,
      signed_at: signed?.signedAt ?? null,
      hash: signed?.hash ?? null,
      in_force: signed !== undefined && mandate.until > console.machine.now(),
      looser: keys,
      unknown,
      terms: termsRecord(mandate),
      allowed: rows,
    };
    const remarks = [
      unknown.length === 0 ? undefined : `Not found, so nothing is allowed: ${unknown.join(', ')}.`,
      signed === undefined ? 'It is not signed, so it is not in force: perp mandate sign FILE.' : undefined,
      keys.length === 0
        ? undefined
        : `Looser than signed, so not in force: ${keys.join(', ')}. Sign again to change that: perp mandate sign FILE.`,
      mandate.until <= console.machine.now() ? `It expired at ${wordsOf('until', mandate.until)}.` : undefined,
    ].filter((text) => text !== undefined);
    return recordOf(
      record,
      () => [
        termsBlock(mandate),
        blank,
        ...remarks.map((text) => line({ text, tone: 'bad' })),
        signed === undefined ? [] : line({ text: `signed ${dateTime(signed.signedAt)}`, tone: 'faint' }),
        blank,
        allowedBlocks(rows),
      ],
      signed === undefined || keys.length + unknown.length > 0 ? exitCodes.conflict : exitCodes.done,
    );
  },
});

/** The current limits of one account on one side of a market. */
interface Row extends Omit<RoomToTrade, 'approvalAbove'> {
  readonly account_id: string;
  readonly market_id: string;
  readonly side: 'buy' | 'sell';
  readonly approval_above: RoomToTrade['approvalAbove'];
}

/** Missing accounts and markets. */
async function unknownIds(console: Console, { accounts, markets }: Mandate): Promise<string[]> {
  const [own, known] = await Promise.all([allAccounts(console), allMarkets(console)]);
  const ids = new Set([...own.map(({ id }) => id), ...known.map(({ market_id }) => market_id)]);
  return [...accounts, ...markets].filter((id) => !ids.has(id));
}

async function allowedNow(console: Console, mandate: Mandate, unknown: readonly string[]): Promise<Row[]> {
  const { readExposed } = await import('../../../desk/mandate/read-exposed.ts');
  const { roomToTrade } = await import('../../../desk/mandate/judge-write.ts');
  const now = console.machine.now();
  const rows: Row[] = [];
  const isKnown = (id: string) => !unknown.includes(id);
  const markets = mandate.markets.filter(isKnown);
  for (const account_id of mandate.accounts.filter(isKnown)) {
    const exposed = await readExposed(console, account_id, markets);
    for (const market_id of markets) {
      for (const side of ['buy', 'sell'] as const) {
        const { approvalAbove, ...room } = roomToTrade(mandate, exposed, { market: market_id, side, now });
        rows.push({ account_id, market_id, side, ...room, approval_above: approvalAbove });
      }
    }
  }
  return rows;
}

function allowedBlocks(rows: readonly Row[]): Block[] {
  if (rows.length === 0) return [];
  const asks = rows.some(({ approval_above: above }) => above !== null);
  const sizeText = (size: number | null) => (size === null ? '-' : quantity(size));
  const askedAbove = {
    header: 'ASKS ABOVE',
    cell: (row: Row) => sizeText(row.approval_above),
    align: 'right',
  } as const;
  return [
    line(`Allowed now, in one market order${asks ? '; above ASKS ABOVE, it waits for perp approve' : ''}:`),
    tableOf(rows, [
      { header: 'ACCOUNT', cell: ({ account_id }) => account_id },
      { header: 'MARKET', cell: ({ market_id }) => marketName(market_id) },
      { header: 'SIDE', cell: ({ side }) => side },
      { header: 'UP TO', cell: ({ size }) => sizeText(size), align: 'right' },
      ...(asks ? [askedAbove] : []),
      { header: 'STOP', cell: ({ stop }) => sizeText(stop), align: 'right' },
      { header: '', cell: ({ why }) => why ?? '', keep: 1 },
    ]),
  ];
}

const sign = defineCommand({
  summary: 'Sign a mandate: review the changes, then type to confirm',
  description:
    'Only a person on a terminal can sign; --yes does not. The signed copy is kept in the state folder; from then on, ' +
    'changes to the file can only tighten its terms.',
  args: [{ name: 'file', kind: 'file', summary: 'the mandate: its file, or the name of its bot' }],
  examples: [['perp mandate sign scalper', 'put it in force']],
  changesMore: true,
  async run(console, input) {
    const { mandateFile, readMandate } = await import('../../../desk/mandate/mandate-file.ts');
    const { changesOf, readSigned, signMandate } = await import('../../../desk/mandate/signed.ts');
    const { fieldNames } = await import('../../../desk/mandate/terms.ts');
    const { changeText } = await import('../../console/views/mandate-view.ts');
    const { variables, settings, machine } = console;
    const file = mandateFile(variables, input.file);
    const { mandate, text } = readMandate(file);
    const untouched = 'Nothing was signed.';
    if (!settings.dryRun)
      requirePerson(console, 'Only a person who reads a mandate can sign it', untouched, 'perp mandate sign FILE');
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
    if (isSame) return said(mandate, signed.hash, `${file} is already signed.`);
    const shown = changes.map(({ field, change }) => changeText(field, change, signed?.mandate, mandate));
    const verb = changes.some(({ change }) => change === 'looser') && signed !== undefined ? 'loosen' : 'sign';
    const answer = `${verb} ${mandate.name}`;
    const title = `Mandate of ${mandate.name}, ${nameOf(file)}${mandate.until <= machine.now() ? ', EXPIRED' : ''}`;
    if (settings.dryRun) return said(mandate, undefined, ['Dry run: not signed.', title, ...shown].join('\n'));
    console.io.out(`${plainLines([title, ...shown].join('\n'))}\n`);
    await typedAnswer(console, [answer], ' to put it in force', untouched);
    if (readMandate(file).text !== text) {
      throw new Failure({
        code: 'changed',
        message: `${file} was changed while you read it. ${untouched}`,
        hint: 'Run perp mandate sign again, and read the new text.',
      });
    }
    const { hash } = signMandate(variables, mandate, machine.now());
    return said(mandate, hash, `The mandate of ${mandate.name} is in force.`);
  },
});

function said({ name }: NamedMandate, hash: string | undefined, text: string): Result {
  return recordOf({ name, hash: hash ?? null }, () => text.split('\n').map((one) => line(one)));
}

/** The file that a name leads to, if it is a link. */
function nameOf(file: string): string {
  const real = realpathSync(file);
  return real.endsWith(file) ? plain(file) : plain(`${file}, which is ${real}`);
}

/** A copy that doesn't count is replaced as if nothing had been signed, and its reader is told so. */
function readBefore<T>(read: () => T, console: Console): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Failure) || error.facts.code !== 'not_signed') throw error;
    console.note(error.message);
    return undefined;
  }
}

const show = defineCommand({
  summary: 'Show all signed mandates, or one',
  args: [{ name: 'bot', optional: true, summary: 'the name of a bot' }],
  examples: [
    ['perp mandate', 'every mandate that was signed'],
    ['perp mandate show scalper', 'the terms of one'],
  ],
  async run(console, { bot }) {
    const { readSigned, signedNames } = await import('../../../desk/mandate/signed.ts');
    const { wordsOf } = await import('../../../desk/mandate/terms.ts');
    const { termsBlock, termsRecord } = await import('../../console/views/mandate-view.ts');
    const { variables } = console;
    if (bot === undefined) {
      const signed = signedNames(variables).map((name) => readSigned(variables, name)!);
      return listOf(
        signed.map(({ mandate: { name, until, largestPositionUsd, accounts, markets }, signedAt, hash }) => ({
          bot: name,
          signed_at: signedAt,
          until,
          largest_position_usd: largestPositionUsd,
          accounts,
          markets,
          hash,
        })),
        {
          fields: ['bot', 'signed_at', 'until', 'largest_position_usd', 'accounts', 'markets', 'hash'],
          columns: [
            { header: 'BOT', cell: (row) => row.bot },
            { header: 'SIGNED', cell: (row) => dateTime(row.signed_at) },
            {
              header: 'UNTIL',
              cell: ({ until }) => {
                const text = wordsOf('until', until);
                return until <= console.machine.now() ? { text: `${text}, over`, tone: 'bad' } : text;
              },
            },
            { header: 'LARGEST POSITION', cell: (row) => `${usd(row.largest_position_usd)} USD`, align: 'right' },
            { header: 'MARKETS', cell: ({ markets }) => markets.map((id) => marketName(id)).join(', '), keep: 1 },
          ],
          empty: 'No mandate is signed. perp mandate add BOT writes one.',
        },
      );
    }
    const signed = readSigned(variables, bot);
    if (signed === undefined)
      throw notFoundFailure(
        `No mandate is signed for ${bot}.`,
        `perp mandate add ${bot} writes one; perp mandate lists the signed ones.`,
      );
    const { mandate, signedAt, hash } = signed;
    return recordOf({ bot, signed_at: signedAt, hash, ...termsRecord(mandate) }, () => [
      termsBlock(mandate),
      blank,
      line({ text: `signed ${dateTime(signedAt)}, ${hash.slice(0, 12)}`, tone: 'faint' }),
    ]);
  },
});

export const commands = { add, check, sign, show };
