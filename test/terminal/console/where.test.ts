import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../../../src/service/serve.ts';
import { beginning } from '../../seed.ts';
import { test, trial } from '../../tiers.ts';
import { Desk } from '../cli/practice.ts';
import { settings, worldOf } from './where-worlds.ts';

const place = 'order place BTC buy 0.01'.split(' ');

trial('a write, its question, its error and a read name the place, on a simulation and on live', async () => {
  for (const setting of ['two served, one in use', 'live']) {
    await using world = await worldOf(settings[setting]!);
    const { name, shown, desk } = world;
    assert.equal((await world.json(...place)).computed.destination, name);
    const onTerminal = await world.perp(place, { terminal: true, answer: true });
    assert.ok(onTerminal.err.includes(shown), 'the preview');
    assert.ok(desk.questions.at(-1)!.includes(shown), 'the question');
    assert.ok(onTerminal.out.trimEnd().split('\n').at(-1)!.includes(shown), 'the result');
    const refused = await world.perp(['order', 'place', 'BTC', 'buy', '5000', '--force', '--json']);
    assert.equal(refused.error.destination, name);
    assert.ok((await world.perp(['positions', '-o', 'csv'])).err.includes(shown), 'a read');
    assert.equal((await world.perp(['positions', '-o', 'csv', '-q'])).err, '');
    const quiet = await world.perp([...place, '--json', '-q']);
    assert.equal(quiet.err, world.isSimulation ? '' : `*** ${name} ***\n`);
  }
});

test('under a profile, JSON of reads names it in each record and row; without one, JSON is the API’s own', async () => {
  using desk = new Desk();
  await desk.json('profile', 'add', 'paper', '--env', 'sim', '--state', 'paper');
  const named = { destination: 'SIM paper, synthetic, profile paper' };
  const under = (...argv: string[]) => desk.json(...argv, '--profile', 'paper');
  const { computed, ...order } = await under(...place);
  assert.equal(computed.destination, named.destination);
  assert.deepEqual(await under('fills'), [{ ...order, computed: named }]);
  const shown = await under('order', 'show', order.id);
  assert.deepEqual({ ...shown, computed: shown.computed.destination }, { ...order, computed: named.destination });
  const [position] = await under('positions');
  assert.equal(position.computed.destination, named.destination);
  assert.ok(position.computed.mark > 0);
  const { out } = await desk.perp(['accounts', '-o', 'ndjson', '--profile', 'paper']);
  assert.deepEqual(JSON.parse(out).computed, named);
  writeFileSync(join(desk.folder, 'lines'), 'fills\n');
  const batch = await desk.perp(['batch', join(desk.folder, 'lines'), '--profile', 'paper']);
  assert.deepEqual(JSON.parse(batch.out).data[0].computed, named);
  assert.equal((await desk.json('accounts', '--state', 'paper'))[0].computed, undefined);
});

test('a plain command means --state, else PERP_STATE, else the config, else the one in use, else default', async () => {
  using desk = new Desk();
  const plain = async (argv: string[] = [], variables = {}) =>
    (await desk.perp(['sim', 'use', '--json', ...argv], { variables })).json;
  assert.deepEqual(await plain(), { state: 'default', from: 'default' });
  for (const state of ['used', 'kept', 'named', 'given']) await desk.json('accounts', '--state', state);
  await desk.json('sim', 'use', 'used');
  assert.deepEqual(await plain(), { state: 'used', from: 'perp sim use' });
  await desk.perp(['config', 'set', 'sim.state', 'kept']);
  assert.deepEqual(await plain(), { state: 'kept', from: 'the config file' });
  const variables = { PERP_STATE: 'named' };
  assert.deepEqual(await plain([], variables), { state: 'named', from: 'PERP_STATE' });
  assert.deepEqual(await plain(['--state', 'given'], variables), { state: 'given', from: '--state' });
  const commands = ['order place BTC buy 0.01', 'positions', 'sim status', 'sim check', 'sim reset --yes'];
  for (const command of commands) {
    const run = await desk.perp(command.split(' '), { variables });
    assert.match(run.out + run.err, /SIM named, synthetic/, command);
  }
  const bad = await desk.perp(['positions'], { variables: { PERP_STATE: '../x' } });
  assert.deepEqual([bad.exit, /PERP_STATE is "..\/x", not a valid name/.test(bad.err)], [2, true]);
  const unknown = await desk.perp(['sim', 'use', 'nowhere', '--json']);
  assert.deepEqual([unknown.exit, unknown.error.hint], [3, 'Simulations: default, given, kept, named, used.']);
});

test('one that is served in use counts only on a terminal, and only while it is served; the latest choice counts', async (t) => {
  using desk = new Desk();
  const stateDir = join(desk.folder, 'state');
  const open = async (state: string) => {
    const serving = await serve({ stateDir, state, beginning, port: 0, sandboxPort: 0, drainMs: 0 });
    t.after(() => serving.stop());
    return serving;
  };
  /** The later choice counts, by the millisecond: the next one must not fall into the same. */
  const meant = async (terminal: boolean) => {
    const { state } = (await desk.perp(['sim', 'use', '--json'], { terminal })).json;
    for (const now = Date.now(); Date.now() === now; );
    return state;
  };
  await desk.json('accounts');
  const one = await open('one');
  assert.equal(await meant(true), 'default', 'serving alone moves nothing');
  one.putInUse();
  assert.deepEqual([await meant(true), await meant(false)], ['one', 'default']);
  const two = await open('two');
  assert.equal(await meant(true), 'one');
  two.putInUse();
  assert.equal(await meant(true), 'two');
  await two.stop();
  assert.equal(await meant(true), 'one');
  await desk.json('sim', 'use', 'default');
  assert.equal(await meant(true), 'default', 'chosen by hand, and later');
  one.putInUse();
  assert.equal(await meant(true), 'one');
  const reset = await desk.perp(['sim', 'reset', '--json', '--yes'], { terminal: true });
  assert.deepEqual([reset.exit, reset.error.destination], [6, 'SIM one, synthetic']);
});

/** What `perp sim serve` leaves behind when it is killed: a file, and a lock that nobody holds. */
trial('a killed service is in use no longer', async (t) => {
  using desk = new Desk();
  await desk.json('accounts', '--state', 'one');
  const stateDir = join(desk.folder, 'state');
  const program = `import { serve } from '${join(import.meta.dirname, '../../../src/service/serve.ts')}';
    const serving = await serve({ stateDir: ${JSON.stringify(stateDir)}, state: 'one', port: 0, sandboxPort: 0 });
    serving.putInUse();
    console.log('ready');`;
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout!, 'data');
  const meant = async () => (await desk.perp(['sim', 'use', '--json'], { terminal: true })).json.state;
  assert.equal(await meant(), 'one');
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(await meant(), 'default');
});

test('a damaged or foreign file of what is in use is as good as none', async () => {
  using desk = new Desk();
  mkdirSync(join(desk.folder, 'state'), { recursive: true });
  for (const text of [
    '',
    '{',
    '[]',
    '{"state":5,"since":1}',
    '{"state":"../x","since":1}',
    '{"state":"gone","since":1}',
  ]) {
    writeFileSync(join(desk.folder, 'state', 'in-use.json'), text);
    assert.equal((await desk.json('sim', 'use')).state, 'default', text);
  }
});

trial('trade.confirm_live = name asks for the name of the account, and sends nothing without it', async () => {
  await using world = await worldOf(settings.live!);
  await world.perp(['config', 'set', 'trade.confirm_live', 'name']);
  const [{ name }, other] = await world.json('accounts');
  const buy = (typed: string, ...more: string[]) => world.perp([...place, ...more], { terminal: true, typed: [typed] });
  const empty = await buy('');
  assert.deepEqual([empty.exit, /Nothing was sent/.test(empty.err)], [130, true]);
  const question = world.desk.questions.at(-1)!;
  assert.ok(question.endsWith(`on *** ${world.name} ***? Type ${name} to send it`), question);
  assert.ok((await buy(other.name)).err.includes(`Type ${name} to send it, or nothing`), 'a wrong name is asked again');
  assert.deepEqual(await world.json('positions'), []);
  assert.equal((await buy(name.toLowerCase())).exit, 0);
  assert.equal((await buy('', '--yes')).exit, 0, '--yes asks nothing');
  assert.equal((await world.perp(['cancel-all', '--yes'])).exit, 0, 'a script is not asked');
  assert.equal((await world.json('positions'))[0].size, 0.02);
});
