import type { Row } from '../console/charts/cells.ts';
import type { Glyphs } from '../console/charts/glyphs.ts';
import type { Order } from '../contract/orders.ts';
import type { LiveModel } from '../desk/watch/live-model.ts';
import type { Held } from '../desk/watch/standing.ts';

/** The size of a terminal, or of a part of it. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** The rows of the screen that keys can select. */
export interface Listed {
  readonly held: readonly Held[];
  readonly orders: readonly Order[];
}

/** What a panel may use: its space, and which of its rows is selected, if any. */
export interface PanelSpace extends ScreenSize {
  readonly listed: Listed;
  readonly selected: number;
  readonly glyphs: Glyphs;
}

/** A table of the screen, above or below the market. */
export interface Panel {
  /** As in `Positions: not known yet`. */
  readonly title: string;
  readonly place: 'above' | 'below';
  /** Where its rows begin among those that keys select (`Listed`); absent if keys don't select them. */
  readonly selectFrom?: (listed: Listed) => number;
  /** Before the first answer, nothing is known, which is not the same as nothing open. */
  isKnown(model: LiveModel): boolean;
  /** How many rows it would show below its header. */
  count(model: LiveModel, listed: Listed): number;
  /** Its header and its rows, or one row that says that there is nothing; what does not fit is cut off. */
  rows(model: LiveModel, space: PanelSpace): Row[];
}
