import type { LiveModel } from '../../desk/watch/live-model.ts';
import type { CreateOrderRequest } from '../../wire/contract/orders.ts';
import type { Row } from '../console/charts/cells.ts';
import type { Glyphs } from '../console/charts/glyphs.ts';
import type { Key } from '../console/terminal/input-reader.ts';
import type { ScreenSize } from './panels.ts';

/** A command typed on the live screen, from its first character to its result. */
export type Dialog =
  | {
      readonly stage: 'typing';
      readonly text: string;
      readonly cursor: number;
      /** How many lines back in the history it is, and what was typed before that. */
      readonly back?: number;
      readonly kept?: string;
      /** Words that may come next. */
      readonly offers?: readonly string[];
      /** A market is searched for: how far down the selected one is among those found. */
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

/** Where in what was printed the user is, in lines from its start. */
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
  /** The page of the help, from 0; beyond the last, it begins again. */
  readonly helpPage: number;
  /** Trading keys work only after `t`. */
  readonly isTrading: boolean;
  /** The price ladder: not shown, in place of the book, or with the whole height. */
  readonly ladder: 'off' | 'pane' | 'whole';
  /** The panel that has the place of all others, by its index. */
  readonly zoom: number | undefined;
  /** How far such a panel is scrolled, if its rows can't be selected. */
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
  /** Looks at what has happened; called before each frame. */
  look(model: LiveModel, view: ScreenView): void;
  /** Whether a key may have its effect now. */
  admits(key: Key, view: ScreenView, effect: KeyEffect): boolean;
  /** Its rows, in at most so much space. */
  rows(view: ScreenView, size: ScreenSize, glyphs: Glyphs): Row[];
}
