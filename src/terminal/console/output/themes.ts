import { type Variables, variable } from '../../../base/files/folders.ts';
import { isWindows } from '../../../base/system/system.ts';
import { backgroundOf, contrast, type Rgb } from '../terminal/background.ts';
import { type Cell, type Tone, textOf } from './result.ts';

/** Values of `theme`; `auto` follows the terminal's background. */
export const themeSettings = ['auto', 'light', 'dark', 'contrast'] as const;
/** How the screen is colored: what the user chose. */
export type ThemeSetting = (typeof themeSettings)[number];
/** A row of the table of colors. */
type ThemeName = Exclude<ThemeSetting, 'auto'> | 'either';

/** A style for terminals with 256 colors and for those with 16, as parameters of SGR: color, background, weight. */
type Style = readonly [of256: string, of16: string];
/** The styles of a theme; `text` is of everything else, empty for the terminal's own colors. */
type Theme = Readonly<Record<Tone | 'text', Style>>;

/**
 * The colors of charts and the live screen, where only color distinguishes up from down: blue and orange or brown,
 * which everyone can tell apart. On the backgrounds for which a theme is meant, each has a contrast of at least 4.5.
 */
export const themes: Readonly<Record<ThemeName, Theme>> = {
  dark: {
    text: ['', ''],
    good: ['38;5;39', '96'],
    bad: ['38;5;208', '93'],
    warn: ['38;5;213', '30;47'],
    strong: ['1', '1'],
    faint: ['38;5;248', '37'],
    alarm: ['1;38;5;16;48;5;214', '30;103'],
  },
  light: {
    text: ['', ''],
    good: ['38;5;25', '34'],
    bad: ['38;5;94', '31'],
    warn: ['38;5;127', '35'],
    strong: ['1', '1'],
    faint: ['38;5;240', '30'],
    alarm: ['1;38;5;231;48;5;88', '97;41'],
  },
  // For a background that nobody knows: readable on black and on white.
  either: {
    text: ['', ''],
    good: ['38;5;63', '96;40'],
    bad: ['38;5;131', '93;40'],
    warn: ['38;5;163', '30;107'],
    strong: ['1', '1'],
    faint: ['38;5;243', '97;40'],
    alarm: ['1;38;5;231;48;5;88', '97;41'],
  },
  contrast: {
    text: ['38;5;231;48;5;16', '97;40'],
    good: ['38;5;123;48;5;16', '96;40'],
    bad: ['38;5;220;48;5;16', '93;40'],
    warn: ['1;38;5;16;48;5;229', '30;107'],
    strong: ['1;38;5;231;48;5;16', '1;97;40'],
    faint: ['38;5;231;48;5;16', '97;40'],
    alarm: ['1;38;5;16;48;5;231', '30;107'],
  },
};

/** WCAG's bound for text of ordinary size. */
const leastContrast = 4.5;

/**
 * The theme of a screen: as chosen; else by the background that the terminal told, or by COLORFGBG; without either, one
 * for black and white. A background on which neither light nor dark colors can be read gets `contrast`, which brings
 * its own.
 */
export function themeFor(setting: ThemeSetting, background: Rgb | undefined, variables: Variables): ThemeName {
  if (setting !== 'auto') return setting;
  if (background === undefined) return backgroundOf(variable(variables, 'COLORFGBG')) ?? 'either';
  const name = contrast(background, [0, 0, 0]) > contrast(background, [255, 255, 255]) ? 'light' : 'dark';
  const isReadable = Object.values(themes[name]).every(([style]) => {
    const [color, own] = [/38;5;(\d+)/, /48;5;(\d+)/].map((part) => part.exec(style)?.[1]);
    return color === undefined || own !== undefined || contrast(indexed(Number(color)), background) >= leastContrast;
  });
  return isReadable ? name : 'contrast';
}

/** The colors 16 to 255, which are the same on every terminal: a cube, then grays. */
export function indexed(index: number): Rgb {
  if (index >= 232) return [8 + 10 * (index - 232), 8 + 10 * (index - 232), 8 + 10 * (index - 232)];
  const step = (value: number) => (value === 0 ? 0 : 55 + 40 * value);
  const at = index - 16;
  return [step(Math.floor(at / 36)), step(Math.floor(at / 6) % 6), step(at % 6)];
}

/** A theme as a palette, for a terminal with 256 colors or with 16. */
export function themePalette(name: ThemeName, has256: boolean): Palette {
  const theme = themes[name];
  return (cell) => {
    const text = textOf(cell);
    const style = theme[typeof cell === 'object' && cell !== null ? cell.tone : 'text'][has256 ? 0 : 1];
    return style === '' || text === '' ? text : `\u001b[${style}m${text}\u001b[0m`;
  };
}

/** Whether a terminal that has colors has at least 256, by what it says about itself. */
export function has256Colors(variables: Variables): boolean {
  const forced = variable(variables, 'FORCE_COLOR');
  if (forced === '1' || forced === '2' || forced === '3') return forced !== '1';
  const program = /^(Apple_Terminal|iTerm\.app|vscode|WezTerm|ghostty)$/;
  return (
    variable(variables, 'COLORTERM') !== undefined ||
    /256|direct|kitty|ghostty|alacritty|wezterm/.test(variable(variables, 'TERM') ?? '') ||
    program.test(variable(variables, 'TERM_PROGRAM') ?? '') ||
    isWindows()
  );
}

/** Renders a cell as safe text, in color if colors are on. */
export type Palette = (cell: Cell) => string;

/** Without colors. */
export const plainPalette: Palette = textOf;

/** Whether a palette has colors. */
export function hasColors(palette: Palette): boolean {
  return palette({ text: ' ', tone: 'strong' }) !== ' ';
}

/** With colors. */
export async function colorPalette(): Promise<Palette> {
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  const { green: good, red: bad, yellow: warn, bold: strong, dim: faint, inverse: alarm } = chalk;
  return paletteOf({ good, bad, warn, strong, faint, alarm });
}

function paletteOf(tones: Record<Tone, (text: string) => string>): Palette {
  return (cell) => {
    const text = textOf(cell);
    return typeof cell === 'object' && cell !== null ? tones[cell.tone](text) : text;
  };
}
