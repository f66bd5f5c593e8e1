import type { Flattened } from '../../desk/writes/flatten.ts';
import { type ExitCode, exitCodes } from '../../ground/failure/exit-codes.ts';
import { hintFor } from '../../ground/failure/hints.ts';
import { counted, quantity, signedUsd, usd, word } from '../../ground/text/format.ts';
import { type Block, type Cell, line, type RecordResult, recordOf } from '../output/result.ts';

/** The result of flattening one or more accounts: exit 9 lists what is left, 130 also what was done before Ctrl-C. */
export function flattenedRecord(accounts: readonly Flattened[]): RecordResult {
  const blocks = () => accounts.flatMap(blocksOf);
  return { ...recordOf({ accounts }, blocks, exitOf(accounts)), rows: accounts };
}

function exitOf(accounts: readonly Flattened[]): ExitCode {
  if (accounts.some(({ interrupted }) => interrupted)) return exitCodes.interrupted;
  if (accounts.some(({ left, outcome_unknown: unknown }) => left === null && unknown)) return exitCodes.outcomeUnknown;
  if (accounts.some((account) => !isFlat(account))) return exitCodes.incomplete;
  return accounts.some(({ outcome_unknown: unknown }) => unknown) ? exitCodes.outcomeUnknown : exitCodes.done;
}

/** Whether nothing is open or working anymore. */
export function isFlat({ left }: Flattened): boolean {
  return left !== null && Object.values(left).every((ids) => ids?.length === 0);
}

function blocksOf(account: Flattened): Block[] {
  const { canceled, closed, failures } = account;
  const done = [
    counts(canceled.twaps, 'TWAP', 'stopped'),
    counts(canceled.ladders, 'ladder', 'canceled'),
    counts(canceled.orders, 'order', 'canceled'),
  ].filter((text) => text !== '');
  return [
    line({ text: account.account_id, tone: 'strong' }, '  ', stateCell(account)),
    ...(done.length === 0 ? [] : [line(`  ${done.join(', ')}`)]),
    ...closed.map((order) => {
      const filled = order.filled_size ?? 0;
      const at = order.fill_price === undefined ? '' : ` at ${quantity(order.fill_price)}`;
      const gained =
        order.realized_pnl === undefined
          ? ''
          : `, realized ${signedUsd(order.realized_pnl)} USD, fee ${usd(order.fee ?? 0)} USD`;
      const size = filled > 0 ? filled : order.size;
      return line(`  ${word(order.status)}  ${word(order.side)} ${quantity(size)} ${word(order.symbol)}${at}${gained}`);
    }),
    ...leftBlocks(account),
    ...failures.map(({ what, id, code, message }) => {
      const hint = hintFor(code, code);
      return line({
        text: `  ${what} ${id}: ${message} (${code})${hint === undefined ? '' : ` ${hint}`}`,
        tone: 'bad',
      });
    }),
  ];
}

function stateCell(account: Flattened): Cell {
  const { interrupted, left, outcome_unknown: unknown } = account;
  if (left === null) return { text: 'What is left could not be fetched.', tone: 'bad' };
  const again = 'run perp flatten again to continue.';
  if (interrupted && !isFlat(account)) return { text: `Interrupted, and not flat yet; ${again}`, tone: 'bad' };
  if (!isFlat(account)) return { text: `Not flat; ${again}`, tone: 'bad' };
  if (unknown) return { text: 'Flat, but a write got no answer: see perp pending.', tone: 'warn' };
  return { text: 'Flat; no working orders.', tone: 'good' };
}

function leftBlocks({ left }: Flattened): Block[] {
  if (left === null) return [];
  const listed = [
    ['position', left.positions],
    ['order', left.orders],
    ['TWAP', left.twaps],
  ] as const;
  return listed.flatMap(([noun, ids]) => {
    if (ids === null) return [line({ text: `  left: unknown, the ${noun}s could not be fetched`, tone: 'bad' })];
    if (ids.length === 0) return [];
    return [line({ text: `  left: ${counted(ids.length, noun)} (${ids.map(word).join(', ')})`, tone: 'bad' })];
  });
}

function counts(ids: readonly string[], noun: string, done: string): string {
  return ids.length === 0 ? '' : `${counted(ids.length, noun)} ${done}`;
}
