import { type Variables, variable } from '../../../base/files/folders.ts';
import { isWindows } from '../../../base/system/system.ts';

/** The characters of charts and ladders. If the glyphs allow it, each row of a chart has two halves. */
export interface Glyphs {
  /** A candle's part of one character, by the contents of its upper and its lower half. */
  readonly rising: CandleGlyphs;
  readonly falling: CandleGlyphs;
  readonly buy: string;
  readonly sell: string;
  /** Part of a horizontal line at a price. */
  readonly level: string;
  /** Bars, from an eighth to full. */
  readonly bars: readonly string[];
  /** Bars that stand, from the lowest to full. */
  readonly heights: readonly string[];
  readonly cursor: string;
  /** A gauge's used part, and the rest. */
  readonly gauge: { readonly used: string; readonly left: string };
  /** The mark where something was cut off. */
  readonly cut: string;
  /** A price at which there were trades. */
  readonly traded: string;
  /** Names of keys. */
  readonly arrows: { readonly left: string; readonly right: string; readonly vertical: string };
}

/** Halves that show nothing, the wick or the body: `wickBody` is the wick above the body. */
export interface CandleGlyphs {
  readonly wick: string;
  readonly wickTop: string;
  readonly wickBottom: string;
  readonly body: string;
  readonly bodyTop: string;
  readonly bodyBottom: string;
  readonly wickBody: string;
  readonly bodyWick: string;
}

const thin = { wick: '│', wickTop: '╵', wickBottom: '╷' } as const;
const heavy: CandleGlyphs = {
  ...thin,
  body: '┃',
  bodyTop: '╹',
  bodyBottom: '╻',
  wickBody: '╽',
  bodyWick: '╿',
};
/** Rising and falling must differ without colors, too. */
const solid: CandleGlyphs = { ...thin, body: '█', bodyTop: '▀', bodyBottom: '▄', wickBody: '▄', bodyWick: '▀' };

/** The mark of a cut, so that no part of a number reads as another one. */
export const cutMark = '…';

const unicode = {
  buy: '▲',
  sell: '▼',
  level: '┈',
  bars: ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
  heights: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  cursor: '›',
  gauge: { used: '█', left: '░' },
  cut: cutMark,
  traded: '•',
  arrows: { left: '←', right: '→', vertical: '↑↓' },
} as const;

const asciiCandle = (body: string): CandleGlyphs => ({
  wick: '|',
  wickTop: "'",
  wickBottom: '.',
  body,
  bodyTop: body,
  bodyBottom: body,
  wickBody: body,
  bodyWick: body,
});

const ascii: Glyphs = {
  rising: asciiCandle('O'),
  falling: asciiCandle('#'),
  buy: '^',
  sell: 'v',
  level: '-',
  bars: ['=', '=', '=', '=', '=', '=', '=', '='],
  heights: ['.', ':', '|'],
  cursor: '>',
  gauge: { used: '#', left: '.' },
  cut: '~',
  traded: '*',
  arrows: { left: 'Left', right: 'Right', vertical: 'Up Down' },
};

/** The glyphs for a terminal. In a locale without UTF-8, all are ASCII. Without colors, falling candles are solid. */
export function glyphsFor(variables: Variables, hasColors: boolean): Glyphs {
  if (!isUnicode(variables)) return ascii;
  return { ...unicode, rising: heavy, falling: hasColors ? heavy : solid };
}

/** The locale decides, as in other programs; Windows has no such variable, and its terminals support Unicode. */
export function isUnicode(variables: Variables): boolean {
  const locale = variable(variables, 'LC_ALL') ?? variable(variables, 'LC_CTYPE') ?? variable(variables, 'LANG');
  if (locale === undefined) return isWindows();
  return /utf-?8/i.test(locale);
}
