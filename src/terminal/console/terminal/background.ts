/** A color, each part from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Asks the terminal for its background color (OSC 11); a terminal that supports the request answers among the keys. */
export const backgroundRequest = '\u001b]11;?\u001b\\';
/** How its answer begins. */
export const backgroundReply = '\u001b]11;';

/** The color of a whole answer: `rgb:ffff/ffff/ffff`, with one to four digits each, or `#ffffff`. */
export function backgroundIn(reply: string): Rgb | undefined {
  if (!reply.startsWith(backgroundReply)) return undefined;
  const text = reply.slice(backgroundReply.length);
  const short = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})\b/i.exec(text);
  const parts = short ?? /^rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(text);
  if (parts === null) return undefined;
  const part = (digits: string) => Math.round((Number.parseInt(digits, 16) / (16 ** digits.length - 1)) * 255);
  return [part(parts[1]!), part(parts[2]!), part(parts[3]!)];
}

/** The background as some terminals report it without a request, `15;0`: the last number is one of 16 colors. */
export function backgroundOf(colorFgBg: string | undefined): 'light' | 'dark' | undefined {
  const last = /;(\d{1,2})$/.exec(colorFgBg ?? '')?.[1];
  if (last === undefined) return undefined;
  return last === '7' || Number(last) > 8 ? 'light' : 'dark';
}

/** WCAG's contrast of two colors, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].sort((first, second) => first - second);
  return (high! + 0.05) / (low! + 0.05);
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
