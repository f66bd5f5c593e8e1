import type { Account } from '../../contract/accounts.ts';
import type { ExitOperation, Position } from '../../contract/positions.ts';
import { exitNames, type Snapshot } from '../../desk/preview/exit-plan.ts';
import { accountRisk } from '../../desk/resolve/account.ts';
import { sizedQuote } from '../../desk/resolve/quote.ts';
import { exitPriceOf } from '../../desk/risk/cover.ts';
import { unrealizedPnl } from '../../desk/risk/profit.ts';
import { exitCodes } from '../../ground/failure/exit-codes.ts';
import { Failure } from '../../ground/failure/failure.ts';
import { quantity, usd } from '../../ground/text/format.ts';
import { exitGroupOf } from '../../terms/order-types.ts';
import type { Console } from '../console/console.ts';
import { goesTo } from '../console/where.ts';
import { type Block, blank, type Cell, fields, line } from '../output/result.ts';
import { sideCell } from '../views/tones.ts';
import { type Closed, exitTable, type PlannedExit, profitAt } from './exit-table.ts';

/**
 * The exits of a position after the operations: price, gain or loss, R multiple, and the room above the floors at a
 * stop. Throws a failure if an exit that is placed or moved would trigger at once.
 */
export async function exitPreview(
  console: Console,
  snapshot: Snapshot,
  operations: readonly ExitOperation[],
): Promise<Block[]> {
  const { position } = snapshot;
  const { account_id, market_id, side, size } = position;
  const [quote, account] = await Promise.all([
    sizedQuote(console, { market_id, account_id, side: side === 'long' ? 'sell' : 'buy', size }),
    accountRisk(console, account_id),
  ]);
  const exits = exitsAfter(snapshot, operations);
  for (const exit of exits) checkSide(position, exit, quote.mid);
  const feeBps = quote.estimated_fee === 0 ? 0 : (quote.fee_bps ?? 0);
  const closed: Closed = { side, entry: position.entry_price, feeBps, entryFee: 0 };
  return [
    line(
      { text: 'Exits', tone: 'strong' },
      '  ',
      sideCell(side),
      ` ${quantity(size)} ${position.symbol} at ${quantity(position.entry_price)}`,
      quote.mid === null ? '' : `, mark ${quantity(quote.mid)}`,
    ),
    fields(['on', await goesTo(console, account_id)]),
    ...exitTable(closed, exits),
    ...(exits.length === 0 ? [] : [blank]),
    ...afterwards(position, exits, { mark: quote.mid, closed, account }),
  ];
}

function exitsAfter({ exits }: Snapshot, operations: readonly ExitOperation[]): PlannedExit[] {
  const after = new Map<string, PlannedExit>(
    exits.map((exit) => [
      exit.id,
      { group: exitGroupOf(exit.type), price: exitPriceOf(exit), size: exit.size, was: undefined, id: exit.id },
    ]),
  );
  const placed: PlannedExit[] = [];
  for (const operation of operations) {
    if (operation.kind === 'place') {
      const { group, price, size } = operation;
      placed.push({ group, price, size, was: undefined, id: undefined });
      continue;
    }
    const exit = after.get(operation.order_id);
    if (exit === undefined) continue;
    if (operation.kind === 'cancel') after.delete(operation.order_id);
    else after.set(exit.id!, { ...exit, was: exit.price, price: operation.price, size: operation.size ?? exit.size });
  }
  return [...after.values(), ...placed];
}

/** A stop above the mark of a long would trigger at once; so would a target below it. */
function checkSide({ side, symbol, entry_price }: Position, exit: PlannedExit, mark: number | null): void {
  const isUntouched = exit.id !== undefined && exit.was === undefined;
  const wantsBelow = (exit.group === 'sl') === (side === 'long');
  if (mark === null || isUntouched || (wantsBelow ? exit.price < mark : exit.price > mark)) return;
  const isAtEntry = exit.group === 'sl' && (side === 'long' ? entry_price >= mark : entry_price <= mark);
  throw new Failure({
    exit: exitCodes.rejected,
    code: 'exit_side',
    ruleId: 'exit-side',
    message:
      `The ${exitNames[exit.group]} of a ${side} must be ${wantsBelow ? 'below' : 'above'} the mark ${quantity(mark)}; ` +
      `at ${quantity(exit.price)} it would trigger at once.${isAtEntry ? ' The position is losing.' : ''} Nothing was sent.`,
    hint: `Choose a price ${wantsBelow ? 'below' : 'above'} the mark, or close the position: perp positions close ${symbol}`,
  });
}

interface Now {
  mark: number | null;
  closed: Closed;
  account: Account;
}

/** The room left above the floors at the stops, and the size that the stops do not cover. */
function afterwards(position: Position, exits: readonly PlannedExit[], { mark, closed, account }: Now): Block[] {
  const stops = exits.filter(({ group }) => group === 'sl');
  const covered = stops.reduce((total, { size }) => total + size, 0);
  const open = Number((position.size - covered).toPrecision(14));
  const unstopped: Cell | undefined =
    open > 0 ? { text: `${quantity(open)} ${position.symbol} has no stop-loss`, tone: 'warn' } : undefined;
  if (mark === null || stops.length === 0) return [fields(['risk', unstopped])];
  const now = unrealizedPnl({ ...position, size: covered }, mark)!;
  const fromNow = stops.reduce((total, stop) => total + profitAt(closed, stop), 0) - now;
  const roomAfter = (room: number | null | undefined): Cell | undefined => {
    if (room === null || room === undefined) return undefined;
    const left = room + fromNow;
    if (left > 0) return `${usd(room)} USD, ${usd(left)} at the stop`;
    return { text: `${usd(room)} USD: the account fails before the stop`, tone: 'bad' };
  };
  return [
    fields(
      [
        'at the stop',
        { text: `${usd(Math.abs(fromNow))} USD ${fromNow < 0 ? 'less' : 'more'} equity than now`, tone: 'strong' },
      ],
      ['risk', unstopped],
      ['daily-loss room', roomAfter(account.risk?.daily_loss_room)],
      ['drawdown room', roomAfter(account.risk?.max_drawdown_room)],
    ),
  ];
}
