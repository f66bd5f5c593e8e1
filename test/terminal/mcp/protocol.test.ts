import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { allTools, definitionOf } from '../../../src/terminal/mcp/server.ts';
import { it, trial } from '../../tiers.ts';
import { Desk } from '../cli/practice.ts';
import { Agent, hello } from './agent.ts';

const desk = new Desk();
after(() => desk[Symbol.dispose]());

const definitions = allTools.map(definitionOf);

describe('the definitions of the tools', () => {
  it('are at most 16, in at most 16 kB', () => {
    assert.ok(definitions.length <= 16);
    const sizes = definitions.map((one) => `${one.name} ${Buffer.byteLength(JSON.stringify(one))}`);
    const bytes = Buffer.byteLength(JSON.stringify(definitions));
    assert.ok(bytes <= 16_000, `${bytes} bytes, to be made fewer (CONTRIBUTING.md): ${sizes.join(', ')}`);
  });

  it('give a size in exactly one unit, which is in its name', () => {
    for (const { name, inputSchema } of definitions) {
      const fields = Object.keys((inputSchema.properties ?? {}) as object);
      const sizes = fields.filter((field) => /size|notional|risk|amount|quantity|qty/.test(field));
      assert.ok(
        sizes.every((field) => /^(size_base|notional_usd|risk_usd)$/.test(field)),
        `${name}: ${sizes}`,
      );
    }
  });

  it('have no argument that confirms, forces, or chooses the environment', () => {
    for (const { name, inputSchema } of definitions) {
      const fields = Object.keys((inputSchema.properties ?? {}) as object);
      const suspicious = fields.filter((field) =>
        /confirm|yes|force\b(?<!time_in_force)|approve|override|env|live|mandate|dry/.test(field),
      );
      assert.deepEqual(suspicious, [], name);
      assert.equal(inputSchema.additionalProperties, false, name);
    }
  });

  it('tell tools that read from those that change something, which need a key', () => {
    for (const [nth, { changes }] of allTools.entries()) {
      const { name, annotations, inputSchema } = definitions[nth]!;
      assert.equal(annotations.readOnlyHint, !changes, name);
      assert.equal('destructiveHint' in annotations && annotations.destructiveHint, changes, name);
      assert.equal((inputSchema.required as string[] | undefined)?.includes('idempotency_key') ?? false, changes, name);
    }
  });
});

describe('perp mcp', () => {
  it('ends what only waits when its input ends', async () => {
    const begun = performance.now();
    const agent = await Agent.connected(desk);
    const params = { name: 'wait_for', arguments: { condition: 'BTC < 1', seconds: 60 } };
    const answer = agent.answer('tools/call', params);
    agent.input.end();
    assert.equal((await answer).result.isError, true);
    await agent.run;
    assert.ok(performance.now() - begun < 20_000);
  });

  it('takes null for an optional argument that was omitted', async () => {
    await using agent = await Agent.connected(desk);
    const params = { name: 'wait_for', arguments: { condition: 'BTC > 1', seconds: null, account: null } };
    const { isError, content } = await agent.ask('tools/call', params);
    assert.ok(isError !== true, content[0].text);
    const missing = await agent.ask('tools/call', { name: 'wait_for', arguments: { condition: null } });
    assert.equal(missing.isError, true);
  });

  it('speaks the era of the protocol that begins with a handshake, and lists only tools that read', async () => {
    await using agent = new Agent(desk);
    const { serverInfo, protocolVersion } = await agent.ask('initialize', hello);
    assert.deepEqual([serverInfo.name, protocolVersion], ['perp', '2025-06-18']);
    const { tools } = await agent.ask('tools/list');
    assert.deepEqual(
      tools.map(({ name }: { name: string }) => name),
      allTools.filter(({ changes }) => !changes).map(({ name }) => name),
    );
  });

  it('speaks the era without a handshake: every request says its version', async () => {
    await using agent = new Agent(desk);
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': hello.clientInfo,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { supportedVersions } = await agent.ask('server/discover', { _meta });
    assert.deepEqual(supportedVersions, ['2026-07-28']);
    const { structuredContent } = await agent.ask('tools/call', { name: 'get_account', arguments: {}, _meta });
    assert.equal(structuredContent.environment, 'sim');
  });

  trial('answers everything with environment, account and room, as its output schemas say', async () => {
    await using agent = await Agent.connected(desk);
    const ajv = new Ajv2020({ strict: false });
    const calls: [string, object][] = [
      ['get_account', {}],
      ['list_positions', {}],
      ['list_positions', { status: 'closed' }],
      ['list_orders', { status: 'any' }],
      ['list_fills', {}],
      ['list_markets', { search: 'btc' }],
      ['get_quote', { market: 'BTC', side: 'buy', size_base: 0.05 }],
      ['get_candles', { market: 'ETH', interval: '5m', limit: 3 }],
      ['wait_for', { condition: 'flat' }],
      ['preview_order', { market: 'BTC', side: 'buy', risk_usd: 50, stop_loss_price: 120_000 }],
    ];
    const reading = allTools.filter(({ changes }) => !changes).map(({ name }) => name);
    assert.deepEqual([...new Set(calls.map(([name]) => name))].sort(), reading.sort());
    for (const [name, args] of calls) {
      const { isError, ...result } = await agent.call(name, args);
      assert.equal(isError, false, JSON.stringify(result));
      const { outputSchema } = definitions.find((one) => one.name === name)!;
      assert.ok(ajv.validate(outputSchema, result), `${name}: ${ajv.errorsText()}`);
      assert.equal(result.environment, 'sim', name);
      assert.equal(result.destination, 'SIM default, synthetic', name);
      assert.match(result.account, /^acc_/, name);
      assert.ok(result.room_usd.daily_loss > 0 && result.room_usd.max_drawdown > 0, name);
    }
  });

  it('refuses a tool that changes something, although it exists', async () => {
    await using agent = await Agent.connected(desk);
    const key = { idempotency_key: 'k1', market: 'BTC', side: 'buy', size_base: 0.01 };
    const refused = await agent.call('place_order', key);
    assert.deepEqual([refused.isError, refused.error.code], [true, 'read_only']);
    assert.equal((await agent.call('list_orders', { status: 'any' })).orders.length, 0);
  });

  it('has the rules of the account, the journal and pages of the documentation', async () => {
    await using agent = await Agent.connected(desk);
    const { resources } = await agent.ask('resources/list');
    for (const { uri, mimeType } of resources) {
      const { contents } = await agent.ask('resources/read', { uri });
      assert.equal(contents[0].mimeType, mimeType);
      if (mimeType === 'application/json') assert.equal(JSON.parse(contents[0].text).environment, 'sim');
      else assert.match(contents[0].text, /^# /);
    }
    const { error } = await agent.answer('resources/read', { uri: 'perp://docs/../../package.json' });
    assert.ok(error.message);
  });

  it('goes to a host only if its own command line says so', async () => {
    const run = await desk.perp(['mcp'], { variables: { PERP_ENV: 'live', PERP_BASE_URL: 'http://127.0.0.1:9' } });
    assert.equal(run.exit, 2);
    assert.match(run.err, /The environment is live because of PERP_ENV, which does not suffice/);
  });
});

describe('what is not the protocol', () => {
  it('is answered with an error, and the next line is read', async () => {
    await using agent = await Agent.connected(desk);
    const before = agent.lines.length;
    for (const line of [
      'garbage',
      '{"jsonrpc":"2.0","id":7',
      '[{"jsonrpc":"2.0","id":7,"method":"ping"}]',
      '{"jsonrpc":"1.0","id":7,"method":"ping"}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '{"jsonrpc":"2.0","id":7,"method":5}',
      '{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}',
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get_quote","name":"get_account"}}',
      `${'['.repeat(50_000)}`,
      `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"pad":"${'x'.repeat(1 << 20)}"}}`,
      '\u0000',
    ])
      agent.say(line);
    assert.ok(await agent.ask('ping'));
    const errors = agent.lines.slice(before, -1).map((line) => JSON.parse(line));
    assert.equal(errors.length, 11);
    assert.ok(errors.every(({ error }) => error.code === -32_700 || error.code === -32_600));
  });

  it('names an unknown method, an unknown tool and wrong arguments', async () => {
    await using agent = await Agent.connected(desk);
    assert.equal((await agent.answer('tools/destroy')).error.code, -32_601);
    assert.equal((await agent.answer('tools/call', { name: 'rm' })).error.code, -32_602);
    assert.equal((await agent.answer('tools/call', { name: ['get_account'] })).error.code, -32_602);
    for (const args of [
      { market: 'BTC', size_base: '1', side: 'buy' },
      { market: 5 },
      { market: 'BTC', side: 'buy', size_base: -1 },
      { market: 'BTC', side: 'buy', size_base: 1e300 },
      { market: 'BTC', confirm: true },
      { market: 'B'.repeat(100_000) },
    ]) {
      const { isError, error } = await agent.call('get_quote', args);
      assert.ok(isError && error.nothing_was_sent, JSON.stringify(args)?.slice(0, 80));
    }
  });

  it('never reaches standard output, even if the end of the input comes first', async () => {
    const agent = await Agent.connected(desk);
    const asked = agent.answer('tools/call', { name: 'get_account', arguments: {} });
    agent.input.end();
    const { result } = await asked;
    assert.equal(result.structuredContent.environment, 'sim');
    const { exit, out } = await agent.run;
    assert.equal(exit, 0);
    for (const line of out.trimEnd().split('\n')) assert.equal(JSON.parse(line).jsonrpc, '2.0');
  });

  it('a canceled request gets no answer, and the end does not wait for one', async () => {
    const agent = await Agent.connected(desk);
    agent
      .answer('tools/call', { name: 'wait_for', arguments: { condition: 'BTC < 1', seconds: 60 } }, 'long')
      .catch(() => {});
    agent.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'long' } });
    await agent.ask('ping');
    assert.equal((await agent.end()).exit, 0);
    assert.ok(!agent.lines.some((line) => JSON.parse(line).id === 'long'));
  });
});
