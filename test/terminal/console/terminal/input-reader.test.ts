import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { InputReader, type Key } from '../../../../src/terminal/console/terminal/input-reader.ts';

/**
 * What a reader tells about what was read, as words: `b`, `ctrl-c`, `paste(ab)`, `left 3,4`, `focus`; `+` for a burst.
 */
function told() {
  const words: string[] = [];
  const wordOf = ({ name, text, ctrl }: Key) => `${ctrl ? 'ctrl-' : ''}${name}${name === 'paste' ? `(${text})` : ''}`;
  const reader = new InputReader({
    key: (key) => void words.push(wordOf(key) + (key.isInBurst === true ? '+' : '')),
    mouse: ({ button, column, row, isInBurst }) => void words.push(`${button} ${column},${row}${isInBurst ? '+' : ''}`),
    focus: (hasFocus) => void words.push(hasFocus ? 'focus' : 'no focus'),
  });
  return { words, reader };
}

function read(...texts: string[]): string[] {
  const { words, reader } = told();
  for (const text of texts) reader.take(text);
  reader.close();
  return words;
}

test('keys are told by name, one by one, and those of one read as a burst', () => {
  const cases: [sent: string, told: string[]][] = [
    ['b', ['b']],
    ['é', ['é']],
    ['\r', ['return']],
    ['\u0003', ['ctrl-c']],
    ['\u007f', ['backspace']],
    ['\u001b[A', ['up']],
    ['\u001bOB', ['down']],
    ['\u001b[5~', ['pageup']],
    ['\u001b[Z', ['backtab']],
    ['bb', ['b+', 'b+']],
    ['b\u001b[A', ['b+', 'up+']],
    ['\u001bb', []],
    ['\u001b[1;5C', []],
    ['\u001b[?1;2c', []],
    ['\u001b]11;rgb:0000/0000/0000\u001b\\', []],
    ['\u001b[?62;c\u001b[B', ['down']],
  ];
  for (const [sent, words] of cases) assert.deepEqual(read(sent), words, JSON.stringify(sent));
});

test('pasted text is one piece, however it is cut, and none of its letters is a key', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), fc.array(fc.nat(40), { maxLength: 5 }), (text, cuts) => {
      const inner = text.replaceAll('\u001b', '');
      const sent = `\u001b[200~${inner}\u001b[201~`;
      const places = [...new Set(cuts)].sort((one, other) => one - other);
      const parts = [0, ...places].map((from, at) => sent.slice(from, places[at]));
      assert.deepEqual(read(...parts), [`paste(${inner})`]);
    }),
  );
});

test('the mouse is told by button and place; of releases and moves, only those of the left button are', () => {
  assert.deepEqual(read('\u001b[<0;12;3M', '\u001b[<0;12;3m', '\u001b[<2;1;1M', '\u001b[<64;5;6M', '\u001b[<35;5;6M'), [
    'left 12,3',
    'release 12,3',
    'right 1,1',
    'up 5,6',
  ]);
  assert.deepEqual(read('\u001b[<32;2;1M', '\u001b[<2;1;1m', '\u001b[<0;1;1M\u001b[<0;1;1m'), [
    'drag 2,1',
    'left 1,1',
    'release 1,1',
  ]);
  assert.deepEqual(read('\u001b[<0;1;1Mb'), ['left 1,1+', 'b+']);
});

test('focus is told, and is not a key', () => {
  assert.deepEqual(read('\u001b[I', '\u001b[O', '\u001b[Ib'), ['focus', 'no focus', 'focus', 'b']);
});

test('a sequence may come in parts; an ESC that nothing follows is the key', async () => {
  assert.deepEqual(read('\u001b', '[', 'A'), ['up']);
  assert.deepEqual(read('\u001b[<0;1', ';2M'), ['left 1,2']);
  const { words, reader } = told();
  reader.take('\u001b');
  assert.deepEqual(words, []);
  while (words.length === 0) await delay(5);
  assert.deepEqual(words, ['escape']);
  reader.take('\u001b\u001b[A');
  assert.deepEqual(words.slice(1), ['escape+', 'up+']);
});

test('whatever is sent, reading goes on', () => {
  const piece = fc.constantFrom('\u001b', '[', '<', 'O', ';', '1', '~', 'M', 'A', ']', 'b', '\r', '\u0000', '😀');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 400 }), (pieces) => {
      const { words, reader } = told();
      for (const one of pieces) reader.take(one);
      reader.take('\u001b\\\u0007'.repeat(2));
      reader.take('x'.repeat(300));
      reader.close();
      assert.ok(words.some((word) => word.startsWith('x')));
    }),
  );
});
