import type { ExitCode } from '../../base/failure/failure.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import type { KnownOperationId } from '../../wire/contract/operations.ts';
import type { CreateOrderRequest } from '../../wire/contract/orders.ts';
import type { Row } from '../console/charts/cells.ts';
import type { Glyphs } from '../console/charts/glyphs.ts';
import type { Console } from '../console/console.ts';
import type { Key } from '../console/terminal/input-reader.ts';
import type { ScreenSize } from './panels.ts';

/** A command typed on the live screen, from its first character to its result. */
export type Dialog =
  | {
      readonly stage: 'typing';
      readonly text: string;
      readonly cursor: number;
      /** The number of lines back in the history, and the line typed before that. */
      readonly back?: number;
      readonly kept?: string;
      /** Words that may come next. */
      readonly offers?: readonly string[];
      /** A search for a market: the position of the selected one among those found. */
      readonly pick?: number;
    }
  | ({ readonly stage: 'running'; readonly text: string; readonly output: string } & Scrolled)
  | ({
      readonly stage: 'asking';
      readonly text: string;
      readonly output: string;
      readonly question: string;
      /** The order that is sent for a yes. */
      readonly order?: CreateOrderRequest | undefined;
      /** The text typed so far, if the answer is a line rather than y or n. */
      readonly typed?: string;
      /** Keys pressed before the question was on the screen do not answer it. */
      readonly isShown: boolean;
    } & Scrolled)
  | ({ readonly stage: 'done'; readonly text: string; readonly output: string } & Scrolled);

/** The scroll position in the output, in lines from its start. */
interface Scrolled {
  readonly scroll?: number;
}

/** The drawn part of a scrolling list: the number of rows, and the furthest position. */
export interface Page {
  readonly size: number;
  readonly most: number;
}

/** The user's choices of what to show. It changes with keys and commands, never with events of streams. */
export interface ScreenView {
  readonly mode: 'watching' | 'help';
  /** The page of the help, from 0; after the last, it starts over. */
  readonly helpPage: number;
  /** Trading keys work only after `t`. */
  readonly isTrading: boolean;
  /** The price ladder: hidden, in place of the book, or at full height. */
  readonly ladder: 'off' | 'pane' | 'whole';
  /** The panel that takes the place of all others, by index. */
  readonly zoom: number | undefined;
  /** The scroll position of such a panel, if its rows can't be selected. */
  readonly scroll: number;
  /** Index of the selected row: positions first, then orders. */
  readonly selected: number;
  readonly dialog: Dialog | undefined;
  /** Lines that were run before, oldest first. */
  readonly history: readonly string[];
  /** Shown in the last row until the next key. */
  readonly notice: string | undefined;
}

/** The view with which the screen opens. */
export const firstView: ScreenView = {
  mode: 'watching',
  helpPage: 0,
  isTrading: false,
  ladder: 'off',
  zoom: undefined,
  scroll: 0,
  selected: 0,
  dialog: undefined,
  history: [],
  notice: undefined,
};

/** The effect that a key would have: the new view, and the kind of its action. */
export interface KeyEffect {
  readonly view: ScreenView;
  readonly action?: { readonly kind: string } | undefined;
}

/** Leads a user through the live screen, in its own rows below the accounts. */
export interface ScreenGuide {
  /** Checks the facts; called before each frame. */
  look(model: LiveModel, view: ScreenView): void;
  /** Whether a key may have its effect now. */
  admits(key: Key, view: ScreenView, effect: KeyEffect): boolean;
  /** Its rows, in at most so much space. */
  rows(view: ScreenView, size: ScreenSize, glyphs: Glyphs): Row[];
}

/** Where a command of the live screen prints and asks. */
export interface ScreenTerminal {
  /** The command's location, if not on the live screen: `in the tour`. */
  readonly place?: string;
  columns: number;
  print(text: string): void;
  /** Whether the user confirms. */
  ask(question: string): Promise<boolean>;
  /** A line that the user types; empty: no answer. */
  askLine(question: string): Promise<string>;
  /** An order is about to be confirmed, exactly as it would be sent. */
  propose?(order: CreateOrderRequest): void;
  /** Throws a failure for a write that must not be sent; called with each just before it is. */
  refuse?: ((id: KnownOperationId, request: unknown) => void) | undefined;
}

/** Runs one line of the live screen: prints, asks, and returns the exit status. */
export type Runner = (
  console: Console,
  line: string,
  account: string | undefined,
  terminal: ScreenTerminal,
) => Promise<ExitCode>;

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
  /** Takes a key while nothing is typed or asked; false if the key isn't one of its own. */
  press(key: Key): boolean;
  /** Runs a typed line; undefined if it isn't one of its own. */
  runnerOf(line: string): Runner | undefined;
  close(): void;
}
