import { quantity, shareText, stretch, usd } from '../../base/text/format.ts';
import { wrap } from '../../base/text/plain-text.ts';
import { besideText } from '../../desk/preview/judged.ts';
import type { Ticket } from '../../desk/watch/ticket.ts';
import { cutText, fitted, type Row, stacked, toned } from '../console/charts/cells.ts';
import type { CockpitShown } from './cockpit.ts';

/** The bar of armed keys, over the whole width: impossible to miss, with or without colors. */
export function armedRow(shown: NonNullable<CockpitShown['armed']>, width: number): Row {
  const { place, terms, leftMs, idleLeftMs, reportsFocus, lostUsd } = shown;
  const lost = lostUsd === undefined ? '' : ` (${usd(Math.max(0, lostUsd))})`;
  const idle = reportsFocus ? `idle ${stretch(idleLeftMs)}` : `idle ${stretch(idleLeftMs)}, focus not reported`;
  const text = `ARMED ${place}  ${stretch(Math.max(1_000, leftMs))}  ${idle}  ${terms}${lost}`;
  const cut = cutText(text, Math.max(0, width - 8));
  return fitted([toned(`>>> ${cut} ${'>'.repeat(Math.max(3, width - cut.length - 5))}`, 'alarm')], width);
}

/**
 * A ticket in a limited number of rows, the most important first: the effect of its order at the prices on the screen.
 */
export function ticketRows(ticket: Ticket, width: number, height: number): Row[] {
  const { order, quote, price, notional, fee, worst, end, breach, carry, r, floor, cover, isTaker } = ticket;
  const room = floor?.room;
  const fill =
    quote.fillable === false && isTaker
      ? 'more than the streamed levels show'
      : price === undefined
        ? 'not known'
        : `${quantity(price)}${isTaker && quote.worst_price !== undefined ? `, worst ${quantity(quote.worst_price)}` : ''}`;
  const known = (value: number | undefined, text: (value: number) => string) =>
    value === undefined ? 'not known' : text(value);
  const covers = cover === undefined ? 'flat' : cover.size === 0 ? 'flat' : shareText(cover.covered / cover.size);
  const lost =
    worst === undefined
      ? end?.by === 'floor' && room !== undefined
        ? `${usd(room)} USD, all of the room`
        : 'no stop or end in reach'
      : `${usd(worst.loss)} USD at the ${worst.at}${besideText(worst.beside, ticket)}`;
  const left = room === undefined || worst === undefined ? undefined : room - worst.loss;
  const rows: (readonly [string, string])[] = [
    ['fill', fill],
    ['cost', `${known(notional, usd)} USD, fee ${known(fee, usd)}`],
    ['worst case', lost],
    ['room left', room === undefined ? 'no floor known' : `${usd(left ?? room)} of ${usd(room)} USD`],
    ['cover', covers],
    ['R', known(r, (value) => `${value} at the target`)],
    ['carry', `${known(carry, usd)} USD until tomorrow`],
  ];
  const bad = breach === undefined ? [] : wrap(breach.text, width, '').split('\n').slice(0, 4);
  const shown = [
    ...bad.map((text): Row => [toned(text, 'bad')]),
    ...rows.map(([label, text]): Row => fitted([toned(label.padEnd(11), 'faint'), text], width)),
  ];
  const head = `Ticket, live: ${order.side} ${quantity(order.size)} ${order.type ?? ''}`;
  const all: Row[] = shown.length < height ? [[toned(head, 'faint')], ...shown] : shown;
  return stacked(all, Math.min(all.length, height), width);
}

/** The outcome of the latest keys, in a limited number of rows. */
export function saidRows(said: CockpitShown['said'], width: number, height: number): Row[] {
  const rows = said.flatMap(({ text, isBad }) =>
    wrap(text, Math.max(10, width), '')
      .split('\n')
      .map((part): Row => [toned(part, isBad ? 'bad' : undefined)]),
  );
  return height <= 0 ? [] : rows.slice(-height);
}
