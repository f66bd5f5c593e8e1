import type { Key } from '../terminal/raw-terminal.ts';
import type { Dialog } from './desk-view.ts';

/** The effect of a key on a dialog: the next dialog, and what to run or answer. */
export interface DialogStep {
  readonly dialog: Dialog | undefined;
  readonly run?: string;
  readonly answer?: boolean;
}

/** The effect of a key on a dialog. */
export function pressDialog(key: Key, dialog: Dialog): DialogStep {
  if (dialog.stage === 'typing') return pressTyping(key, dialog);
  if (dialog.stage === 'done') return { dialog: undefined };
  if (dialog.stage === 'running' || !dialog.isShown || key.name === 'paste') return { dialog };
  const { text, question } = dialog;
  // Only y means yes; a key pressed for something else means no.
  const answer = key.name === 'y' || key.name === 'Y';
  return { dialog: { stage: 'running', text, output: `${question} ${answer ? 'yes' : 'no'}\n` }, answer };
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
