/** Programs in the clients that others generate from the served OpenAPI document. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { env, here, perp, run } from './common.mjs';

const folder = join(here, 'openapi');
const tool = (name) => join(here, 'node_modules', name);
const node = (...words) => run(process.execPath, words, { cwd: folder, env, timeout: 180_000 });
/** Runs a program with the address and key of a simulation of its own. */
const served = async (file) =>
  (await node(perp, 'sim', 'run', '--', process.execPath, tool('tsx/dist/cli.mjs'), file)).stdout;

/** How each generator is run, and a program in its client: what it placed, its fills, and a refusal it can read. */
const generated = {
  'openapi-typescript': {
    make: () =>
      node(
        tool('openapi-typescript/bin/cli.js'),
        'openapi.json',
        '--output',
        'served.ts',
        '--default-non-nullable',
        'false',
      ),
    program: `import createClient from 'openapi-fetch';
import type { paths } from './served.ts';
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
`,
  },
  'hey-api': {
    make: () =>
      node(tool('@hey-api/openapi-ts/bin/run.js'), '--input', 'openapi.json', '--output', 'hey', '--no-log-file'),
    program: `import { client } from './hey/client.gen.ts';
import { createOrder, getMarketQuote, listAccounts, listFills } from './hey/sdk.gen.ts';
declare const process: { env: Record<string, string | undefined> };
client.setConfig({ baseUrl: process.env.PERP_BASE_URL!, auth: process.env.PERP_API_KEY! });
const accounts = await listAccounts();
const account_id = accounts.data!.data[0]!.id;
const { data: placed } = await createOrder({
  headers: { 'Idempotency-Key': crypto.randomUUID() },
  body: { account_id, market_id: 'binance|BTCUSDT', side: 'buy', size: 0.01, leverage: 1, margin_mode: 'cross' },
});
const status: string = placed!.data.status;
const fills = await listFills({ query: { account_id, limit: 1 } });
const { error, response } = await getMarketQuote({ path: { market_id: 'binance|BTCUSDT' }, query: { side: 'buy' } });
const code: string | undefined = error?.error.code;
console.log(JSON.stringify([status, fills.data!.data.length, response!.status, code]));
`,
  },
  orval: {
    make: () => node(tool('orval/dist/bin/orval.mjs'), '--config', 'orval.config.mjs'),
    program: `import { createOrder, getMarketQuote, listAccounts, listFills } from './orval.ts';
declare global {
  const process: { env: Record<string, string | undefined> };
}
const headers = { authorization: \`Bearer \${process.env.PERP_API_KEY}\` };
const accounts = await listAccounts({ headers });
if (accounts.status !== 200) throw new Error(accounts.data.error.message);
const account_id = accounts.data.data[0]!.id;
const order = { account_id, market_id: 'binance|BTCUSDT', side: 'buy', size: 0.01, leverage: 1, margin_mode: 'cross' } as const;
const placed = await createOrder(order, { 'Idempotency-Key': crypto.randomUUID() }, { headers });
if (placed.status !== 201) throw new Error(JSON.stringify(placed.data));
const fills = await listFills({ account_id, limit: 1 }, { headers });
if (fills.status !== 200) throw new Error(fills.data.error.message);
const quote = await getMarketQuote('binance|BTCUSDT', { side: 'buy' }, { headers });
const code: string | undefined = quote.status === 400 ? quote.data.error.code : undefined;
console.log(JSON.stringify([placed.data.data.status, fills.data.data.length, quote.status, code]));
`,
  },
};

before(async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const fetching = `import { writeFileSync } from 'node:fs';
writeFileSync('openapi.json', await (await fetch(process.env.PERP_BASE_URL + '/openapi.json')).text());\n`;
  writeFileSync(join(folder, 'fetch.mjs'), fetching);
  await served('fetch.mjs');
  const output = {
    target: './orval.ts',
    client: 'fetch',
    headers: true,
    baseUrl: { runtime: 'process.env.PERP_BASE_URL' },
  };
  const config = { perp: { input: './openapi.json', output } };
  writeFileSync(join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(config)};\n`);
});

describe('the served document, to a client by', { concurrency: 2, timeout: 300_000 }, () => {
  for (const [name, { make, program }] of Object.entries(generated))
    it(name, async () => {
      await make();
      const file = `${name}-program.ts`;
      writeFileSync(join(folder, file), program);
      assert.deepEqual(JSON.parse(await served(file)), ['filled', 1, 400, 'invalid_request']);
      const ways = {
        module: 'esnext',
        moduleResolution: 'bundler',
        target: 'es2024',
        lib: ['es2024', 'dom', 'dom.iterable'],
        types: [],
      };
      const compilerOptions = {
        ...ways,
        strict: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        skipLibCheck: true,
      };
      writeFileSync(join(folder, `${name}.json`), JSON.stringify({ compilerOptions, files: [file] }));
      await node(tool('typescript/bin/tsc'), '--project', `${name}.json`).catch(({ stdout }) => assert.fail(stdout));
    });
});
