import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  has256Colors,
  indexed,
  themeFor,
  themePalette,
  themes,
} from '../../../../src/terminal/console/output/themes.ts';
import { contrast, type Rgb } from '../../../../src/terminal/console/terminal/background.ts';

const color = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255));
const indexOf = (style: string, kind: 38 | 48) => new RegExp(`${kind};5;(\\d+)`).exec(style)?.[1];

test('on any background, every color of the chosen theme has a contrast of at least 4.5', () => {
  fc.assert(
    fc.property(color, (background: Rgb) => {
      for (const [style] of Object.values(themes[themeFor('auto', background, {})])) {
        const [own, behind] = [indexOf(style, 38), indexOf(style, 48)];
        const on = behind === undefined ? background : indexed(Number(behind));
        if (own !== undefined) assert.ok(contrast(indexed(Number(own)), on) >= 4.5, `${style} on ${background}`);
      }
    }),
  );
});

test('the usual backgrounds get light or dark colors, one in between gets colors with their own', () => {
  const chosen = (background: Rgb | undefined, variables = {}) => themeFor('auto', background, variables);
  for (const white of [
    [255, 255, 255],
    [253, 246, 227],
    [238, 238, 238],
  ] as const)
    assert.equal(chosen(white), 'light', String(white));
  for (const black of [
    [0, 0, 0],
    [30, 30, 30],
    [40, 44, 52],
    [0, 43, 54],
    [46, 52, 64],
  ] as const)
    assert.equal(chosen(black), 'dark', String(black));
  assert.equal(chosen([119, 119, 119]), 'contrast');
});

test('the setting decides, then the answer of the terminal, then COLORFGBG; without any, colors are readable on black and on white', () => {
  assert.equal(themeFor('light', [0, 0, 0], {}), 'light');
  assert.equal(themeFor('contrast', [255, 255, 255], {}), 'contrast');
  assert.equal(themeFor('auto', [0, 0, 0], { COLORFGBG: '0;15' }), 'dark');
  assert.equal(themeFor('auto', undefined, { COLORFGBG: '0;15' }), 'light');
  assert.equal(themeFor('auto', undefined, {}), 'either');
  for (const [style] of Object.values(themes.either)) {
    const [own, behind] = [indexOf(style, 38), indexOf(style, 48)];
    for (const background of behind === undefined
      ? ([
          [0, 0, 0],
          [255, 255, 255],
        ] as const)
      : [indexed(Number(behind))])
      if (own !== undefined) assert.ok(contrast(indexed(Number(own)), background) >= 4.5, `${style} on ${background}`);
  }
});

test('with 16 colors, no code of 256 is written; without a style, the text stays as it is', () => {
  for (const name of ['dark', 'light', 'either', 'contrast'] as const) {
    const palette = themePalette(name, false);
    for (const tone of ['good', 'bad', 'warn', 'strong', 'faint', 'alarm'] as const)
      assert.match(palette({ text: 'x', tone }), /^\u001b\[(?:(?:1|[349]\d|10\d);?){1,3}mx\u001b\[0m$/);
  }
  assert.equal(themePalette('dark', true)('x'), 'x');
  assert.equal(themePalette('contrast', true)('x'), '\u001b[38;5;231;48;5;16mx\u001b[0m');
});

test('the terminal says how many colors it has', () => {
  for (const [variables, has256] of [
    [{ TERM: 'xterm-256color' }, true],
    [{ TERM: 'xterm-kitty' }, true],
    [{ TERM: 'xterm', COLORTERM: 'truecolor' }, true],
    [{ TERM: 'xterm', TERM_PROGRAM: 'Apple_Terminal' }, true],
    [{ TERM: 'xterm' }, process.platform === 'win32'],
    [{ TERM: 'xterm-256color', FORCE_COLOR: '1' }, false],
    [{ TERM: 'xterm', FORCE_COLOR: '2' }, true],
  ] as const)
    assert.equal(has256Colors(variables), has256, JSON.stringify(variables));
});
