import { wrap } from '../../base/text/plain-text.ts';
import { type Row, toned } from '../console/charts/cells.ts';
import type { Glyphs } from '../console/charts/glyphs.ts';
import type { ScreenSize } from './panels.ts';

/** The state that the page depends on. */
interface HelpPage {
  readonly isTrading?: boolean;
  readonly ownKeys?: ReadonlyMap<string, string>;
  /** The keys of a deck, which work in both modes. */
  readonly deckKeys?: Pairs | undefined;
}

/**
 * The pages of `?`: the trading keys while they are on, otherwise the other keys and the signs; as many pages as
 * necessary.
 */
export function helpRows(
  glyphs: Glyphs,
  { isTrading = false, ownKeys = new Map(), deckKeys = [] }: HelpPage,
  { columns, rows }: ScreenSize,
  page: number,
): Row[] {
  const pairsOf = (pairs: Pairs): Row[] =>
    pairs.flatMap(([key, does]) =>
      wrap(does, Math.max(10, columns - keyWidth - 2), '')
        .split('\n')
        .map((text, at): Row => ['  ', toned((at === 0 ? key : '').padEnd(keyWidth), 'strong'), text]),
    );
  const titled = (title: string, pairs: Pairs): Row[] => [[toned(title, 'faint')], ...pairsOf(pairs)];
  const all = isTrading
    ? titled('Each key shows its order and asks, unless armed.', [...tradingKeys(glyphs), ...ownKeys, ...deckKeys])
    : [...titled('Keys', [...deckKeys, ...keys(glyphs)]), [], ...titled('Signs', signs(glyphs))];
  const perPage = Math.max(1, rows - 1);
  const pages = Math.ceil(all.length / perPage);
  const from = (page % pages) * perPage;
  const end =
    pages === 1 ? 'Any key closes this page.' : `Page ${(page % pages) + 1} of ${pages}; ? next, any other key closes.`;
  return [...all.slice(from, from + perPage), [toned(end, 'warn')]];
}

const keyWidth = 14;

/** A key's description on the help pages; `isTrade`: as a trading key. */
export function meaningOfKey(name: string, isTrade: boolean): string | undefined {
  const pairs = isTrade ? tradingKeys(asciiArrows) : keys(asciiArrows);
  return pairs.find(([written]) => written.split(/,? /).includes(name))?.[1];
}

const asciiArrows = { arrows: { left: 'left', right: 'right', vertical: 'up down' } };

type Pairs = readonly (readonly [string, string])[];

const keys = ({ arrows: { left, right, vertical } }: Pick<Glyphs, 'arrows'>): Pairs => [
  [`${left} ${right}, h l, Tab`, 'previous and next market'],
  ['1 to 9', 'the market at this position in the strip'],
  ['[ ]', 'shorter and longer candles'],
  [`${vertical}, k j`, 'select a position or an order'],
  ['Enter', 'show the market of the selected row'],
  ['a', 'next account'],
  ['L', 'the price ladder: beside the chart, whole, off'],
  [':', 'type a command; Tab completes, up recalls'],
  ['/', 'search a market'],
  ['w', 'positions, orders, fills: each on the whole screen'],
  ['t', 'trading keys on and off; then ? shows them'],
  ['?', 'this page; while it is shown, the next one'],
  ['q, Ctrl-C', 'quit'],
];

const signs = ({ buy, sell, traded, level }: Glyphs): Pairs => [
  [`${buy} ${sell} ${traded}`, 'your buys and sells; trades at a price of the ladder'],
  [level.repeat(2), 'your orders, entry and liquidation price, named at the right'],
  ['B0.05<3.2', 'on the ladder: your order, and the size ahead of it in the queue'],
  ['ends at', 'liquidation price, or the price at which a floor is touched'],
  ['! !! !!!', '50, 80, 95% of the way to a floor is used; the bell rings once'],
];

const tradingKeys = ({ arrows: { vertical } }: Pick<Glyphs, 'arrows'>): Pairs => [
  ['b s', 'buy, sell at market'],
  ['i o', 'buy, sell at the cursor of the ladder'],
  ['I O', 'join the best bid, the best ask'],
  [`${vertical} = f`, 'cursor of the ladder, held by its price; center; free'],
  ['g G 0', 'coarser, finer rows, up to 1% each; as coarse as your lines need'],
  ['m', 'pick up the order at the cursor; move it to the cursor'],
  ['x X K', 'cancel: this level or order, this side, all of the market'],
  ['c v z', 'close the position: all, half, a quarter'],
  ['r F', 'reverse the position; flatten the account'],
  ['e', 'stop to break-even, fees and carry included'],
  ['p', 'add to the position under its stop: type the size'],
  ['u d, U D', 'stop up and down, target up and down, by a row or a tick'],
  ['S T', 'stop, target: type a price'],
  [':', 'type a command; Tab completes, up recalls'],
  ['A', 'arm: one key is one order, without a question; again: disarm'],
];
