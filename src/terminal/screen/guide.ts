import type { LiveModel } from '../../desk/watch/live-model.ts';
import type { Row } from '../console/charts/cells.ts';
import type { Glyphs } from '../console/charts/glyphs.ts';
import type { Key } from '../console/terminal/input-reader.ts';
import type { ScreenSize } from './panel.ts';
import type { ScreenView } from './view.ts';

/** What a key would do: the view after it, and the kind of its action. */
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
