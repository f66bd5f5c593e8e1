import type { Key } from '../terminal/raw-terminal.ts';
import type { Dialog } from './desk-view.ts';

/** The effect of a key on a dialog: the next dialog, and what to run or answer. */
export interface DialogStep {
  readonly dialog: Dialog | undefined;
  readonly run?: string;
  /** A line, or `y` for yes. */
  readonly answer?: string;
}

/** The effect of a key on a dialog. */
export function pressDialog(key: Key, dialog: Dialog): DialogStep {
  if (dialog.stage === 'typing') return pressTyping(key, dialog);
  if (dialog.stage === 'done') return { dialog: undefined };
  if (dialog.stage === 'running' || !dialog.isShown || key.name === 'paste') return { dialog };
  const { text, question, typed } = dialog;
  if (typed !== undefined) return pressAnswer(key, dialog, typed);
  // Only y means yes; a key pressed for something else means no.
  const isYes = key.name === 'y' || key.name === 'Y';
  const output = `${question} ${isYes ? 'yes' : 'no'}\n`;
  return { dialog: { stage: 'running', text, output }, answer: isYes ? 'y' : '' };
}

/** A key of an answer that is a line; Escape means no answer. */
function pressAnswer(key: Key, dialog: Dialog & { stage: 'asking' }, typed: string): DialogStep {
  const { text, question } = dialog;
  const answered = (answer: string): DialogStep => ({
    dialog: { stage: 'running', text, output: `${question}: ${answer}\n` },
    answer,
  });
  if (key.name === 'escape') return answered('');
  if (key.name === 'return' || key.name === 'enter') return answered(typed);
  if (key.name === 'backspace') return { dialog: { ...dialog, typed: typed.slice(0, -1) } };
  return { dialog: { ...dialog, typed: typed + key.text } };
}

function pressTyping(key: Key, dialog: Dialog & { stage: 'typing' }): DialogStep {
  const { text, cursor } = dialog;
  const typed = (next: string, at: number): DialogStep => ({ dialog: { stage: 'typing', text: next, cursor: at } });
  const insert = (piece: string) => typed(text.slice(0, cursor) + piece + text.slice(cursor), cursor + piece.length);
  if (key.name === 'escape') return { dialog: undefined };
  if (key.name === 'return' || key.name === 'enter') {
    if (text.trim() === '') return { dialog: undefined };
    return { dialog: { stage: 'running', text, output: '' }, run: text };
  }
  if (key.name === 'backspace')
    return cursor === 0 ? { dialog } : typed(text.slice(0, cursor - 1) + text.slice(cursor), cursor - 1);
  if (key.name === 'delete') return typed(text.slice(0, cursor) + text.slice(cursor + 1), cursor);
  if (key.name === 'left') return typed(text, Math.max(0, cursor - 1));
  if (key.name === 'right') return typed(text, Math.min(text.length, cursor + 1));
  if (key.name === 'home') return typed(text, 0);
  if (key.name === 'end') return typed(text, text.length);
  // Pasted lines become one line, which does not run before Enter.
  return key.text === '' ? { dialog } : insert(key.text.replace(/\p{Cc}+/gu, ' '));
}
