import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BotsFile, gateFolder } from '../../../src/bots/gate/bots-file.ts';
import { readGateFile, serveControl } from '../../../src/bots/gate/control.ts';
import { httpTransport } from '../../../src/wire/client/http-transport.ts';
import { GateWorld } from './gate-world.ts';

/** The user that owns nothing. */
const nobody = '65534';

const whyNot =
  process.getuid?.() !== 0
    ? 'only root can act as another user'
    : spawnSync('setpriv', ['--version']).error !== undefined
      ? 'there is no setpriv'
      : false;

test('another user of the machine reads no key, no mandate’s secret, no approval, and controls nothing', {
  skip: whyNot,
}, async (t) => {
  const world = await GateWorld.open(t);
  world.mandates.set('grid', world.allowing(world.accounts, { approveAboveUsd: 1 }));
  const gate = await world.gate();
  const folder = gateFolder(world.variables);
  new BotsFile(folder).add('grid', 'live', Date.now(), Date.now() + 60_000);
  await using _control = await serveControl(gate, folder, 'http://127.0.0.1:1');
  // The order waits for a person, so there is an approval to read.
  const stopped = new AbortController();
  const waiting = gate.handle('grid', world.order(), stopped.signal);
  const state = join(world.folder, 'state');
  const approvals = join(folder, 'approvals');
  while (readdirSync(folder).includes('approvals') === false || readdirSync(approvals).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 10));
  // Even if the folders above are open to all.
  for (const open of [world.folder, state]) chmodSync(open, 0o755);
  const as = (...command: string[]) =>
    spawnSync('setpriv', [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', ...command], {
      encoding: 'utf8',
    });
  assert.equal(as('cat', '/etc/hostname').status, 0, 'another user can run programs');
  const files = readdirSync(state, { recursive: true, encoding: 'utf8' })
    .map((name) => join(state, name))
    .filter((name) => statSync(name).isFile());
  for (const part of ['bots.json', 'gate.json', 'secret', 'approvals', 'audit'])
    assert.ok(
      files.some((file) => file.includes(part)),
      `${part} is there`,
    );
  for (const file of files) {
    const read = as('cat', file);
    assert.notEqual(read.status, 0, file);
    assert.equal(read.stdout, '', file);
    assert.notEqual(as('sh', '-c', `echo x >> '${file}'`).status, 0, file);
  }
  const { control } = readGateFile(folder)!;
  const transport = httpTransport(control);
  t.after(() => transport.close());
  for (const authorization of [undefined, 'Bearer ', 'Bearer guess']) {
    const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) };
    const asked = { method: 'POST', target: '/', headers, body: JSON.stringify({ ask: 'resume' }) } as const;
    assert.equal((await transport(asked, { timeoutMs: 30_000 })).status, 401);
  }
  stopped.abort();
  assert.equal((await waiting).status, 503);
});
