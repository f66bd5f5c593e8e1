/** The library as others load, bundle, test and type it: every way must give what Node itself gives. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { env, here, root, run } from './common.mjs';

const folder = join(here, 'library');
const tool = (name) => join(here, 'node_modules', name);
const bun = tool(`@oven/bun-${process.platform}-${process.arch}/bin/bun`);
const timeout = 180_000;

/** A program in TypeScript that tells what it saw: orders, a refusal, dates, a strategy, a host that is not there. */
const facts = `import { type Client, connect, type Order, PerpError } from 'perp/client';
import { Simulation } from 'perp/sim';
import { backtest, defineStrategy } from 'perp/strategy';
enum Market { Bitcoin = 'binance|BTCUSDT' }
const start = new Date('2026-06-10T14:00Z');
const later = new Date(start.getTime() + 60_000);
const buyer = defineStrategy({ markets: ['BTC'], start: (bot) => void bot.place({ market: 'BTC', side: 'buy', size: 0.01 }) });
const careless = defineStrategy({ markets: ['BTC'], start() { throw new TypeError('of the bot'); } });
async function buy(client: Client, account_id: string, size: number): Promise<Order> {
  return await client.createOrder({ account_id, market_id: Market.Bitcoin, side: 'buy', size, leverage: 1, margin_mode: 'cross' });
}
const codeOf = (error: unknown) => (error instanceof PerpError ? [error.code, error.ruleId] : error instanceof Error && error.message);
export async function facts(): Promise<string> {
  await using simulation = await Simulation.open({ seed: 7, start });
  const [account] = await simulation.client.listAccounts();
  const { status, fill_price } = await buy(simulation.client, account!.id, 0.01);
  const refused = await buy(simulation.client, account!.id, 0.0100001).catch(codeOf);
  const time = await simulation.advance(later);
  const { fills } = await backtest(buyer, { seed: 7, from: start, to: later });
  const failed = await backtest(careless, { seed: 7, from: start, to: later }).catch(({ message }: Error) => message);
  await using host = connect({ baseUrl: 'http://127.0.0.1:9/v1', key: 'key', journal: null });
  const away = await host.listAccounts({}, { signal: AbortSignal.timeout(20_000) }).catch(codeOf);
  return JSON.stringify([status, fill_price, refused, time, fills, failed, away]);
}
`;

let expected;
const node = (...words) => run(process.execPath, words, { cwd: folder, env, timeout });
const esbuild = (...words) =>
  node(tool('esbuild/bin/esbuild'), ...words, '--platform=node', '--format=esm', '--log-level=error');
/** What a program prints must be what Node's prints. */
const same = async (running) => assert.equal((await running).stdout.trim(), expected);

before(async () => {
  // As npm would install it.
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(root, part), join(tool('perp'), part), { recursive: true, filter: (name) => !name.endsWith('.map') });
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  writeFileSync(join(folder, 'facts.ts'), facts);
  writeFileSync(join(folder, 'main.ts'), "import { facts } from './facts.ts';\nconsole.log(await facts());\n");
  await esbuild('facts.ts', '--outfile=facts.js');
  writeFileSync(join(folder, 'plain.js'), "import { facts } from './facts.js';\nconsole.log(await facts());\n");
  expected = (await node('plain.js')).stdout.trim();
  const [status, , refused, , fills, failed, away] = JSON.parse(expected);
  assert.deepEqual([status, fills.length], ['filled', 1], expected);
  assert.deepEqual(
    [refused, away],
    [
      ['rule_violation', 'size-precision'],
      ['no_connection', null],
    ],
    expected,
  );
  assert.match(failed, /^start: of the bot/);
  const spec = `import { facts } from './facts.js';\ntest('is the same', async () => expect(await facts()).toBe(${JSON.stringify(expected)}), 30_000);\n`;
  writeFileSync(join(folder, 'same.spec.js'), spec);
});

describe('the library', { concurrency: 2, timeout: 300_000 }, () => {
  it('in node:test', async () => {
    const test = `import { test } from 'node:test';\nimport { equal } from 'node:assert';\nimport { facts } from './facts.js';\ntest('is the same', async () => equal(await facts(), ${JSON.stringify(expected)}));\n`;
    writeFileSync(join(folder, 'same.test.js'), test);
    await node('--test', 'same.test.js');
  });
  it('in Vitest', () => node(tool('vitest/vitest.mjs'), 'run', '--globals', '--dir', folder, 'same.spec.js'));
  it('in Jest, which needs its flag for modules', () =>
    node(
      '--experimental-vm-modules',
      tool('jest/bin/jest.js'),
      '--rootDir=.',
      '--testMatch=**/*.spec.js',
      '--transform={}',
      '--watchman=false',
    ));
  it('by tsx', () => same(node(tool('tsx/dist/cli.mjs'), 'main.ts')));
  it('in Bun, also its test runner', async () => {
    await same(run(bun, ['main.ts'], { cwd: folder, env, timeout }));
    await run(bun, ['test', './same.spec.js'], { cwd: folder, env, timeout });
  });
  for (const [what, option] of [
    ['external', '--external:perp'],
    ['bundled', '--minify'],
  ])
    it(`${what} by esbuild`, async () => {
      await esbuild('main.ts', '--bundle', option, `--outfile=${what}.js`);
      await same(node(`${what}.js`));
    });
  for (const noExternal of [false, true])
    it(`by Vite, ${noExternal ? 'bundled' : 'external'}`, async () => {
      const config = `vite-${noExternal}.config.js`;
      writeFileSync(join(folder, config), `export default { ssr: { noExternal: ${noExternal || '[]'} } };\n`);
      const out = `vite-${noExternal}`;
      await node(tool('vite/bin/vite.js'), 'build', '--config', config, '--ssr', 'main.ts', '--outDir', out);
      await same(node(`${out}/main.js`));
    });
  // TypeScript 7 is tried with all ways of finding types in test/programs/sdk/package.faults.test.ts.
  for (const module of ['nodenext', 'esnext'])
    it(`has types for TypeScript 5.9, which checks them too: module ${module}`, async () => {
      const moduleResolution = module === 'esnext' ? 'bundler' : module;
      const ways = { module, moduleResolution, allowImportingTsExtensions: true, noEmit: true };
      const compilerOptions = { ...ways, strict: true, target: 'es2024', lib: ['esnext', 'dom'], types: [] };
      const file = join(folder, `tsconfig-${module}.json`);
      writeFileSync(file, JSON.stringify({ compilerOptions, files: ['main.ts'] }));
      await node(tool('typescript/bin/tsc'), '--project', file).catch(({ stdout }) => assert.fail(stdout));
    });
});
