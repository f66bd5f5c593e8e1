import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { BotsFile, gateFolder } from '../../../src/bots/gate/bots-file.ts';
import { listenForBots } from '../../../src/bots/gate/serve.ts';
import { temporaryDirectory } from '../../service/temporary-directory.ts';
import { GateWorld } from './gate-world.ts';

const docs = resolve(import.meta.dirname, '../../../docs');
const interpreters: Readonly<Record<string, string>> = { py: 'python3', mjs: process.execPath, sh: 'bash' };

/** A program of a page, by the name in its block. */
function blockOf(page: string, name: string): string {
  const whole = readFileSync(join(docs, page), 'utf8');
  const [, code] = new RegExp(`^\`\`\`\\w+ ${RegExp.escape(name)}\\n(.*?)^\`\`\`$`, 'ms').exec(whole) ?? [];
  assert.ok(code, `${page} has no ${name}`);
  return code;
}

for (const name of ['order.py', 'order.mjs', 'order.sh'])
  test(`the client ${name} of the documents trades through the gate with no change but URL and key`, async (t) => {
    const world = await GateWorld.open(t, { accounts: 1 });
    world.mandates.set('stranger', world.allowing());
    const gate = await world.gate();
    const bots = new BotsFile(gateFolder(world.variables));
    const { text: key } = bots.add('stranger', 'live', Date.now(), Date.now() + 60_000);
    const note = (said: string) => void world.notes.push(said);
    const host = await listenForBots({ gate, environment: 'live', port: 0, now: Date.now, log: null, note });
    t.after(() => host.stop());
    const file = join(world.folder, name);
    writeFileSync(file, blockOf('place-an-order.md', name));
    const env = {
      HOME: world.folder,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      PERP_BASE_URL: host.url,
      PERP_API_KEY: key,
    };
    const child = spawn(interpreters[name.split('.')[1]!]!, [file, world.accounts[0]!], { env, cwd: world.folder });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const { data } = (await world.direct({ target: '/v1/orders' })).body as { data: { client_order_id: string }[] };
    assert.equal(data.length, 1, `${out}${err}`);
    assert.match(data[0]!.client_order_id, /^gate-stranger_/);
    assert.match(out, /filled/, `${out}${err}`);
  });

test('the unit of the documents is one that systemd understands', (t) => {
  const unit = blockOf('gate.md', 'perp-gate.service');
  for (const line of [
    'User=perp-gate',
    'StateDirectoryMode=0700',
    'LoadCredential=api-key:',
    '--api-key-file %d/api-key',
  ])
    assert.ok(unit.includes(line), line);
  if (spawnSync('systemd-analyze', ['--version']).error !== undefined) {
    t.diagnostic('systemd-analyze is not installed: the unit was only read');
    return;
  }
  const file = join(temporaryDirectory(t), 'perp-gate.service');
  writeFileSync(file, unit.replace('/usr/bin/perp', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  assert.deepEqual([status, stderr.split('\n').filter((line) => line.includes('perp-gate'))], [0, []]);
});
