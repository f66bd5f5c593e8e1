import { type Row, toned } from './cells.ts';
import type { Dialog } from './desk-view.ts';

/** A dialog in this many rows: the command, its output, and the question or a hint. */
export function dialogRows(dialog: Dialog, height: number): Row[] {
  const top: Row[] = [[], [toned('> perp ', 'faint'), ...commandCells(dialog)], []];
  const below = belowOf(dialog);
  const printed = dialog.stage === 'typing' ? [] : dialog.output.split('\n').slice(0, -1);
  const room = height - top.length - below.length;
  const fits = printed.length <= room;
  // A preview that is too long keeps its start, which describes the order, and its end, with the room to the floors.
  const half = Math.floor((room - 1) / 2);
  const hidden = printed.length - (room - 1);
  const shown = fits
    ? printed
    : [...printed.slice(0, half), `... ${hidden} more lines`, ...printed.slice(printed.length - (room - 1 - half))];
  return [...top, ...shown.map((text): Row => [text]), ...below];
}

function commandCells(dialog: Dialog): Row {
  if (dialog.stage !== 'typing') return [toned(dialog.text, 'strong')];
  const { text, cursor } = dialog;
  return [toned(text.slice(0, cursor), 'strong'), toned('_', 'warn'), toned(text.slice(cursor), 'strong')];
}

function belowOf(dialog: Dialog): Row[] {
  if (dialog.stage === 'typing') return [[toned('Enter shows the preview; Escape cancels.', 'faint')]];
  if (dialog.stage === 'asking') {
    const { question, typed } = dialog;
    return [[], [toned(typed === undefined ? `${question} (y/N)` : `${question}: ${typed}_`, 'warn')]];
  }
  return dialog.stage === 'done' ? [[], [toned('Any key goes back.', 'faint')]] : [[toned('...', 'faint')]];
}
