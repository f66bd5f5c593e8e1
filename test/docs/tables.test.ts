import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe } from 'node:test';
import { exitCodes } from '../../src/base/failure/failure.ts';
import { variables } from '../../src/terminal/cli/tree/topics.ts';
import { columnsOf, type TableName } from '../../src/venues/export/tables.ts';
import { codeTables, withRows } from '../../tools/code-tables.ts';
import { readMarkdown } from '../../tools/markdown.ts';
import { Desk } from '../terminal/cli/practice.ts';
import { it, trial } from '../tiers.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (page: string) => readFileSync(resolve(root, page), 'utf8');
const rowsUnder = (page: string, firstColumn: string) =>
  readMarkdown(read(page)).tables.flatMap(({ columns, rows }) => (columns[0] === firstColumn ? rows : []));

describe('a table of a document has what the code has', () => {
  for (const [page, header, rows] of codeTables)
    it(`${page}: ${header}`, () => {
      assert.equal(withRows(read(page), header, rows()), read(page), 'npm run fix writes it again');
    });

  it('docs/scripting.md: each exit status', () => {
    const written = rowsUnder('docs/scripting.md', 'exit').map(([status]) => Number(status!.replaceAll('*', '')));
    assert.deepEqual(written, Object.values(exitCodes));
  });

  it('docs/tapes.md: the columns of each exported table', () => {
    const written = rowsUnder('docs/tapes.md', 'table');
    assert.ok(written.length > 0);
    for (const [table, , columns] of written) {
      const names = columnsOf(table!.replaceAll('`', '') as TableName).map(({ name }) => name);
      assert.equal(columns!.replaceAll(/ \([^)]*\)/g, ''), names.join(', '), table);
    }
  });

  trial("docs/scripting.md: each of perp's own figures in `computed`, which CSV has, too", async () => {
    using desk = new Desk();
    const order = await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--stop-loss', '2%');
    const [position] = await desk.json('positions');
    const account = await desk.json('accounts', 'show', '--within', '1d');
    const quote = await desk.json('quote', 'BTC', '--side', 'buy', '--size', '0.01');
    const text = read('docs/scripting.md');
    const named = new Set(text.match(/(?<=`)[a-z_]+(?=`)/g));
    for (const { computed } of [order, position, account, quote]) {
      assert.ok(Object.keys(computed).length > 1);
      for (const figure of Object.keys(computed)) assert.ok(named.has(figure), figure);
    }
    const { out } = await desk.perp(['positions', '-o', 'csv']);
    const csv = out.split('\n')[0]!.split(',');
    for (const [figure, value] of Object.entries(position.computed))
      assert.ok(Array.isArray(value) || csv.includes(`computed.${figure}`), `${figure} in CSV`);
  });
});

it('every variable that the code names is one of perp help environment', () => {
  const sources = globSync('src/**/*.ts', { cwd: root }).map((file) => readFileSync(resolve(root, file), 'utf8'));
  const named = new Set(sources.flatMap((text) => text.match(/(?<=')PERP_[A-Z_]+(?=')/g) ?? []));
  const known = variables.map(([name]) => name);
  assert.ok(named.size > 10);
  assert.deepEqual(
    [...named].filter((name) => !known.includes(name)),
    [],
  );
});
