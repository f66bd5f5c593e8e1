import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dateTime, quantity, signedUsd, stretch, usd } from '../../../../src/base/text/format.ts';
import { jsonText, plain } from '../../../../src/base/text/plain-text.ts';
import type { OutputFormat } from '../../../../src/terminal/console/grammar/global-options.ts';
import { fieldsIn, valueAt } from '../../../../src/terminal/console/output/csv.ts';
import { render, renderBlocks } from '../../../../src/terminal/console/output/render.ts';
import {
  type Column,
  fields,
  line,
  listOf,
  type Result,
  recordOf,
} from '../../../../src/terminal/console/output/result.ts';
import { plainPalette } from '../../../../src/terminal/console/output/themes.ts';
import { anyText } from '../../../any-text.ts';

interface Row {
  id: string;
  name: string;
  size: number;
  nested?: object;
}
const columns: readonly Column<Row>[] = [
  { header: 'NAME', cell: (row) => row.name },
  { header: 'SIZE', cell: (row) => quantity(row.size), align: 'right' },
  { header: 'ID', cell: (row) => row.id, keep: 1 },
];
const rows: Row[] = [
  { id: 'a_1', name: 'first', size: 1 },
  { id: 'a_22', name: 'second', size: 12.5 },
];
const list = (of: Row[]) => listOf(of, { fields: ['id', 'name', 'size', 'nested'], columns, empty: 'Nothing.' });

async function printed(result: Result, format: OutputFormat, width = 80): Promise<string> {
  const parts: string[] = [];
  await render(result, { format, width, palette: plainPalette, write: (text) => void parts.push(text) });
  return parts.join('');
}

test('a list is an array, lines, CSV or a table', async () => {
  assert.deepEqual(JSON.parse(await printed(list(rows), 'json')), rows);
  assert.deepEqual(
    (await printed(list(rows), 'ndjson'))
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text)),
    rows,
  );
  assert.equal(await printed(list(rows), 'csv'), 'id,name,size,nested\na_1,first,1,\na_22,second,12.5,\n');
  assert.equal(await printed(list(rows), 'table'), 'NAME    SIZE  ID\nfirst      1  a_1\nsecond  12.5  a_22\n');
});

test('an empty list is an empty array, no lines, only a header, or a sentence', async () => {
  assert.equal(await printed(list([]), 'json'), '[]\n');
  assert.equal(await printed(list([]), 'ndjson'), '');
  assert.equal(await printed(list([]), 'csv'), 'id,name,size,nested\n');
  assert.equal(await printed(list([]), 'table'), 'Nothing.\n');
});

test('a narrow terminal drops the least important columns, then shows cards', async () => {
  assert.equal(await printed(list(rows), 'table', 14), 'NAME    SIZE\nfirst      1\nsecond  12.5\n');
  assert.equal(
    await printed(list(rows), 'table', 10),
    'NAME  first\nSIZE  1\nID    a_1\n\nNAME  second\nSIZE  12.5\nID    a_22\n',
  );
});

test('a column that does not fit is replaced by a less important one that does', async () => {
  const columns = [
    { header: 'NAME', cell: ({ name }: Row) => name },
    { header: 'ID', cell: () => 'b1c9a3f0-6a55-4b1e-9b0e-2f1f6a1d7c11', keep: 2 },
    { header: 'SIZE', cell: ({ size }: Row) => String(size), align: 'right' as const, keep: 1 },
  ];
  const narrow = listOf([rows[0]!], { fields: [], columns, empty: '' });
  assert.equal(await printed(narrow, 'table', 40), 'NAME   SIZE\nfirst     1\n');
});

test('on a narrow terminal a value wraps under itself and stays sanitized', async () => {
  const record = recordOf({}, () => [
    fields(['room', '2,997.84 USD, 2,995.07 after the fee'], ['name', 'a b\nc d\u001b[J e']),
  ]);
  assert.equal(
    await printed(record, 'table', 20),
    'room  2,997.84 USD,\n      2,995.07 after\n      the fee\nname  a b\\u000ac\n      d\\u001b[J e\n',
  );
});

test('a record is an object, a line, a CSV row, or blocks', async () => {
  const record = recordOf({ id: 'x', side: 'buy' }, () => [line('Hello'), fields(['id', 'x'], ['none', undefined])]);
  assert.equal(await printed(record, 'json'), '{\n  "id": "x",\n  "side": "buy"\n}\n');
  assert.equal(await printed(record, 'ndjson'), '{"id":"x","side":"buy"}\n');
  assert.equal(await printed(record, 'csv'), 'id,side\nx,buy\n');
  assert.equal(await printed(record, 'table'), 'Hello\nid  x\n');
});

test('CSV quotes values if needed and writes nested values as JSON', async () => {
  const odd: Row[] = [{ id: 'a,b', name: 'say "hi"', size: 1, nested: { a: [1, 2] } }];
  assert.equal((await printed(list(odd), 'csv')).split('\n')[1], '"a,b","say ""hi""",1,"{""a"":[1,2]}"');
});

test('every column of a record has its value, also where names have dots and begin alike', () => {
  const record = { a: { x: 1, 'b.c': 2 }, 'a.b': { y: 3, z: { deep: 4 } }, 'a.b.d': 5, none: {} };
  const values = fieldsIn(record).map((field) => [field, valueAt(record, field)]);
  assert.deepEqual(Object.fromEntries(values), {
    ...{ 'a.x': 1, 'a.b.c': 2, 'a.b.y': 3, 'a.b.z.deep': 4, 'a.b.d': 5, none: {} },
  });
  for (const field of ['b', 'a.q', 'a.b', 'toString.name', '__proto__.toString', '.', 'none.x'])
    assert.deepEqual(valueAt(record, field), field === 'a.b' ? record['a.b'] : undefined, field);
});

test('in CSV, text can’t be a formula, and numbers stay numbers', async () => {
  const cell = async (value: unknown) =>
    (
      await printed(
        recordOf({ value }, () => []),
        'csv',
      )
    ).split('\n')[1];
  const table: [value: unknown, cell: string][] = [
    ['=1+1', "'=1+1"],
    ['+1-800', "'+1-800"],
    ['-1+cmd', "'-1+cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['  =1', '"  \'=1"'],
    ['"=1"', '"""\'=1"""'],
    ['\uff1d1', "'\uff1d1"],
    ['\t=1', '\\u0009=1'],
    ['\r=1', '\\u000d=1'],
    // Where the list separator is a semicolon, a cell starts after it.
    ['a;=1', '"a;\'=1"'],
    ['a-b', 'a-b'],
    ['a=b', 'a=b'],
    ['-', "'-"],
    [-1.5, '-1.5'],
    [-1e-9, '-0.000000001'],
    [1.25e-8, '0.0000000125'],
    [1e21, '1000000000000000000000'],
    ['-1.5', '-1.5'],
    ['+3', '+3'],
    [[{ name: '=1' }], '"[{""name"":""=1""}]"'],
    [[{ name: 'a;=1' }], '"[{""name"":""a;\\u003d1""}]"'],
    [[{ pnl: -1.5 }], '"[{""pnl"":-1.5}]"'],
    [{ name: '=1' }, "'=1"],
    [{ pnl: -1.5 }, '-1.5'],
  ];
  for (const [value, wanted] of table) assert.equal(await cell(value), wanted, JSON.stringify(value));
});

test('no text makes a cell start like a formula, with commas or semicolons between cells', async () => {
  const piece = fc.oneof(anyText(), fc.constantFrom('=', '+', '-', '@', ';', '"', "'", ' ', ',', '1'));
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      const row = (
        await printed(
          recordOf({ value }, () => []),
          'csv',
        )
      ).split('\n')[1]!;
      if (/^[+-]?\d+$/.test(value)) return;
      for (const cell of row.split(';')) assert.doesNotMatch(cell, /^[\s"]*[=+\-@]/, JSON.stringify(value));
    }),
  );
});

const hostile = [
  '\u001b[31mred',
  '\u001b]0;title\u0007',
  'a\rb',
  'a\nb',
  '\u009b1m',
  'x\u202ey',
  '\u0000',
  '\u2028',
  'a\u200bb',
  '\ud800',
];

/** Invisible characters: fillers, joiners, variation selectors, tags and others. */
const invisible = [
  0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180e, 0x180f, 0x200b, 0x200d, 0x200e, 0x202a, 0x2060,
  0x2066, 0x206f, 0x2800, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0x1d173, 0xe0001, 0xe0041, 0xe007f, 0xe0100,
  0xe01ef,
].map((code) => String.fromCodePoint(code));

test('invisible characters are escaped in every format, and JSON keeps its value', async () => {
  for (const character of invisible) {
    const name = `a${character}b`;
    const written = [...character.split('')]
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
    for (const format of ['json', 'ndjson', 'csv', 'table'] as const) {
      const text = await printed(list([{ id: 'x', name, size: 1 }]), format);
      assert.ok(text.includes(`a${written}b`), `${format} ${written}: ${text}`);
      if (format === 'json') assert.equal(JSON.parse(text)[0].name, name);
    }
  }
  assert.equal(plain('Zürich 東京 مرحبا 👍🏽 é'), 'Zürich 東京 مرحبا 👍🏽 é', 'visible characters stay');
});

test('no control character reaches the terminal in any format, and JSON keeps its value', async () => {
  for (const name of hostile) {
    for (const format of ['json', 'ndjson', 'csv', 'table'] as const) {
      const text = await printed(list([{ id: 'x', name, size: 1 }]), format);
      assert.doesNotMatch(
        text.replaceAll('\n', ''),
        /[\u0000-\u001f\u007f-\u009f\u200b\u202e\u2028]/,
        `${format} ${JSON.stringify(name)}`,
      );
      if (format === 'json') assert.equal(JSON.parse(text)[0].name, name);
    }
  }
});

test('any text is printed without control characters, and its JSON has the same value', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      assert.doesNotMatch(plain(text), /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      assert.equal(JSON.parse(jsonText(text)), text);
    }),
  );
});

test('quantities are printed as people type them', () => {
  const table: [number, string][] = [
    [0.05, '0.05'],
    [61650.5, '61650.5'],
    [61804.29651234, '61804.2965'],
    [1e-7, '0.0000001'],
    [1e21, '1000000000000000000000'],
    [0, '0'],
    [-0.5, '-0.5'],
    [0.1 + 0.2, '0.3'],
    [1.9532476, '1.9532476'],
    [10 ** -5, '0.00001'],
  ];
  for (const [value, text] of table) assert.equal(quantity(value), text);
});

test('a printed quantity reads back as nearly the same number', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-8, max: 1e12, noNaN: true }), (value) => {
      const error = Math.abs(Number(quantity(value)) - value) / value;
      assert.ok(error < 1e-4, `${value} as ${quantity(value)}`);
      assert.doesNotMatch(quantity(value), /e/);
    }),
  );
});

test('money is grouped and has two decimals; profits have a sign', () => {
  assert.equal(usd(1234567.891), '1,234,567.89');
  assert.equal(usd(-0.001), '0.00');
  assert.equal(signedUsd(12.5), '+12.50');
  assert.equal(signedUsd(-12.5), '-12.50');
  assert.equal(signedUsd(0.001), '0.00');
});

test('times are UTC, and any number is handled', () => {
  assert.equal(dateTime(Date.UTC(2026, 10, 20, 22, 10, 3)), '2026-11-20 22:10:03Z');
  assert.equal(dateTime(Number.MAX_VALUE), '1.7976931348623157e+308');
  assert.equal(stretch(5_400_000), '1h 30m');
  assert.equal(stretch(250), '250ms');
});

test('a sentence that is too long for the terminal is wrapped between words', async () => {
  const blocks = [line({ text: 'one two three', tone: 'bad' as const }), line('one two ', 'three four')];
  assert.equal(await renderBlocks(blocks, 8), 'one two\nthree\none two three four\n');
  assert.equal(await renderBlocks(blocks.slice(0, 1), Number.POSITIVE_INFINITY), 'one two three\n');
});
