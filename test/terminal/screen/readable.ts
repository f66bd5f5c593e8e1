import assert from 'node:assert/strict';
import { indexed } from '../../../src/terminal/console/output/themes.ts';
import { contrast, type Rgb } from '../../../src/terminal/console/terminal/background.ts';
import type { Desk } from '../cli/practice.ts';
import type { Emulator, Painted } from './emulator.ts';

/** The 16 colors that programs may redefine, as xterm and as Windows define them. */
const named: readonly (readonly string[])[] = [
  '000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff',
  '0c0c0c c50f1f 13a10e c19c00 0037da 881798 3a96dd cccccc 767676 e74856 16c60c f9f1a5 3b78ff b4009e 61d6d6 f2f2f2',
].map((row) => row.split(' '));

/** `ffffff` as a color. */
export const rgb = (hex: string): Rgb =>
  [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;

/** A terminal: what it shows where a program chose no color, and whether it has 256 colors. */
export interface Look {
  readonly background: Rgb;
  readonly text: Rgb;
  readonly variables: Record<string, string>;
}

/** Usual terminals. */
export const dark = { background: rgb('000000'), text: rgb('d0d0d0') };
export const light = { background: rgb('ffffff'), text: rgb('000000') };
export const many = { TERM: 'xterm-256color', FORCE_COLOR: '2' };
export const few = { TERM: 'xterm', FORCE_COLOR: '1' };

/** The lowest contrast of a character on the screen, and that character. */
function lowest(cells: readonly Painted[], { background, text }: Look): { least: number; cell: Painted } {
  const of = (index: number, among: readonly string[]) => (index < 16 ? rgb(among[index]!) : indexed(index));
  const all = cells.flatMap((cell) =>
    named.map((among) => {
      const color = cell.color === undefined ? text : of(cell.color, among);
      const behind = cell.background === undefined ? background : of(cell.background, among);
      return { least: contrast(color, behind), cell };
    }),
  );
  return all.reduce((worst, one) => (one.least < worst.least ? one : worst));
}

/** Every character of the screen can be read, and some have colors. */
export async function assertReadable(screen: Emulator, look: Look, name: string): Promise<void> {
  const cells = await screen.cells();
  const { least, cell } = lowest(cells, look);
  const what = `${name} on ${look.background}, ${JSON.stringify(look.variables)}: ${JSON.stringify(cell)}`;
  assert.ok(least >= 4.5, `${least.toFixed(2)} ${what}`);
  assert.ok(
    cells.some(({ color }) => color !== undefined),
    `no colors: ${what}`,
  );
  assert.ok(!cells.some(({ isDim }) => isDim), what);
}

/** An account with everything that the screen shows. */
export async function tradeForScreen(desk: Desk): Promise<void> {
  const { mid } = await desk.json('quote', 'BTC');
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--yes', '--stop-loss', String(Math.round(mid * 0.9)));
  await desk.json('order', 'place', 'ETH', 'sell', '0.1', '--yes');
  await desk.json('order', 'place', 'ETH', 'buy', '0.1', '--limit-price', '1000', '--yes');
}

/** The price ladder beside the chart and whole, after `t`; then it is off again. */
export const ladderViews: typeof views = [
  ['L', / BTC ladder[\s\S]*[┃╽╿]/],
  ['L', /^BTC ladder/m],
  ['L', /spread/],
];

/** The screen in its views, one after the other, and what tells that each is drawn. */
export const views: readonly (readonly [key: string, shown: RegExp])[] = [
  ['escape', /[┃╽╿][\s\S]*spread[\s\S]*FILLED[\s\S]*\? help/],
  ['t', /TRADING/],
  ['?', /this page|Trading keys:/],
];
