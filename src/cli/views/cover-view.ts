import type { Position } from '../../contract/positions.ts';
import { type AtRisk, type Cover, exitPriceOf, stopText } from '../../desk/risk/cover.ts';
import { quantity, usd } from '../../ground/text/format.ts';
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
