import type { Order } from '../../contract/orders.ts';
import type { TwapOrder } from '../../contract/strategies.ts';
import { isWorking } from '../../desk/risk/cover.ts';
import { counted, dateTime, quantity, word } from '../../ground/text/format.ts';
import { marketName } from '../../ground/text/market-name.ts';
import { type Block, blank, type Cell, type Column, line, tableOf } from '../output/result.ts';
import { orderColumns } from './order-view.ts';
import { sideCell, statusCell } from './tones.ts';

/** A row of the table: an order, an attached exit of an entry, or a TWAP in place of its slices. */
type Row = Order | { readonly cells: Cells };

/** Cells by header. */
type Cells = Readonly<Partial<Record<string, Cell>>>;

/**
 * Working orders, then ended ones, with titles if there are both. Entries come first in their market, each with its
 * attached exits, and the exits of positions last; a TWAP stands for its slices.
 */
export function orderListBlocks(
  orders: readonly Order[],
  { running, ended: over }: { running: readonly TwapOrder[]; ended: readonly TwapOrder[] },
): Block[] {
  const folds = new Set(running.map(({ id }) => id));
  const isShown = (order: Order) => order.twap_order_id === undefined || !folds.has(order.twap_order_id);
  const working = workingRows(
    orders.filter((order) => isWorking(order) && isShown(order)),
    running,
  );
  const ended = endedRows(
    orders.filter((order) => !isWorking(order) && isShown(order)),
    over,
  );
  if (working.length === 0 || ended.length === 0) return [tableOf([...working, ...ended], columns)];
  const title = (text: string) => line({ text, tone: 'strong' });
  return [title('Working'), tableOf(working, columns), blank, title('Ended'), tableOf(ended, columns)];
}

const columns: readonly Column<Row>[] = orderColumns.map((column) => ({
  ...column,
  cell: (row) => ('cells' in row ? (row.cells[column.header] ?? '') : column.cell(row)),
}));

function workingRows(orders: readonly Order[], twaps: readonly TwapOrder[]): Row[] {
  const markets = new Set([...orders, ...twaps].map(({ market_id }) => market_id));
  return [...markets].flatMap((market) => {
    const here = orders.filter(({ market_id }) => market_id === market);
    const exits = here.filter((order) => order.reduce_only && order.target_position_id !== undefined);
    return [
      ...here.filter((order) => !exits.includes(order)).flatMap((order) => [order, ...legsOf(order)]),
      ...twaps.filter(({ market_id }) => market_id === market).map(twapRow),
      ...[...Map.groupBy(exits, pairOf).values()].flat(),
    ];
  });
}

/** The same for both orders of an OCO pair. */
function pairOf({ id, oco_sibling_order_id: sibling = id }: Order): string {
  return id < sibling ? id : sibling;
}

/** From an entry's first fill on, its legs are exits of the position. */
function legsOf(entry: Order): Row[] {
  if ((entry.filled_size ?? 0) > 0) return [];
  const legs = [
    ['stop_loss', entry.attached_stop_loss_price],
    ['take_profit', entry.attached_take_profit_price],
  ] as const;
  return legs.flatMap(([kind, price]) => (price === undefined ? [] : legRow(entry, kind, price)));
}

function legRow(entry: Order, kind: string, price: number): Row {
  return {
    cells: {
      MARKET: marketName(entry.market_id, entry.symbol),
      KIND: `  ${kind}`,
      SIDE: sideCell(entry.side === 'buy' ? 'sell' : 'buy'),
      SIZE: quantity(entry.size),
      PRICE: `@${quantity(price)}`,
      STATUS: { text: 'attached', tone: 'faint' },
      'PART OF': entry.id,
    },
  };
}

function twapRow(twap: TwapOrder): Row {
  return {
    cells: {
      TIME: dateTime(twap.started_at),
      MARKET: marketName(twap.market_id, twap.symbol),
      KIND: word(twap.strategy),
      SIDE: sideCell(twap.side),
      SIZE: quantity(twap.total_size),
      PRICE: twap.average_price === undefined ? '' : quantity(twap.average_price),
      FILLED: `${quantity(twap.filled_size)} of ${quantity(twap.total_size)}`,
      STATUS: statusCell(twap.status),
      REASON: twap.completion_reason ?? '',
      ID: twap.id,
    },
  };
}

/** Slices are folded where the newest of them stands. */
function endedRows(orders: readonly Order[], twaps: readonly TwapOrder[]): Row[] {
  const slices = Map.groupBy(orders, ({ twap_order_id }) => twap_order_id);
  return orders.flatMap((order): Row[] => {
    const id = order.twap_order_id;
    const own = slices.get(id) ?? [];
    if (id === undefined) return [order];
    if (own[0] !== order) return [];
    const twap = twaps.find((one) => one.id === id);
    return [twap === undefined ? slicesRow(id, own) : twapRow(twap)];
  });
}

/** Slices of a TWAP that is not known itself. */
function slicesRow(id: string, slices: readonly Order[]): Row {
  const newest = slices[0]!;
  const filled = slices.reduce((sum, { filled_size = 0 }) => sum + filled_size, 0);
  return {
    cells: {
      TIME: dateTime(newest.requested_at),
      MARKET: marketName(newest.market_id, newest.symbol),
      KIND: counted(slices.length, 'slice'),
      SIDE: sideCell(newest.side),
      FILLED: quantity(Number(filled.toPrecision(14))),
      ID: id,
    },
  };
}
