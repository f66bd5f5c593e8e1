import type { Row } from '../console/charts/cells.ts';
import { cutMark, type Glyphs, glyphsFor } from '../console/charts/glyphs.ts';
import type { Console } from '../console/console.ts';
import {
  has256Colors,
  hasColors,
  type Palette,
  plainPalette,
  themeFor,
  themePalette,
} from '../console/output/themes.ts';
import { backgroundRequest, type Rgb } from '../console/terminal/background.ts';
import type { RawTerminal } from '../console/terminal/raw-terminal.ts';

/** How long the first frame waits for the terminal to report its background. A later answer changes the colors. */
const askMs = 50;

/** The colors of the live screen, which follow the terminal's background; and its characters. */
export class Colors {
  readonly #console: Console;
  readonly #terminal: RawTerminal;
  readonly #changed: () => void;
  /** Undefined without colors. */
  readonly #has256: boolean | undefined;
  #timer: NodeJS.Timeout | undefined;
  #palette: Palette;
  readonly glyphs: Glyphs;

  constructor(console: Console, terminal: RawTerminal, changed: () => void) {
    const isColored = hasColors(console.palette);
    this.#console = console;
    this.#terminal = terminal;
    this.#has256 = isColored ? has256Colors(console.variables) : undefined;
    this.#changed = changed;
    this.glyphs = glyphsFor(console.variables, isColored);
    this.#palette = this.#paletteOn(undefined);
  }

  /** Whether an answer may still come in time for the first frame. */
  get isAsking(): boolean {
    return this.#timer !== undefined;
  }

  /** Rows in these colors. */
  painted(rows: readonly Row[]): string[] {
    return rows.map((row) => row.map(this.#palette).join('').replaceAll(cutMark, this.glyphs.cut));
  }

  /** Asks the terminal; its answer arrives as input. */
  ask(): void {
    if (this.#has256 === undefined || this.#console.settings.theme !== 'auto') return;
    this.#timer = setTimeout(() => this.#over(), askMs);
    this.#terminal.write(backgroundRequest);
  }

  /** The terminal's answer. */
  readonly take = (color: Rgb): void => {
    this.#palette = this.#paletteOn(color);
    this.#over();
  };

  #paletteOn(color: Rgb | undefined): Palette {
    const { settings, variables } = this.#console;
    return this.#has256 === undefined
      ? plainPalette
      : themePalette(themeFor(settings.theme, color, variables), this.#has256);
  }

  #over(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed();
  }
}
