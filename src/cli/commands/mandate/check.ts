import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Block, blank, line, type Result, recordOf, tableOf } from '../../../console/output/result.ts';
import type { Mandate } from '../../../desk/mandate/mandate.ts';
import type { RoomToTrade } from '../../../desk/mandate/room-to-trade.ts';
import { allAccounts } from '../../../desk/resolve/account.ts';
import { allMarkets } from '../../../desk/resolve/market.ts';
import { exitCodes } from '../../../ground/failure/failure.ts';
import { dateTime, marketName, quantity } from '../../../ground/text/format.ts';

export const command = defineCommand({
  summary: 'Check a mandate, compare it with what was signed, and say what it allows now',
  description:
    'Exits 2 and reports the line if something in the file is wrong, 6 if nothing is signed, a term is looser ' +
    'than signed, or an account or a market is not there. Sends nothing but reads.',
  args: [{ name: 'file', kind: 'file', summary: 'the mandate: its file, or the name of its bot' }],
  examples: [['perp mandate check scalper', 'the terms in force, and the largest orders that they allow now']],
});

/** What one account may do now on one side of a market. */
interface Row extends RoomToTrade {
  readonly account_id: string;
  readonly market_id: string;
  readonly side: 'buy' | 'sell';
}

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { mandateFile, readMandate } = await import('../../../desk/mandate/mandate-file.ts');
  const { effectiveMandate, readSigned } = await import('../../../desk/mandate/signed.ts');
  const { termKey, wordsOf } = await import('../../../desk/mandate/terms.ts');
  const { termsBlock, termsRecord } = await import('../../../console/views/mandate-view.ts');
  const file = mandateFile(console.variables, input.file);
  const { mandate: own } = readMandate(file);
  const signed = readSigned(console.variables, own.name);
  const { mandate, looser } = signed === undefined ? { mandate: own, looser: [] } : effectiveMandate(signed, own);
  const keys = looser.map(termKey);
  const unknown = await unknownIds(console, mandate);
  const rows = await allowedNow(console, mandate, unknown);
  const isInForce = signed !== undefined && mandate.until > console.machine.now();
  const record = {
    file,
    name: own.name,
    signed_at: signed?.signedAt ?? null,
    hash: signed?.hash ?? null,
    in_force: isInForce,
    looser: keys,
    unknown,
    terms: termsRecord(mandate),
    allowed: rows,
  };
  const remarks = [
    unknown.length === 0 ? undefined : `Not there, so nothing is allowed: ${unknown.join(', ')}.`,
    signed === undefined ? 'It is not signed, so it is not in force: perp mandate sign FILE.' : undefined,
    keys.length === 0
      ? undefined
      : `Looser than signed, so not in force: ${keys.join(', ')}. perp mandate sign FILE agrees to them.`,
    mandate.until <= console.machine.now() ? `It is over since ${wordsOf('until', mandate.until)}.` : undefined,
  ].filter((text) => text !== undefined);
  return recordOf(
    record,
    () => [
      termsBlock(mandate),
      blank,
      ...remarks.map((text) => line({ text, tone: 'bad' })),
      ...(signed === undefined ? [] : [line({ text: `signed ${dateTime(signed.signedAt)}`, tone: 'faint' })]),
      blank,
      ...allowedBlocks(rows),
    ],
    signed === undefined || keys.length + unknown.length > 0 ? exitCodes.conflict : exitCodes.done,
  );
}

/** Accounts and markets that are not there. */
async function unknownIds(console: Console, { accounts, markets }: Mandate): Promise<string[]> {
  const [own, known] = await Promise.all([allAccounts(console), allMarkets(console)]);
  const ids = new Set([...own.map(({ id }) => id), ...known.map(({ market_id }) => market_id)]);
  return [...accounts, ...markets].filter((id) => !ids.has(id));
}

async function allowedNow(console: Console, mandate: Mandate, unknown: readonly string[]): Promise<Row[]> {
  const { readExposed } = await import('../../../desk/mandate/read-exposed.ts');
  const { roomToTrade } = await import('../../../desk/mandate/room-to-trade.ts');
  const now = console.machine.now();
  const rows: Row[] = [];
  const isKnown = (id: string) => !unknown.includes(id);
  const markets = mandate.markets.filter(isKnown);
  for (const account_id of mandate.accounts.filter(isKnown)) {
    const exposed = await readExposed(console, account_id, markets);
    for (const market_id of markets) {
      for (const side of ['buy', 'sell'] as const)
        rows.push({ account_id, market_id, side, ...roomToTrade(mandate, exposed, { market: market_id, side, now }) });
    }
  }
  return rows;
}

function allowedBlocks(rows: readonly Row[]): Block[] {
  if (rows.length === 0) return [];
  return [
    line('Allowed now, in one market order:'),
    tableOf(rows, [
      { header: 'ACCOUNT', cell: ({ account_id }) => account_id },
      { header: 'MARKET', cell: ({ market_id }) => marketName(market_id) },
      { header: 'SIDE', cell: ({ side }) => side },
      { header: 'UP TO', cell: ({ size }) => (size === null ? '-' : quantity(size)), align: 'right' },
      { header: 'STOP', cell: ({ stop }) => (stop === null ? '-' : quantity(stop)), align: 'right' },
      { header: '', cell: ({ why }) => why ?? '', keep: 1 },
    ]),
  ];
}
