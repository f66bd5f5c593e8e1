import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { errorCodes } from '../../src/wire/contract/errors.ts';
import { withTables } from '../../tools/api-tables.ts';
import { readMarkdown, type Table } from '../../tools/markdown.ts';

const root = resolve(import.meta.dirname, '../..');
const tablesOf = (name: string) => readMarkdown(readFileSync(resolve(root, 'docs', name), 'utf8')).tables;
const api = tablesOf('api.md');
const simulation = tablesOf('simulation.md');
const rowsUnder = (tables: readonly Table[], firstColumn: string) =>
  tables.filter(({ columns }) => columns[0] === firstColumn).flatMap(({ rows }) => rows);

describe('docs/api.md', () => {
  it('has the operations and fields of the contract in its tables', () => {
    const page = readFileSync(resolve(root, 'docs/api.md'), 'utf8');
    assert.equal(withTables(page), page, 'npm run fix writes them again');
  });

  it('has each error code with its status, and says where a retry is safe', () => {
    const written = rowsUnder(api, 'Code').map(([code, status, , retry]) => [code, status, retry]);
    const expected = Object.entries(errorCodes).map(([code, { status, retryable }]) => {
      return [`\`${code}\``, String(status), retryable ? 'yes' : ''];
    });
    assert.deepEqual(written, expected);
  });
});

describe('docs/simulation.md', () => {
  it('names every rule id that the engine refuses by', () => {
    const engine = globSync('src/exchange/engine/**/*.ts', { cwd: root }).map((file) =>
      readFileSync(resolve(root, file), 'utf8'),
    );
    const ids = new Set(
      engine.flatMap((text) => [...text.matchAll(/(?:violation\(|ruleId: )'([a-z-]+)'/g)].map(([, id]) => id!)),
    );
    assert.ok(ids.size > 25, `only ${ids.size} rule ids found`);
    const text = readFileSync(resolve(root, 'docs/simulation.md'), 'utf8');
    assert.deepEqual(
      [...ids].filter((id) => !text.includes(`\`${id}\``)),
      [],
    );
  });

  it('has every code of the API in its table of statuses', () => {
    const written = rowsUnder(simulation, 'status').flatMap(([, codes]) => codes!.match(/`[a-z_]+`/g) ?? []);
    for (const code of Object.keys(errorCodes)) assert.ok(written.includes(`\`${code}\``), code);
  });
});
