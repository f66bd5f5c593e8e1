import { quantity, roughPrice, usd, word } from '../../base/text/format.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import type { Order } from '../../wire/contract/orders.ts';
import { profitCell, sideCell, statusCell } from '../console/output/result.ts';
import { multipleText, riskCell, stopCell, targetText } from '../console/views/position-view.ts';
import { definePanel, type Panel } from './panel.ts';

/** At most so many fills are shown. */
const maxShownFills = 8;

const positions = definePanel({
  title: 'Positions',
  place: 'above',
  selectFrom: () => 0,
  none: 'No open positions',
  items: ({ account }, { held }) => (account === undefined ? undefined : held),
  columns: () => [
    { header: 'POSITION', cell: ({ position }) => ({ text: position.symbol, tone: 'strong' }) },
    { header: 'SIDE', cell: ({ position }) => sideCell(position.side) },
    { header: 'SIZE', cell: ({ position }) => quantity(position.size), align: 'right' },
    { header: 'ENTRY', cell: ({ position }) => quantity(position.entry_price), align: 'right', keep: 5 },
    // The row of markets has it, too.
    { header: 'MARK', cell: ({ mid }) => (mid === undefined ? '' : quantity(mid)), align: 'right', keep: 3 },
    { header: 'PNL', cell: ({ profit }) => profitCell(profit), align: 'right' },
    { header: 'STOP', cell: ({ position, cover }) => stopCell(position, cover), align: 'right', keep: 10 },
    { header: 'TARGET', cell: ({ cover }) => targetText(cover), align: 'right', keep: 9 },
    { header: 'RISK', cell: ({ cover, risk }) => riskCell(cover, risk), align: 'right', keep: 9.5 },
    { header: 'R', cell: ({ risk }) => multipleText(risk), align: 'right', keep: 6 },
    {
      header: 'ENDS AT',
      cell: ({ end }) => (end === undefined ? '' : `${roughPrice(end.price)} ${end.by === 'floor' ? 'floor' : 'liq'}`),
      keep: 7,
    },
    {
      header: 'LEVERAGE',
      cell: ({ position }) => `${quantity(position.leverage)}x ${word(position.margin_mode)}`,
      keep: 1,
    },
  ],
});

const orders = definePanel({
  title: 'Orders',
  place: 'above',
  selectFrom: ({ held }) => held.length,
  none: 'No working orders',
  items: ({ account }, { orders: working }) => (account === undefined ? undefined : working),
  columns: (model) => [
    { header: 'ORDER', cell: ({ symbol }) => ({ text: symbol, tone: 'strong' }) },
    { header: 'SIDE', cell: ({ side }) => sideCell(side) },
    { header: 'SIZE', cell: ({ size }) => quantity(size), align: 'right' },
    { header: 'KIND', cell: ({ mode, reduce_only }) => `${mode}${reduce_only ? ' reduce' : ''}`, keep: 4 },
    {
      header: 'PRICE',
      cell: ({ trigger_price: trigger, limit_price: limit }) =>
        [trigger === undefined ? '' : `@${quantity(trigger)}`, limit === undefined ? '' : quantity(limit)]
          .filter((part) => part !== '')
          .join(' '),
      align: 'right',
    },
    { header: 'AWAY', cell: (order) => awayText(order, model), align: 'right', keep: 5 },
    { header: 'STATUS', cell: ({ status }) => (status === 'resting' ? '' : statusCell(status)), keep: 2 },
    { header: 'ID', cell: ({ id }) => id, keep: 1 },
  ],
});

const fills = definePanel<Order>({
  title: 'Fills',
  place: 'below',
  none: 'No fills yet',
  most: maxShownFills,
  items: (model) => (model.areFillsKnown ? ownFills(model) : undefined),
  columns: () => [
    { header: 'FILLED', cell: (fill) => new Date(fill.settled_at ?? fill.requested_at).toISOString().slice(11, 19) },
    { header: 'MARKET', cell: ({ symbol }) => symbol },
    { header: 'SIDE', cell: ({ side }) => sideCell(side) },
    { header: 'SIZE', cell: ({ size }) => quantity(size), align: 'right' },
    { header: 'PRICE', cell: ({ fill_price: price }) => (price === undefined ? '' : quantity(price)), align: 'right' },
    { header: 'PNL', cell: ({ realized_pnl: pnl }) => (pnl === 0 ? '' : profitCell(pnl)), align: 'right', keep: 2 },
    { header: 'FEE', cell: ({ fee }) => (fee === undefined ? '' : usd(fee)), align: 'right', keep: 1 },
  ],
});

/** The panels, from top to bottom. */
export const panels: readonly Panel[] = [positions, orders, fills];

/** How far an order's price is from the midpoint. */
function awayText(order: Order, model: LiveModel): string {
  const price = order.trigger_price ?? order.limit_price;
  const mid = model.mid(order.trigger_market_id ?? order.market_id);
  if (price === undefined || mid === undefined) return '';
  const percent = (price / mid - 1) * 100;
  return `${percent > 0 ? '+' : ''}${percent.toFixed(2)}%`;
}

function ownFills({ fills: all, accountId }: LiveModel): readonly Order[] {
  return all.filter(({ account_id }) => account_id === accountId);
}
