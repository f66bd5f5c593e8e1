import { type Variables, variable } from '../../../base/files/folders.ts';
import { isWindows } from '../../../base/system/system.ts';

const thin = { wick: '│', wickTop: '╵', wickBottom: '╷' };
const heavy = { ...thin, body: '┃', bodyTop: '╹', bodyBottom: '╻', wickBody: '╽', bodyWick: '╿' };

/** Halves that show nothing, the wick or the body: `wickBody` is the wick above the body. */
export type CandleGlyphs = Readonly<typeof heavy>;

/** Rising and falling must differ without colors, too. */
const solid: CandleGlyphs = { ...thin, body: '█', bodyTop: '▀', bodyBottom: '▄', wickBody: '▄', bodyWick: '▀' };

/** The mark of a cut, so that no part of a number reads as another one. */
export const cutMark = '…';

const unicode = {
  buy: '▲',
  sell: '▼',
  /** Part of a horizontal line at a price. */
  level: '┈',
  /** Bars, from an eighth to full. */
  bars: ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
  /** Vertical bars, from the lowest to full. */
  heights: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  cursor: '›',
  /** A gauge's used part, and the rest. */
  gauge: { used: '█', left: '░' },
  /** The mark where something was cut off. */
  cut: cutMark,
  /** A price at which there were trades. */
  traded: '•',
  /** Names of keys. */
  arrows: { left: '←', right: '→', vertical: '↑↓' },
};

/**
 * The characters of charts and ladders. If the glyphs allow it, each row of a chart has two halves: a candle's part of
 * one character is chosen by the contents of both.
 */
export type Glyphs = Readonly<typeof unicode & Record<'rising' | 'falling', CandleGlyphs>>;

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
