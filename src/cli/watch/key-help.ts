import { type Row, toned } from './cells.ts';
import type { Glyphs } from './glyphs.ts';

/** The page that `?` shows. */
export function helpRows(glyphs: Glyphs): Row[] {
  const { left, right, vertical } = glyphs.arrows;
  const keys: readonly (readonly [string, string])[] = [
    [`${left} ${right}, h l, Tab`, 'previous and next market'],
    ['1 to 9', 'the market at this position in the strip'],
    ['[ ]', 'shorter and longer candles'],
    [`${vertical}, k j`, 'select a position or an order'],
    ['Enter', 'show the market of the selected row'],
    ['a', 'next account'],
    ['t', 'trading keys on and off: Enter previews a command, y sends it'],
    ['b s c x', 'buy, sell; close or cancel the selected position or order'],
    ['S T F :', 'stop, target, flatten, any command that trades'],
    ['?', 'this page'],
    ['q, Ctrl-C', 'quit'],
  ];
  const signs: readonly (readonly [string, string])[] = [
    [`${glyphs.buy} ${glyphs.sell}`, 'your buys and sells'],
    [glyphs.level.repeat(2), 'your orders, entry and liquidation price, named at the right'],
    ['ends at', 'liquidation price, or the price at which a floor is touched'],
    ['!', 'less than 1% of the starting balance above a floor'],
  ];
  const rows = (pairs: readonly (readonly [string, string])[]): Row[] =>
    pairs.map(([key, does]) => ['  ', toned(key.padEnd(14), 'strong'), does]);
  return [[], [toned('Keys', 'faint')], ...rows(keys), [], [toned('Signs', 'faint')], ...rows(signs)];
}
