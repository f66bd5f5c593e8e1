import type { Position } from '../../contract/positions.ts';
import type { End, Floor } from '../../desk/risk/breach.ts';
import { endOf, type Outlook } from '../../desk/risk/outlook.ts';
import { percentText, quantity, roughPrice } from '../../ground/text/format.ts';
import type { Cell } from '../output/result.ts';

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
