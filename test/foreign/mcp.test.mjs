/** perp's tools for agents, called by MCP clients that nobody here wrote. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { env, folder, here, perp, root, run } from './common.mjs';

const timeout = 180_000;

const kinds = [
  ['version 1', OldClient, OldTransport],
  ['version 2', NewClient, NewTransport],
];

/** Arguments with which each tool succeeds, in this order. */
const calls = [
  ['get_account', {}],
  ['list_positions', {}],
  ['list_positions', { status: 'closed' }],
  ['list_orders', { status: 'any' }],
  ['list_fills', {}],
  ['list_markets', { search: 'btc' }],
  ['get_quote', { market: 'BTC', side: 'buy', size_base: 0.05 }],
  ['get_candles', { market: 'ETH', interval: '5m', limit: 3 }],
  ['wait_for', { condition: 'flat' }],
  ['preview_order', { market: 'ETH', side: 'buy', notional_usd: 500 }],
];
const trades = [
  ['place_order', { market: 'ETH', side: 'buy', notional_usd: 500, idempotency_key: 'k1' }],
  ['place_order', { market: 'ETH', side: 'buy', notional_usd: 500, idempotency_key: 'k1' }],
  ['close_position', { position: 'ETH', idempotency_key: 'k2' }],
  ['flatten', { idempotency_key: 'k3' }],
];
const wrong = [
  ['get_quote', { market: 'XXX' }, 'not_found'],
  ['get_quote', {}, 'invalid_arguments'],
  ['preview_order', { market: 'ETH', side: 'buy' }, 'usage'],
  ['list_orders', { status: 'maybe' }, 'invalid_arguments'],
];

for (const [version, Client, Transport] of kinds)
  describe(`the official MCP client, ${version}`, () => {
    const connected = async (argv) => {
      const client = new Client({ name: 'a-client', version: '1' });
      await client.connect(new Transport({ command: process.execPath, args: [perp, 'mcp', ...argv], env }));
      // From then on it checks what is structured against the output schemas.
      const { tools } = await client.listTools();
      return { client, tools };
    };
    const answered = async (client, name, args) => {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
      const answer = JSON.parse(content[0].text);
      if (isError !== true) assert.deepEqual(structuredContent, answer, name);
      return { isError: isError === true, ...answer };
    };

    it('reads every result and every refusal, and cancels', { timeout }, async () => {
      const { client, tools } = await connected([]);
      try {
        for (const [name, args] of calls) {
          const answer = await answered(client, name, args);
          assert.equal(answer.isError, false, `${name}: ${JSON.stringify(answer)}`);
        }
        assert.deepEqual(new Set(tools.map(({ name }) => name)), new Set(calls.map(([name]) => name)));
        for (const [name, args, code] of wrong)
          assert.equal((await answered(client, name, args)).error.code, code, `${name} ${JSON.stringify(args)}`);
        const refused = await answered(client, 'place_order', trades[0][1]);
        assert.deepEqual([refused.error.code, refused.error.nothing_was_sent], ['read_only', true]);
        const stop = AbortSignal.timeout(200);
        const waiting = { name: 'wait_for', arguments: { condition: 'BTC < 1', seconds: 15 } };
        await assert.rejects(
          version === 'version 1'
            ? client.callTool(waiting, undefined, { signal: stop })
            : client.callTool(waiting, { signal: stop }),
        );
        const { resources } = await client.listResources();
        for (const { uri } of resources) assert.ok((await client.readResource({ uri })).contents[0].text, uri);
      } finally {
        await client.close();
      }
    });

    it('trades within a mandate, and reads why it may not', { timeout }, async () => {
      const name = `helper-${version.replace(' ', '-')}`;
      const { client } = await connected(['--mandate', await signed(name)]);
      try {
        for (const [tool, args] of trades) {
          const own = { ...args, idempotency_key: `${name}-${args.idempotency_key}` };
          const answer = await answered(client, tool, own);
          assert.equal(answer.isError, false, `${tool}: ${JSON.stringify(answer)}`);
        }
        const large = { ...trades[0][1], notional_usd: 5_000, idempotency_key: `${name}-large` };
        const refused = await answered(client, 'place_order', large);
        assert.deepEqual([refused.isError, refused.error.rule_id], [true, 'mandate-largest-order']);
        const { contents } = await client.readResource({ uri: 'perp://account/journal' });
        assert.ok(JSON.parse(contents[0].text).trips.length > 0);
      } finally {
        await client.close();
      }
    });
  });

/** A mandate that its owner has signed. */
async function signed(name, machine = env) {
  const { mandateText } = await import(join(root, 'src/desk/mandate/mandate-file.ts'));
  const { signMandate } = await import(join(root, 'src/desk/mandate/signed.ts'));
  const mandate = {
    name,
    accounts: ['acc_000000001'],
    markets: ['binance|BTCUSDT', 'binance|ETHUSDT'],
    sides: ['buy', 'sell'],
    largestOrderUsd: 1_000,
    largestPositionUsd: 2_000,
    lossPerDayUsd: 1_000,
    ordersPerMinute: 1_000,
    until: Date.now() + 3_600_000,
  };
  const file = join(folder, `${name}.toml`);
  writeFileSync(file, mandateText(mandate));
  signMandate(machine, mandate, Date.now());
  return file;
}

describe('the MCP Inspector', { concurrency: 2 }, () => {
  const inspector = join(here, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
  /** What it prints about a call; it ends with an error after an error. */
  const inspected = async (argv, ...words) => {
    const server = ['--cli', process.execPath, perp, 'mcp', ...argv];
    const done = await run(process.execPath, [inspector, ...server, ...words], { env, timeout }).catch(
      (failed) => failed,
    );
    assert.equal(done.killed ?? false, false, `${words}: took too long`);
    const printed = done.stdout.slice(0, done.stdout.lastIndexOf('\n}') + 2);
    assert.notEqual(printed, '', `${words}: ${done.stdout}${done.stderr}`);
    return JSON.parse(printed);
  };
  const called = (argv, name, args) => {
    const given = Object.entries(args).flatMap(([field, value]) => ['--tool-arg', `${field}=${value}`]);
    return inspected(argv, '--method', 'tools/call', '--tool-name', name, ...given);
  };
  for (const [name, args] of calls)
    it(`reads ${name} ${JSON.stringify(args)}`, { timeout }, async () => {
      const { isError, content, structuredContent } = await called([], name, args);
      assert.equal(isError ?? false, false, content[0].text);
      assert.deepEqual(structuredContent, JSON.parse(content[0].text));
    });
  for (const [name, args, code] of wrong)
    it(`reads the refusal ${code} of ${name}`, { timeout }, async () => {
      // It checks the arguments itself, and still calls.
      const { isError, content } = await called([], name, args);
      assert.deepEqual([isError, JSON.parse(content[0].text).error.code], [true, code]);
    });
  it('lists tools and resources, reads one, and trades within a mandate', { timeout }, async () => {
    const { tools } = await inspected([], '--method', 'tools/list');
    assert.deepEqual(new Set(tools.map(({ name }) => name)), new Set(calls.map(([name]) => name)));
    const { resources } = await inspected([], '--method', 'resources/list');
    const { contents } = await inspected([], '--method', 'resources/read', '--uri', resources[0].uri);
    assert.ok(contents[0].text);
    const mandate = ['--mandate', await signed('inspector')];
    const [tool, args] = trades[0];
    const placed = await called(mandate, tool, { ...args, idempotency_key: 'inspector-1' });
    assert.equal(placed.structuredContent.order.status, 'filled');
    const large = await called(mandate, tool, { ...args, notional_usd: 5_000, idempotency_key: 'inspector-2' });
    assert.equal(JSON.parse(large.content[0].text).error.rule_id, 'mandate-largest-order');
  });
});

describe('an answer that is lost is found, or its outcome unknown; the same key never does it twice', {
  concurrency: 2,
}, () => {
  for (const [version, Client, Transport] of kinds)
    it(version, { timeout }, async (t) => {
      const host = await lossyHost(t, version.replace(' ', '-'));
      const client = new Client({ name: 'a-client', version: '1' });
      const args = [
        perp,
        '--env',
        'live',
        'mcp',
        '--mandate',
        await signed(`lost-${version.replace(' ', '-')}`, host.env),
      ];
      await client.connect(new Transport({ command: process.execPath, args, env: host.env }));
      t.after(() => client.close());
      await client.listTools();
      const order = (key) => ({
        name: 'place_order',
        arguments: { account: 'acc_000000001', market: 'ETH', side: 'buy', notional_usd: 200, idempotency_key: key },
      });
      const placed = async (key) => {
        const { isError, content } = await client.callTool(order(key));
        return { isError: isError === true, ...JSON.parse(content[0].text) };
      };
      host.loses = (method) => method === 'POST';
      const found = await placed('found');
      assert.deepEqual([found.isError, found.order?.status], [false, 'filled'], JSON.stringify(found));

      host.loses = () => host.orders > 1;
      const unknown = await placed('unknown');
      assert.equal(unknown.isError, true);
      assert.deepEqual(
        [unknown.error.code, unknown.error.sent, unknown.error.nothing_was_sent],
        ['outcome_unknown', 'unknown', false],
      );
      host.loses = () => false;
      const again = await placed('unknown');
      assert.deepEqual([again.isError, again.order?.status], [false, 'filled'], JSON.stringify(again));

      const stop = new AbortController();
      host.loses = (method) => {
        if (method !== 'POST') return false;
        stop.abort();
        return true;
      };
      const options = { signal: stop.signal };
      await assert.rejects(
        version === 'version 1'
          ? client.callTool(order('stopped'), undefined, options)
          : client.callTool(order('stopped'), options),
      );
      host.loses = () => false;
      const stopped = await placed('stopped');
      assert.deepEqual([stopped.isError, stopped.order?.status], [false, 'filled'], JSON.stringify(stopped));
      assert.equal(await host.fills(), 3);
    });
});

/** A host at a distance: a served simulation behind a proxy that may carry a request there and lose its answer. */
async function lossyHost(t, name) {
  const own = { ...env, PERP_STATE_DIR: join(folder, name) };
  const words = ['sim', 'serve', '--port', '0', '--sandbox-port', '0', '--rate-limit', 'off', '-o', 'ndjson'];
  const serving = spawn(process.execPath, [perp, ...words], { env: own, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(serving.stdout), 'line');
  const { base_url: url } = JSON.parse(line);
  const json = async (...args) =>
    JSON.parse((await run(process.execPath, [perp, ...args, '--json'], { env: own, timeout })).stdout);
  const { api_key: key } = await json('sim', 'key', 'add', '--scope', 'trade');
  const host = { loses: () => false, orders: 0, fills: async () => (await json('fills')).length };
  const proxy = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const { method, headers } = request;
    const isWrite = method !== 'GET';
    const { host: _, connection: __, 'content-length': ___, ...passed } = headers;
    const answer = await fetch(url + request.url, {
      method,
      headers: passed,
      ...(isWrite && { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    if (request.url === '/v1/orders' && method === 'POST') host.orders += 1;
    if (host.loses(method)) return request.socket.destroy();
    // A host has no runs of a simulation.
    const shown = [...answer.headers].filter(
      ([field]) => !/^x-sim|^x-market-source|^content-length|^connection|^keep-alive|^transfer/.test(field),
    );
    response.writeHead(answer.status, Object.fromEntries(shown)).end(text);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(async () => {
    proxy.closeAllConnections();
    proxy.close();
    serving.kill('SIGTERM');
    await once(serving, 'exit');
  });
  const config = join(folder, `${name}-desk`);
  mkdirSync(config);
  // Whatever may still arrive has arrived: the proxy has passed it on.
  writeFileSync(join(config, 'config.json'), JSON.stringify({ arrival_window: 0.01 }));
  const PERP_BASE_URL = `http://127.0.0.1:${proxy.address().port}`;
  const machine = { ...env, PERP_STATE_DIR: join(config, 'state'), PERP_CONFIG_DIR: config };
  const streams = url.replace('http', 'ws');
  const there = { PERP_BASE_URL, PERP_MARKET_STREAM_URL: streams, PERP_ACCOUNT_STREAM_URL: streams };
  return Object.assign(host, { env: { ...machine, ...there, PERP_API_KEY: key, PERP_FLOOR_CHECK: 'warn' } });
}
