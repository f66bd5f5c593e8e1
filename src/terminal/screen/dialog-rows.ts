import { wrap } from '../../base/text/plain-text.ts';
import { fitted, type Row, stacked, toned, withMore } from '../console/charts/cells.ts';
import type { Dialog, Page } from './view.ts';

/** A dialog as it is drawn. */
export interface DialogFrame {
  readonly rows: Row[];
  readonly page: Page;
}

/** The number of rows needed to show a dialog completely. */
export function dialogHeight(dialog: Dialog, width: number): number {
  return 3 + commandRows(dialog, width).length + printedLines(dialog, width).length + belowOf(dialog, width).length;
}

/** A dialog in this many rows: the command, its output, which scrolls if it is longer, and the question or a hint. */
export function dialogFrame(dialog: Dialog, height: number, width = 100): DialogFrame {
  const isWhole = dialogHeight(dialog, width) <= height;
  const gap: Row[] = isWhole || dialog.stage === 'typing' ? [[]] : [];
  const command = commandRows(dialog, width);
  const top = [...gap, ...(isWhole || dialog.stage === 'typing' ? command : stacked(command, 1, width)), ...gap];
  const below = [...gap.slice(dialog.stage === 'typing' ? 1 : 0), ...belowOf(dialog, width)];
  const printed = printedLines(dialog, width);
  const room = Math.max(0, height - top.length - below.length);
  const isCut = printed.length > room;
  const size = isCut ? Math.max(1, room - 1) : room;
  const most = Math.max(0, printed.length - size);
  const from = dialog.stage === 'typing' ? 0 : Math.min(dialog.scroll ?? 0, most);
  const shown = printed.slice(from, from + size);
  const where = `Lines ${from + 1} to ${from + shown.length} of ${printed.length}; up, down, PgUp, PgDn and the wheel scroll.`;
  const mark: Row[] = isCut ? [fitted([toned(where, 'warn')], width)] : [];
  return { rows: [...top, ...shown.map((text): Row => [text]), ...mark, ...below], page: { size, most } };
}

function printedLines(dialog: Dialog, width: number): string[] {
  if (dialog.stage === 'typing') return [];
  const lines = dialog.output.split('\n').slice(0, -1);
  return lines.flatMap((text) => (text.length <= width ? [text] : wrap(text, width, '').split('\n')));
}

/** The line, on as many rows as it needs. */
function commandRows(dialog: Dialog, width: number): Row[] {
  const isSearch = dialog.stage === 'typing' && dialog.pick !== undefined;
  const prompt = isSearch ? '/ ' : /^\s*arm(\s|$)/.test(dialog.text) ? '> ' : '> perp ';
  const at = dialog.stage === 'typing' ? dialog.cursor : -1;
  const shown = at < 0 ? dialog.text : `${dialog.text.slice(0, at)}_${dialog.text.slice(at)}`;
  const room = Math.max(10, width - prompt.length);
  let from = 0;
  return brokenAt(shown, room).map((part, index): Row => {
    const cursor = at - from;
    from += part.length;
    const lead = index === 0 ? toned(prompt, 'faint') : ' '.repeat(prompt.length);
    if (cursor < 0 || cursor >= part.length) return [lead, toned(part, 'strong')];
    return [lead, toned(part.slice(0, cursor), 'strong'), toned('_', 'warn'), toned(part.slice(cursor + 1), 'strong')];
  });
}

/** The markets found, the selected one in sight. */
function foundRows({ offers = [], pick = 0 }: Dialog & { stage: 'typing' }, width: number): Row[] {
  const from = Math.max(0, pick - 8);
  const shown = offers
    .slice(from, from + 10)
    .map((name, at): Row => [from + at === pick ? toned(`> ${name}`, 'strong') : `  ${name}`]);
  const hint = offers.length === 0 ? 'No market has this in its name.' : 'Enter shows it; up, down select; Esc leaves.';
  return [...shown, withMore([toned(hint, 'faint')], offers.length - shown.length, width)];
}

/** The parts of a typed line, broken after a space where there is one. */
function brokenAt(text: string, room: number): string[] {
  if (text.length <= room) return [text];
  const space = text.lastIndexOf(' ', room - 1);
  const end = space < 1 ? room : space + 1;
  return [text.slice(0, end), ...brokenAt(text.slice(end), room)];
}

function belowOf(dialog: Dialog, width: number): Row[] {
  const toRows = (text: string, tone: 'warn' | 'strong') =>
    wrap(text, width, '')
      .split('\n')
      .map((part): Row => [toned(part, tone)]);
  if (dialog.stage === 'typing' && dialog.pick !== undefined) return foundRows(dialog, width);
  if (dialog.stage === 'typing') {
    const offers = (dialog.offers ?? []).join('  ');
    const hint = toned('Enter previews; Esc cancels; Tab completes.', 'faint');
    return [...(offers === '' ? [] : stacked(toRows(offers, 'strong'), 4, width)), fitted([hint], width)];
  }
  if (dialog.stage === 'asking') {
    const { question, typed } = dialog;
    return toRows(typed === undefined ? `${question} (y/N)` : `${question}: ${typed}_`, 'warn');
  }
  return dialog.stage === 'done' ? [[toned('Any key goes back.', 'faint')]] : [[toned('...', 'faint')]];
}
