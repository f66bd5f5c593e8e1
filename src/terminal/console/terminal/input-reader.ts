import { backgroundIn, backgroundReply, type Rgb } from './background.ts';

/** A key press, or text that was pasted (name `paste`). */
export interface Key {
  /** `a`, `?`, `up`, `return`, `escape`, `paste`. */
  readonly name: string;
  /** The typed text; empty for keys such as arrows. */
  readonly text: string;
  readonly ctrl: boolean;
  /** It was read together with other input: held down, pasted, or typed by a program. */
  readonly isInBurst?: boolean;
}

/**
 * A button of the mouse that was pressed, its wheel, or the left button moved or let go; columns and rows count from 1.
 */
export interface MousePress {
  readonly button: 'left' | 'middle' | 'right' | 'up' | 'down' | 'drag' | 'release';
  readonly column: number;
  readonly row: number;
  readonly isInBurst: boolean;
}

/** Input events from the terminal's user. */
export interface InputEvents {
  key(key: Key): void;
  mouse?(press: MousePress): void;
  /** The terminal's window got or lost the keyboard. */
  focus?(hasFocus: boolean): void;
  /** The terminal told its background color. */
  background?(color: Rgb): void;
}

/** The rest of a key's sequence comes at once; an ESC that nothing follows in this time was a key, ms. */
const restMs = 50;
/** Pasted text beyond this is dropped. */
const longestPaste = 1 << 16;
/** A sequence that is longer is not one. */
const longestSequence = 256;
const pasteEnd = '\u001b[201~';

type Read =
  | { readonly kind: 'key'; readonly key: Key }
  | { readonly kind: 'mouse'; readonly press: Omit<MousePress, 'isInBurst'> }
  | { readonly kind: 'focus'; readonly hasFocus: boolean }
  | { readonly kind: 'background'; readonly color: Rgb };

/**
 * Turns what a terminal sends into keys, one by one, pasted text as one piece, so that pasted letters never act as
 * keys, the mouse (SGR) and the focus. Says which keys came in one read: a person presses them one at a time.
 */
export class InputReader {
  readonly #events: InputEvents;
  /** The start of a sequence whose rest has not come. */
  #rest = '';
  #pasted: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(events: InputEvents) {
    this.#events = events;
  }

  /** Takes what was read at once. */
  take(text: string): void {
    clearTimeout(this.#timer);
    this.#rest += text;
    this.#tell(this.#parsed(false));
    // The letters of an answer that comes in parts never act as keys, however late the rest is.
    const isPending = this.#rest.startsWith(backgroundReply);
    if (this.#rest !== '' && !isPending) this.#timer = setTimeout(() => this.#flush(), restMs);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #flush(): void {
    this.#tell(this.#parsed(true));
  }

  #tell(read: readonly Read[]): void {
    const isInBurst = read.filter(isPress).length > 1;
    for (const one of read) {
      if (one.kind === 'key') this.#events.key(isInBurst ? { ...one.key, isInBurst } : one.key);
      else if (one.kind === 'mouse') this.#events.mouse?.({ ...one.press, isInBurst });
      else if (one.kind === 'focus') this.#events.focus?.(one.hasFocus);
      else this.#events.background?.(one.color);
    }
  }

  /** The complete input events; `isAll`: nothing more comes. */
  #parsed(isAll: boolean): Read[] {
    const found: Read[] = [];
    while (this.#rest !== '') {
      if (this.#pasted !== undefined) {
        if (!this.#takePasted(found)) break;
        continue;
      }
      const length = this.#rest.startsWith('\u001b') ? sequenceLength(this.#rest) : 1;
      if (length === undefined && !isAll && this.#rest.length < longestSequence) break;
      const [whole = ''] = length === 1 ? this.#rest : [this.#rest.slice(0, length ?? 1)];
      this.#rest = this.#rest.slice(whole.length);
      if (whole === '\u001b[200~') this.#pasted = '';
      else found.push(...meaningOf(whole));
    }
    return found;
  }

  /** Whether the end of the pasted text has come. */
  #takePasted(found: Read[]): boolean {
    const end = this.#rest.indexOf(pasteEnd);
    // The end may have come only in part.
    const upTo = end < 0 ? Math.max(0, this.#rest.length - pasteEnd.length + 1) : end;
    this.#pasted = `${this.#pasted}${this.#rest.slice(0, upTo)}`.slice(0, longestPaste);
    this.#rest = this.#rest.slice(end < 0 ? upTo : end + pasteEnd.length);
    if (end < 0) return false;
    found.push({ kind: 'key', key: { name: 'paste', text: this.#pasted, ctrl: false } });
    this.#pasted = undefined;
    return true;
  }
}

/** The length of the sequence that a text begins with; undefined if its rest has not come. */
function sequenceLength(text: string): number | undefined {
  const [, kind] = text;
  if (kind === undefined) return undefined;
  if (kind === '[') {
    for (let at = 2; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code >= 0x40 && code <= 0x7e) return at + 1;
      // Not a part of a sequence: a key that was pressed meanwhile.
      if (code < 0x20) return at;
    }
    return undefined;
  }
  if (kind === 'O') return text.length < 3 ? undefined : 3;
  if (kind === ']' || kind === 'P') {
    const ends = ['\u0007', '\u001b\\'].flatMap((end) => {
      const at = text.indexOf(end, 2);
      return at < 0 ? [] : [at + end.length];
    });
    return ends.length === 0 ? undefined : Math.min(...ends);
  }
  if (kind === '\u001b') return 1;
  return 1 + String.fromCodePoint(text.codePointAt(1)!).length;
}

/** The meaning of a whole sequence or character; nothing for the terminal's answers and unused keys. */
function meaningOf(text: string): Read[] {
  if (!text.startsWith('\u001b')) return [keyOf(text)];
  if (text === '\u001b') return [named('escape')];
  if (text === '\u001b[I' || text === '\u001b[O') return [{ kind: 'focus', hasFocus: text.endsWith('I') }];
  if (text.startsWith('\u001b[<')) return mouseOf(text);
  const color = backgroundIn(text);
  if (color !== undefined) return [{ kind: 'background', color }];
  const [, code = '', modifier, last = ''] = /^\u001b(?:\[|O)(\d{0,3})(?:;(\d{1,3}))?([A-Za-z~])$/.exec(text) ?? [];
  const name = last === '~' ? numbered[code] : lettered[last];
  if (name === undefined) return [];
  // Alt, Ctrl and their like make it another key.
  const isModified = modifier !== undefined && modifier !== '1';
  return isModified && modifier !== '2' ? [] : [named(name)];
}

/** Input that a person makes one at a time. */
function isPress(read: Read): boolean {
  if (read.kind === 'mouse') return read.press.button !== 'drag' && read.press.button !== 'release';
  return read.kind === 'key';
}

const lettered: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  Z: 'backtab',
};
const numbered: Readonly<Record<string, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
};
const controls: Readonly<Record<string, string>> = {
  '\r': 'return',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007f': 'backspace',
};

function keyOf(text: string): Read {
  const control = controls[text];
  if (control !== undefined) return named(control);
  const code = text.codePointAt(0)!;
  if (code < 0x20) return named(String.fromCharCode(code + 0x60), true);
  return { kind: 'key', key: { name: text, text, ctrl: false } };
}

function named(name: string, ctrl = false): Read {
  return { kind: 'key', key: { name, text: '', ctrl } };
}

const buttons: Readonly<Record<number, MousePress['button']>> = {
  0: 'left',
  1: 'middle',
  2: 'right',
  32: 'drag',
  64: 'up',
  65: 'down',
};

/** A press, without Shift, Alt and Ctrl; of releases and moves, only those of the left button mean something. */
function mouseOf(text: string): Read[] {
  const [, code, column, row, last] = /^\u001b\[<(\d{1,4});(\d{1,5});(\d{1,5})([Mm])$/.exec(text) ?? [];
  const isReleased = last === 'm' && Number(code) === 0;
  const button = last === 'M' ? buttons[Number(code)] : isReleased ? ('release' as const) : undefined;
  return button === undefined ? [] : [{ kind: 'mouse', press: { button, column: Number(column), row: Number(row) } }];
}
