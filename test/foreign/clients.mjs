/**
 * Clients that nobody here wrote, against perp as it is built. `npm run test:foreign` installs them in a temporary folder with
 * this file, and names the project in PERP_ROOT.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const run = promisify(execFile);
const root = process.env.PERP_ROOT;
const perp = join(root, 'bin/perp.js');
const folder = mkdtempSync(join(tmpdir(), 'perp-foreign-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  PERP_STATE_DIR: join(folder, 'state'),
  PERP_CONFIG_DIR: join(folder, 'config'),
};
const timeout = 20_000;

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
async function signed(name) {
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
  signMandate(env, mandate, Date.now());
  return file;
}

/** A program in the types that openapi-typescript makes of the served document. */
const program = `import createClient from 'openapi-fetch';
import type { paths } from './served.js';
declare const process: { env: Record<string, string | undefined> };
const client = createClient<paths>({ baseUrl: process.env.PERP_BASE_URL!, headers: { authorization: \`Bearer \${process.env.PERP_API_KEY}\` } });
const accounts = await client.GET('/v1/accounts');
const account_id = accounts.data!.data[0]!.id;
const { data: placed } = await client.POST('/v1/orders', {
  params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
  body: { account_id, market_id: 'binance|BTCUSDT', side: 'buy', size: 0.01, leverage: 1, margin_mode: 'cross' },
});
const status: string = placed!.data.status;
const fills = await client.GET('/v1/fills', { params: { query: { account_id, limit: 1 } } });
const { error, response } = await client.GET('/v1/markets/{market_id}/quote', { params: { path: { market_id: 'binance|BTCUSDT' }, query: { side: 'buy' } } });
const code: string | undefined = error?.error.code;
console.log(JSON.stringify([status, fills.data!.data.length, response.status, code]));
`;

it('openapi-typescript and openapi-fetch take the served document, and TypeScript 5 their program', {
  timeout: 60_000,
}, async () => {
  const here = import.meta.dirname;
  const made = join(here, 'made.mjs');
  writeFileSync(
    made,
    `import { writeFileSync } from 'node:fs';
     import openapiTS, { astToString } from 'openapi-typescript';
     const served = await (await fetch(process.env.PERP_BASE_URL + '/openapi.json')).json();
     writeFileSync(${JSON.stringify(join(here, 'served.d.ts'))}, astToString(await openapiTS(served, { defaultNonNullable: false })));
     await import('./program.ts');`,
  );
  writeFileSync(join(here, 'program.ts'), program);
  const options = { env, timeout: 40_000, cwd: here };
  const { stdout } = await run(process.execPath, [perp, 'sim', 'run', '--', process.execPath, made], options);
  assert.deepEqual(JSON.parse(stdout), ['filled', 1, 400, 'invalid_request']);
  const checks = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--lib',
    'es2024,dom',
  ];
  await run(process.execPath, [join(here, 'node_modules/typescript/bin/tsc'), ...checks, 'program.ts'], options).catch(
    ({ stdout: said }) => assert.fail(said),
  );
});
