import { wrap } from '../../base/text/plain-text.ts';
import { type Row, toned } from '../console/charts/cells.ts';
import type { Dialog } from './view.ts';

/** A dialog in this many rows: the command, its output, and the question or a hint. */
export function dialogRows(dialog: Dialog, height: number, width = 100): Row[] {
  const top: Row[] = [[], ...commandRows(dialog, width), []];
  const below = belowOf(dialog, width);
  const printed = dialog.stage === 'typing' ? [] : printedLines(dialog.output, width);
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

function printedLines(output: string, width: number): string[] {
  const lines = output.split('\n').slice(0, -1);
  return lines.flatMap((text) => (text.length <= width ? [text] : wrap(text, width, '').split('\n')));
}

/** The line, on as many rows as it needs. */
function commandRows(dialog: Dialog, width: number): Row[] {
  const prompt = /^\s*arm(\s|$)/.test(dialog.text) ? '> ' : '> perp ';
  const at = dialog.stage === 'typing' ? dialog.cursor : -1;
  const shown = at < 0 ? dialog.text : `${dialog.text.slice(0, at)}_${dialog.text.slice(at)}`;
  const room = Math.max(10, width - prompt.length);
  const parts = Array.from({ length: Math.max(1, Math.ceil(shown.length / room)) }, (_, index) => index * room);
  return parts.map((from, index): Row => {
    const part = shown.slice(from, from + room);
    const cursor = at - from;
    const lead = index === 0 ? toned(prompt, 'faint') : ' '.repeat(prompt.length);
    if (cursor < 0 || cursor >= part.length) return [lead, toned(part, 'strong')];
    return [lead, toned(part.slice(0, cursor), 'strong'), toned('_', 'warn'), toned(part.slice(cursor + 1), 'strong')];
  });
}

function belowOf(dialog: Dialog, width: number): Row[] {
  const inWarn = (text: string) =>
    wrap(text, width, '')
      .split('\n')
      .map((part): Row => [toned(part, 'warn')]);
  if (dialog.stage === 'typing') {
    const offers = (dialog.offers ?? []).slice(0, 24).join('  ');
    const shown = offers === '' ? [] : wrap(offers, width, '').split('\n').slice(0, 4);
    return [
      ...shown.map((text): Row => [toned(text, 'strong')]),
      [toned('Enter shows the preview; Escape cancels; Tab completes.'.slice(0, width), 'faint')],
    ];
  }
  if (dialog.stage === 'asking') {
    const { question, typed } = dialog;
    return [[], ...inWarn(typed === undefined ? `${question} (y/N)` : `${question}: ${typed}_`)];
  }
  return dialog.stage === 'done' ? [[], [toned('Any key goes back.', 'faint')]] : [[toned('...', 'faint')]];
}
