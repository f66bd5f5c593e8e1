import type { LiveModel } from '../../desk/watch/live-model.ts';
import type { Row } from '../console/charts/cells.ts';
import type { Key } from '../console/terminal/input-reader.ts';
import type { Runner } from './running-command.ts';

/** The screen functions available to a deck. */
export interface DeckScreen {
  readonly model: LiveModel;
  /** Something changed. */
  changed(): void;
  /** Shows a sentence until the next key. */
  say(text: string): void;
  /** Types the start of a line, to be completed. */
  type(line: string): void;
  /** Leaves the screen. */
  end(): void;
}

/** The control that moves a live screen's clock, with its own row, keys and typed lines: a practice. */
export interface Deck {
  /** Keys and what they do, for the page of help. */
  readonly keys: readonly (readonly [string, string])[];
  /** The row below the first one. */
  row(width: number): Row;
  open(screen: DeckScreen): void;
  /** Takes a key while nothing is typed or asked; false: it is not one of its own. */
  press(key: Key): boolean;
  /** Runs a typed line; undefined if it isn't one of its own. */
  runnerOf(line: string): Runner | undefined;
  close(): void;
}
