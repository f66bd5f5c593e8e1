import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { operations } from '../../src/wire/contract/operations.ts';
import { channels } from '../../src/wire/contract/streams.ts';
import { pages, withExamples } from '../../tools/doc-examples.ts';
import { readMarkdown } from '../../tools/markdown.ts';

const read = (page: string) => readFileSync(resolve(import.meta.dirname, '../..', page), 'utf8');
const recorded = new Map<string, Map<string, string>>();
for (const [page, record] of Object.entries(pages)) recorded.set(page, await record());

describe('the examples in the docs', () => {
  for (const [page, examples] of recorded)
    it(`of ${page} are what the simulation answers now`, () => {
      assert.equal(withExamples(read(page), examples), read(page), 'npm run fix records them again');
    });

  it('show each operation of the contract with a success', () => {
    const examples = recorded.get('docs/api.md')!;
    for (const { id, method, path } of Object.values(operations)) {
      const text = examples.get(id) ?? '';
      const target = `^${method} ${RegExp.escape(path).replaceAll(/\\\{\w+\\\}/g, '[^/? ]+')}(?:\\?\\S+)?$`;
      assert.match(text, new RegExp(target, 'm'), `${id}: record it in tools/examples/operations.ts`);
      assert.match(text, /^20[012]$/m, id);
    }
  });

  it('show each frame that docs/streams.md names', () => {
    const page = read('docs/streams.md');
    const frames = [...recorded.get('docs/streams.md')!.values()].join('');
    for (const channel of channels) assert.match(frames, new RegExp(`"op": "sub",[^]*?"channel": "${channel}"`));
    for (const op of ['sub', 'unsub', 'req', 'sub_ok', 'sub_err', 'events', 'snapshot_end', 'res', 'err', 'draining']) {
      assert.ok(page.includes(`\`${op}\``) || page.includes(`{"op":"${op}"`), op);
      assert.match(frames, new RegExp(`"op": "${op}"`), op);
    }
    const table = readMarkdown(page).tables.find(({ columns }) => columns[0] === '`type`')!;
    assert.ok(table.rows.length >= 7);
    for (const [type, events] of table.rows) {
      const name = type!.replaceAll('`', '');
      const words = events!.match(/\w+/g) ?? [];
      if (words.length === 0) assert.match(frames, new RegExp(`"type": "${name}"`), name);
      for (const word of words)
        assert.match(frames, new RegExp(`"type": "${name}", "seq": \\d+, "time": \\d+, "event": "${word}"`));
    }
    for (const type of ['hello', 'snapshot', 'snapshot_end']) assert.match(frames, new RegExp(`"type": "${type}"`));
  });
});
