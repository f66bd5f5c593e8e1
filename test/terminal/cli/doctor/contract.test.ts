import assert from 'node:assert/strict';
import { join } from 'node:path';
import { serve } from '../../../../src/service/serve.ts';
import { operations } from '../../../../src/wire/contract/operations.ts';
import { beginning } from '../../../seed.ts';
import { it, trial } from '../../../tiers.ts';
import { alteringHost } from '../altering-host.ts';
import { StrangeStreams } from '../hostile/strange-streams.ts';
import { Desk } from '../practice.ts';

trial('perp doctor --contract finds nothing in the simulation', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.05');
  await desk.json('twap', 'place', 'BTC', 'buy', '0.5', '--duration', '30m');
  await desk.json('scaled', 'place', 'BTC', 'buy', '0.05', '--from', '60000', '--to', '50000', '--rungs', '2');
  const findings = await desk.json('doctor', '--contract');
  assert.deepEqual([...new Set(findings.map(({ status }: { status: string }) => status))], ['ok']);
  // Closed positions are read, too, and both streams.
  assert.equal(findings.length, Object.values(operations).filter(({ method }) => method === 'GET').length + 3);
});

it('perp doctor --contract names each drift of a host in one line, and what could not be read', async (t) => {
  using desk = new Desk();
  const service = await serve({ stateDir: join(desk.folder, 'host'), beginning, port: 0, sandboxPort: 0, drainMs: 50 });
  t.after(() => service.stop());
  // biome-ignore lint/suspicious/noExplicitAny: any answer.
  const markets: any = await (await fetch(`${service.baseUrl}/v1/markets`)).json();
  for (const market of markets.data) Object.assign(market, { tick_size: '0.1', listed_on: 'moon' });
  const url = await alteringHost(t, service.baseUrl, (_, path) => {
    if (path === '/v1/markets') return { status: 200, body: markets };
    if (path === '/v1/copy-trading') return { status: 200, body: { data: [], moon: 'full' } };
    return path.startsWith('/v1/fills')
      ? { status: 404, body: { error: { code: 'not_found', message: 'no' } } }
      : undefined;
  });
  const streams = await StrangeStreams.open(t, (socket) => {
    socket.send(JSON.stringify({ type: 'hello', stream_id: 'st_1', region: 'moon' }));
    socket.close(4003);
  });
  const variables = {
    PERP_ENV: 'live',
    PERP_BASE_URL: url,
    PERP_API_KEY: service.key,
    PERP_MARKET_STREAM_URL: service.baseUrl.replace('http', 'ws'),
    PERP_ACCOUNT_STREAM_URL: streams.url,
  };
  const { exit, json, err } = await desk.perp(['doctor', '--contract', '--json', '--timeout', '20'], { variables });
  assert.equal(exit, 7, err);
  const found = (check: string) =>
    json.filter((one: { check: string }) => one.check === check).map((one: { message: string }) => one.message);
  const times = `(${markets.data.length} times)`;
  assert.deepEqual(found('GET /v1/markets'), [
    `data[].tick_size must be a number ${times}.`,
    `data[].listed_on is not in the contract ${times}.`,
  ]);
  assert.deepEqual(found('GET /v1/copy-trading'), ['moon is not in the contract.']);
  assert.match(found('GET /v1/fills')[0], /^HTTP 404/);
  assert.deepEqual(found('market stream'), ['as in the contract']);
  assert.match(found('account stream')[0], /^Not accepted/);
  assert.ok(!JSON.stringify(json).includes(service.key));
});
