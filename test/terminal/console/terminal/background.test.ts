import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { backgroundOf, contrast, type Rgb } from '../../../../src/terminal/console/terminal/background.ts';
import { InputReader } from '../../../../src/terminal/console/terminal/input-reader.ts';

const white: Rgb = [255, 255, 255];

/** What is typed, and the answers, of an input that arrives in these pieces. */
function taken(...pieces: string[]): { typed: string; told: Rgb[] } {
  const told: Rgb[] = [];
  let typed = '';
  const reader = new InputReader({
    key: (key) => {
      typed += key.name === 'up' ? '\u001b[A' : key.text;
    },
    background: (color) => told.push(color),
  });
  for (const piece of pieces) reader.take(piece);
  reader.close();
  return { typed, told };
}

test('a terminal tells its background with two or four digits and either end', () => {
  for (const reply of [
    '\u001b]11;rgb:ffff/ffff/ffff\u001b\\',
    '\u001b]11;rgb:ff/ff/ff\u0007',
    '\u001b]11;#ffffff\u0007',
    '\u001b]11;rgba:ffff/ffff/ffff/8000\u001b\\',
  ])
    assert.deepEqual(taken(reply), { typed: '', told: [white] }, JSON.stringify(reply));
  assert.deepEqual(taken('\u001b]11;rgb:2828/2c2c/3434\u0007').told, [[40, 44, 52]]);
});

test('an answer in any pieces between any keys leaves exactly the keys', () => {
  const key = fc.constantFrom('q', 't', 'b', '1', '\u001b[A', 'ü', ']', ';');
  const keys = fc.array(key, { maxLength: 5 }).map((all) => all.join(''));
  const reply = fc.constantFrom('\u001b]11;rgb:ffff/ffff/ffff\u001b\\', '\u001b]11;rgb:ffff/ffff/ffff\u0007');
  fc.assert(
    fc.property(keys, reply, keys, fc.array(fc.nat(60), { maxLength: 4 }), (before, answer, after, cuts) => {
      const input = before + answer + after;
      const at = [...new Set(cuts)].sort((one, other) => one - other);
      const pieces = [0, ...at].map((from, index) => input.slice(from, at[index]));
      const { typed, told } = taken(...pieces);
      assert.equal(typed, before + after);
      assert.deepEqual(told, [white]);
    }),
  );
});

test('an answer presses no key, however late its rest is, and makes a key beside it no burst', (t) => {
  // Reset at once: a test file that loads while it is mocked would keep the mock.
  using timers = t.mock.timers;
  timers.enable({ apis: ['setTimeout'] });
  const heard: unknown[] = [];
  const reader = new InputReader({ key: (key) => heard.push(key), background: (color) => heard.push(color) });
  reader.take('\u001b]11;rgb:ffff/');
  timers.tick(10_000);
  assert.deepEqual(heard, []);
  reader.take('ffff/ffff\u0007q');
  assert.deepEqual(heard, [white, { name: 'q', text: 'q', ctrl: false }]);
});

test('an answer without sense tells nothing', () => {
  assert.deepEqual(taken('\u001b]11;blue\u0007x'), { typed: 'x', told: [] });
  assert.deepEqual(taken('\u001b]0;title\u0007x'), { typed: 'x', told: [] });
});

test('COLORFGBG tells whether the background is light', () => {
  for (const [text, background] of [
    ['15;0', 'dark'],
    ['0;15', 'light'],
    ['0;default;15', 'light'],
    ['0;7', 'light'],
    ['7;8', 'dark'],
    ['default;default', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const)
    assert.equal(backgroundOf(text), background, text);
});

test('contrast is that of WCAG', () => {
  assert.equal(contrast([0, 0, 0], white), 21);
  assert.equal(contrast(white, white), 1);
  assert.equal(contrast([119, 119, 119], white).toFixed(2), '4.48');
});
