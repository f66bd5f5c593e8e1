import type { Position } from '../../contract/positions.ts';
import type { End, Floor } from '../../desk/risk/breach.ts';
import { type AtRisk, type Cover, exitPriceOf, stopText } from '../../desk/risk/cover.ts';
import { endOf, type Outlook } from '../../desk/risk/outlook.ts';
import { percentText, quantity, roughPrice, usd } from '../../ground/text/format.ts';
import type { Cell } from '../output/result.ts';

/** The same as a cell, in warning colors if something is uncovered; empty if the exits are unknown. */
export function stopCell({ size }: Pick<Position, 'size'>, cover: Cover | undefined): Cell {
  if (cover === undefined) return '';
  const text = stopText(cover.stops.map(exitPriceOf)[0], cover.covered, size);
  return cover.uncovered === 0 ? text : { text, tone: 'warn' };
}

/** The take-profit that the mark reaches first. */
export function targetText(cover: Cover | undefined): string {
  const first = cover?.targets[0];
  return first === undefined ? '' : quantity(exitPriceOf(first));
}

/** What a position may still lose: `250.00`, in warning colors if a part of it has no stop. */
export function riskCell(cover: Cover | undefined, { loss }: AtRisk): Cell {
  if (cover === undefined || loss === undefined) return '';
  return cover.uncovered === 0 ? usd(loss) : { text: usd(loss), tone: 'warn' };
}

/** `+1.20R`. */
export function multipleText({ r }: AtRisk): string {
  if (r === undefined) return '';
  const text = r.toFixed(2);
  return Number(text) === 0 ? '0.00R' : `${r < 0 ? '' : '+'}${text}R`;
}

/** What ends a position first, as a labeled field: the floor that its account touches, else its liquidation. */
export function endField(
  position: Pick<Position, 'side' | 'liquidation_price' | 'market_id'>,
  outlook: Outlook,
  mark: number | undefined,
): readonly [label: string, value: Cell] {
  const end = endOf(position, outlook);
  if (end?.by !== 'floor') return ['liquidation', end === undefined ? 'out of reach' : roughPrice(end.price)];
  return ['breach', breachText(end.price, mark, outlook.floor)];
}

/** `93028.8 (-3.1%), maximum drawdown`. */
export function breachText(price: number, mark: number | undefined, floor: Floor | undefined): Cell {
  const move = mark === undefined ? '' : ` (${percentText(((price - mark) / mark) * 100)})`;
  return { text: `${quantity(price)}${move}, ${floor?.name ?? 'floor'}`, tone: 'strong' };
}

/** The same in a table: `93028.8 floor`, `90909.1 liq`. */
export function endCell(position: Position, outlook: Outlook): Cell {
  const end = endOf(position, outlook);
  return end === undefined ? '' : shortText(end);
}

function shortText({ by, price }: End): string {
  return by === 'floor' ? `${quantity(price)} floor` : `${roughPrice(price)} liq`;
}
