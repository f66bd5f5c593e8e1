import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Desk } from '../practice.ts';

describe('perp gate', () => {
  it('makes a key for a bot, shows it once, keeps its hash, and revokes it', async () => {
    using desk = new Desk();
    const made = await desk.json('gate', 'key', 'add', 'grid', '--expires', '12h');
    assert.match(made.api_key, /^gate_live_[\w-]{43}$/);
    const kept = readFileSync(join(desk.variables.PERP_STATE_DIR!, 'gate', 'bots.json'), 'utf8');
    assert.equal(kept.includes(made.api_key), false);
    const [listed] = await desk.json('gate', 'key');
    assert.deepEqual([listed.id, listed.bot, listed.is_valid, listed.hash], [made.id, 'grid', true, undefined]);
    await desk.json('gate', 'key', 'revoke', 'grid', '--dry-run');
    assert.equal((await desk.json('gate', 'key'))[0].is_valid, true);
    await desk.json('gate', 'key', 'revoke', 'grid');
    assert.equal((await desk.json('gate', 'key'))[0].is_valid, false);
    assert.equal((await desk.perp(['gate', 'key', 'revoke', 'grid', '--json'])).exit, 3);
    assert.equal((await desk.perp(['gate', 'key', 'add', 'Grid!', '--json'])).exit, 2);
    assert.match((await desk.json('gate', 'key', 'add', 'picky', '--prefix', 'fp_live_')).api_key, /^fp_live_\w/);
    assert.equal((await desk.perp(['gate', 'key', 'add', 'picky', '--prefix', 'fp live', '--json'])).exit, 2);
    assert.equal((await desk.perp(['gate', 'key', 'add', 'grid', '--expires', '400d', '--json'])).exit, 2);
  });

  it('stops bots without a running gate, and lets them go on only for a person who types it', async () => {
    using desk = new Desk();
    const stopped = () =>
      JSON.parse(readFileSync(join(desk.variables.PERP_STATE_DIR!, 'gate', 'bots.json'), 'utf8')).stopped;
    assert.equal((await desk.perp(['gate', 'status', '--json'])).error.code, 'no_gate');
    await desk.json('gate', 'stop', 'grid');
    await desk.json('gate', 'stop');
    assert.deepEqual(Object.keys(stopped()).sort(), ['*', 'grid']);
    for (const more of [{}, { terminal: true, typed: ['resume all'] }]) {
      const run = await desk.perp(['gate', 'resume', ...('typed' in more ? ['--yes'] : []), '--json'], more);
      assert.deepEqual([run.exit, run.error.code], [4, 'person_needed']);
    }
    const declined = await desk.perp(['gate', 'resume'], { terminal: true, typed: [''] });
    assert.equal(declined.exit, 130);
    assert.deepEqual(Object.keys(stopped()).sort(), ['*', 'grid']);
    assert.equal((await desk.perp(['gate', 'resume'], { terminal: true, typed: ['resume all'] })).exit, 0);
    assert.deepEqual(stopped(), {});
  });

  it('serves nothing without a signed mandate', async () => {
    using desk = new Desk();
    assert.equal((await desk.perp(['gate', 'serve', '--json'])).exit, 2);
    const file = join(desk.folder, 'grid.toml');
    await desk.json('mandate', 'add', 'grid', '--file', file);
    const run = await desk.perp(['gate', 'serve', '--mandate', file, '--port', '0', '--json']);
    assert.equal(run.exit, 4);
    assert.match(run.error.message, /is not signed/);
  });
});
