import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { Desk } from '../../terminal/cli/practice.ts';

/** Two round trips at the same time, and an open position. */
const trading = [
  'order place BTC buy 0.1 --stop-loss -2% --yes',
  'close-all --yes',
  'order place BTC buy 0.2 --yes',
  'close-all --yes',
  'sim advance 90m',
  'order place ETH sell 2 --yes',
];

describe('perp journal', () => {
  const desk = new Desk();
  let ids: string[] = [];
  after(() => desk[Symbol.dispose]());
  before(async () => {
    await desk.json('sim', 'reset', '--clock', 'manual', '--seed', '3', '--yes');
    const file = join(desk.folder, 'trading.txt');
    writeFileSync(file, trading.join('\n'));
    assert.equal((await desk.perp(['batch', file])).exit, 0);
    ids = (await desk.json('positions', '--closed')).map(({ id }: { id: string }) => id);
  });

  const folder = join(desk.variables.PERP_STATE_DIR!, 'journal');
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function entryFiles(): string[] {
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(folder, name));
  }

  it('lists open positions first, then trips, newest first, each with its own position', async () => {
    const trips = await desk.json('journal');
    assert.deepEqual(
      trips.map((trip: { status: string; size: number }) => [trip.status, trip.size]),
      [
        ['open', 2],
        ['closed', 0.2],
        ['closed', 0.1],
      ],
    );
    assert.deepEqual([trips[1].position_id, trips[2].position_id], ids);
    for (const id of ids) {
      const position = await desk.json('positions', 'show', id);
      const { fees, realized_pnl, entry_price, exit_price } = await desk.json('journal', 'show', id);
      assert.deepEqual(
        [fees, realized_pnl, entry_price, exit_price],
        [position.fees, position.realized_pnl, position.entry_price, position.exit_price],
      );
    }
  });

  it('keeps tags, notes and risk in private files, and removes them again', async () => {
    const [id] = ids;
    await desk.json('journal', 'tag', id!, 'Breakout', 'late', 'breakout');
    await desk.json('journal', 'note', id!, 'Chased it');
    await desk.json('journal', 'one-r', id!, '10');
    const [tagged, ...others] = await desk.json('journal', '--tag', 'breakout');
    assert.deepEqual([tagged.position_id, tagged.tags, tagged.note], [id, ['breakout', 'late'], 'Chased it']);
    assert.equal(others.length, 0);
    assert.ok(Math.abs(tagged.r - tagged.net / 10) < 1e-9);
    const byTag = await desk.json('pnl', '--by', 'tag');
    assert.deepEqual(byTag.map(({ tag }: { tag: string }) => tag).sort(), ['breakout', 'late', 'untagged']);
    assert.equal((await desk.json('pnl', '--tag', 'late')).net, tagged.net);
    for (const file of entryFiles()) assert.equal(statSync(file).mode & 0o777, 0o600);
    await desk.json('journal', 'tag', id!, 'late', 'breakout', '--remove');
    await desk.json('journal', 'note', id!, '--remove');
    await desk.json('journal', 'one-r', id!, '--remove');
    assert.deepEqual(entryFiles(), []);
  });

  it('refuses control characters, long notes and tags that are not words, and writes nothing', async () => {
    for (const words of [
      ['note', ids[0]!, 'clear \u001b[2J the screen'],
      ['note', ids[0]!, 'two\nlines'],
      ['note', ids[0]!, 'hidden \u202e text'],
      ['note', ids[0]!, 'x'.repeat(2_001)],
      ['note', ids[0]!],
      ['tag', ids[0]!, '<b>'],
      ['tag', ids[0]!, 'a b'],
      ['one-r', ids[0]!, '0'],
    ]) {
      const run = await desk.perp(['journal', ...words, '--json']);
      assert.deepEqual([run.exit, run.error.code], [2, 'usage'], words.join(' '));
      assert.doesNotMatch(run.err, /\u001b|\u202e/);
    }
    assert.equal((await desk.perp(['journal', 'tag', 'pos_zzz', 'x'])).exit, 3);
    assert.deepEqual(entryFiles(), []);
  });

  it('prints a Markdown table in which no text is interpreted as markup', async () => {
    await desk.json('journal', 'note', ids[0]!, 'a | <img src=x onerror=alert(1)> [x](javascript:1) `code`');
    const { out } = await desk.perp(['journal', '--markdown']);
    const row = out.split('\n').find((line) => line.includes('img'))!;
    assert.equal(row.match(/(?<!\\)\|/g)!.length, out.split('\n')[0]!.match(/\|/g)!.length);
    assert.doesNotMatch(row, /<img|(?<!\\)[[`]/);
    await desk.json('journal', 'note', ids[0]!, '--remove');
  });

  it('reports a damaged entry, keeps it, and continues without it', async () => {
    await desk.json('journal', 'tag', ids[0]!, 'one');
    await desk.json('journal', 'tag', ids[1]!, 'two');
    const damaged = entryFiles().find((file) => file.includes(ids[0]!))!;
    for (const text of ['{"format": 1,', '[]', '{"format": 2}', '{"format": 1, "position_id": 5}', 'null']) {
      writeFileSync(damaged, text);
      const list = await desk.perp(['journal', '--json']);
      assert.deepEqual([list.exit, list.json.length], [0, 3]);
      assert.match(list.err.replaceAll(/\s+/g, ' '), /can't be used.*left out/);
      assert.deepEqual(
        list.json.map(({ tags }: { tags: string[] }) => tags),
        [[], [], ['two']],
      );
      const write = await desk.perp(['journal', 'tag', ids[0]!, 'three', '--json']);
      assert.deepEqual([write.exit, write.error.code], [6, 'damaged_journal']);
      assert.equal(readFileSync(damaged, 'utf8'), text);
    }
  });

  it('does not apply entries to a position of the same id from before a reset', async () => {
    using other = new Desk();
    const begin = async (minutes: number) => {
      await other.json('sim', 'reset', '--clock', 'manual', '--yes');
      await other.json('sim', 'advance', `${minutes}m`);
      await other.json('order', 'place', 'BTC', 'buy', '0.1', '--yes');
      return (await other.json('journal'))[0];
    };
    const { position_id: id } = await begin(1);
    await other.json('journal', 'tag', id, 'old');
    assert.deepEqual((await other.json('journal'))[0].tags, ['old']);
    const again = await begin(2);
    assert.deepEqual([again.position_id, again.tags], [id, []]);
    await other.json('journal', 'tag', id, 'fresh');
    assert.deepEqual((await other.json('journal'))[0].tags, ['fresh']);
  });

  it('changes nothing with --dry-run', async () => {
    const before = entryFiles();
    const run = await desk.perp(['journal', 'tag', 'ETH', 'idea', '--dry-run']);
    assert.equal(run.exit, 0);
    assert.deepEqual(entryFiles(), before);
  });
});
