import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { inProcessTransport, resetState } from '../../src/service/public.ts';
import { checkState, repairState } from '../../src/service/simulation/repair.ts';
import { webSocketTransport } from '../../src/wire/client/streams/web-socket.ts';
import { streamPaths } from '../../src/wire/contract/streams.ts';
import type { StreamTransport } from '../../src/wire/contract/wire.ts';
import { Api } from '../conformance/api.ts';
import { ask, issueKey, served, startTime } from './serving.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const wall = () => startTime;
const options = { seed: 7, clock: 'manual', startTime, wall } as const;

/** The run that a state names now, opened anew. */
async function runOf(stateDir: string): Promise<string> {
  const { transport, close } = await inProcessTransport({ stateDir, ...options });
  const run = (await new Api(transport).get('/v1/accounts')).headers['x-sim-run'];
  close();
  assert.match(run ?? '', /^run_\S{12}$/);
  return run!;
}

function headersOfOpening(open: StreamTransport, path: string): Promise<Readonly<Record<string, string>> | undefined> {
  return new Promise((resolve, reject) => {
    const stream = open(path, {
      opened(headers) {
        resolve(headers);
        stream.close();
      },
      text() {},
      closed: ({ reason }) => reject(new Error(reason)),
    });
  });
}

test('a state keeps its run while it is opened again, and begins another one when it is reset', async (t) => {
  const stateDir = temporaryDirectory(t);
  const run = await runOf(stateDir);
  assert.equal(await runOf(stateDir), run);
  (await resetState({ stateDir, seed: 7, wall })).close();
  assert.notEqual(await runOf(stateDir), run);
});

test('whoever has a state open learns that another process has reset it', async (t) => {
  const stateDir = temporaryDirectory(t);
  const { transport, close } = await inProcessTransport({ stateDir, ...options });
  const api = new Api(transport);
  const { headers } = await api.get('/v1/accounts');
  (await resetState({ stateDir, seed: 7, wall })).close();
  assert.notEqual((await api.get('/v1/accounts')).headers['x-sim-run'], headers['x-sim-run']);
  close();
});

test('a restored backup and a rebuilt state are other runs, also if the copy is put back by hand', async (t) => {
  const stateDir = temporaryDirectory(t);
  const database = join(stateDir, 'default.db');
  const runs = [await runOf(stateDir)];
  const { backup } = await checkState(stateDir, 'default');
  for (const kind of ['restore', 'rebuild'] as const) {
    const damaged = new DatabaseSync(database);
    damaged.enableDefensive(false);
    damaged.exec('UPDATE accounts SET status = 7');
    damaged.close();
    await repairState(stateDir, 'default', kind);
    runs.push(await runOf(stateDir));
  }
  copyFileSync(backup!, database);
  runs.push(await runOf(stateDir));
  assert.equal(new Set(runs).size, 4);
});

test('the run is in every answer, in refusals, and in the answers that open the streams', async (t) => {
  const serving = await served(t);
  const key = issueKey(serving);
  const { run } = serving.simulation;
  for (const path of ['/v1/accounts', '/v1/nothing']) {
    const { headers } = await ask(serving.baseUrl + path, key);
    assert.equal(headers.get('x-sim-run'), run);
  }
  const over = webSocketTransport(serving.baseUrl.replace(/^http/, 'ws'), { credential: async () => key });
  for (const path of [streamPaths.live, streamPaths.marketData]) {
    const headers = await headersOfOpening(over, path);
    assert.equal(headers?.['x-sim-run'], run);
    assert.equal(headers?.['x-market-source'], 'synthetic');
  }
});

test('the streams of a simulation in this process name its run, too', async (t) => {
  const { simulation, stream, close } = await inProcessTransport({ stateDir: temporaryDirectory(t), wall });
  for (const path of [streamPaths.live, streamPaths.marketData])
    assert.equal((await headersOfOpening(stream, path))?.['x-sim-run'], simulation.run);
  close();
});
