import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { entryNames } from '../../../scripts/sdk-types.ts';
import { serve } from '../../../src/service/serve.ts';
import { beginning } from '../../seed.ts';

const root = resolve(import.meta.dirname, '../../..');
const reportFile = join(root, 'test/programs/sdk/public-types.txt');
const run = promisify(execFile);

/** A project that has perp installed, as npm would have done it. */
const project = mkdtempSync(join(tmpdir(), 'perp-consumer-'));
after(() => rmSync(project, { recursive: true, force: true }));

before(() => {
  const installed = join(project, 'node_modules/perp');
  mkdirSync(installed, { recursive: true });
  execFileSync(process.execPath, [join(root, 'scripts/build.ts'), join(installed, 'dist')], { stdio: 'pipe' });
  for (const part of ['bin', 'package.json']) cpSync(join(root, part), join(installed, part), { recursive: true });
  mkdirSync(join(project, 'node_modules/@types'));
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module', private: true }));
});

/** What TypeScript says about programs of a project; empty if nothing. */
function complaints(files: readonly string[], moduleResolution: string, cwd = project, types = ['node']): string {
  const module = moduleResolution === 'bundler' ? 'esnext' : moduleResolution;
  const compilerOptions = { strict: true, noEmit: true, types, target: 'es2024', module, moduleResolution };
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], { cwd, encoding: 'utf8' });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

const right = `
import { type Client, connect, type Order, type Page, PerpError } from 'perp/client';
import { Simulation, type SimulationOptions } from 'perp/sim';
import { backtest, type Bot, defineStrategy, type RunResult, StrategyError, trade } from 'perp/strategy';

const options: SimulationOptions = { clock: 'manual', plan: 'prime' };
await using sim: Simulation = await Simulation.open(options);
const client: Client = sim.client;
const host: Client = connect({ baseUrl: 'https://api.example.com', key: async () => 'key' });
const { items: orders, next }: Page<Order> = await client.listOrders({ status: 'working' });
next satisfies string | undefined;
for await (const position of client.listOpenPositions({ account_id: 'acc' })) position.entry_price.toFixed(2);
for await (const event of client.stream('candles', { markets: ['binance|BTCUSDT'], intervals: ['1m'] }))
  if (event.type === 'candle') event.isFinal satisfies boolean;
for await (const tick of client.stream('ticks', { markets: ['binance|BTCUSDT'] })) tick.price satisfies string;
const { data, queued } = await client.call('modifyOrder', { order_id: orders[0]!.id, price: 1 });
data.status satisfies string;
queued satisfies boolean | undefined;
const strategy = defineStrategy({
  markets: ['BTC'],
  parameters: { fast: 5, name: 'x', on: true },
  onTick(bot, { mid }) {
    bot.parameters.fast satisfies number;
    bot.parameters.name satisfies string;
    if (mid !== null) bot.place({ market: 'BTC', side: 'buy', size: bot.parameters.fast });
  },
  every: { '1s': (bot) => helper(bot) },
});
function helper(bot: Bot<{ fast: number }>): void {
  bot.close('BTC');
}
const result: RunResult = await backtest(strategy, { parameters: { fast: 6 } });
await trade(strategy, { client: host, for: '1h' }).catch((error: unknown) => {
  if (error instanceof PerpError) error.field satisfies string | undefined;
  if (error instanceof StrategyError) error.at satisfies string | undefined;
});
result.fills satisfies readonly { price: number }[];
`;

/** Lines that must not compile, each alone. */
const wrong: readonly string[] = [
  "import 'perp/dist/sdk/client.js';",
  "import { makeClient } from 'perp/client';",
  "import { connect } from 'perp/client'; connect({});",
  "import { connect } from 'perp/client'; (await connect({ baseUrl: '' }).listOrders()).length;",
  "import { connect } from 'perp/client'; connect({ baseUrl: '' }).createOrder({ size: 'a' });",
  "import { defineStrategy } from 'perp/strategy'; defineStrategy({ markets: ['BTC'], ontick() {} });",
  "import { defineStrategy } from 'perp/strategy'; defineStrategy({ markets: ['BTC'], start: (bot) => void bot.place({}) });",
  "import { Simulation } from 'perp/sim'; Simulation.open({ clock: 'fast' });",
];

describe('the types of the package', () => {
  for (const resolution of ['node16', 'bundler'])
    it(`compile a program with moduleResolution ${resolution}`, () => {
      writeFileSync(join(project, 'right.ts'), right);
      assert.equal(complaints(['right.ts'], resolution), '');
    });

  it('are found in a folder that perp sdk link has linked, by modules and CommonJS, without other types', () => {
    const bare = mkdtempSync(join(tmpdir(), 'perp-bare-'));
    after(() => rmSync(bare, { recursive: true, force: true }));
    const perp = join(project, 'node_modules/perp/bin/perp.js');
    const link = () => execFileSync(process.execPath, [perp, 'sdk', 'link', bare, '--json'], { encoding: 'utf8' });
    assert.deepEqual([JSON.parse(link()).changed, JSON.parse(link()).changed], [true, false]);
    // Neither package.json nor @types/node; a program with await at its top is a module by its name.
    writeFileSync(join(bare, 'right.mts'), right);
    const required = "import { connect } from 'perp/client';\nimport { Simulation } from 'perp/sim';\n";
    writeFileSync(
      join(bare, 'required.cts'),
      `${required}connect({ baseUrl: '' });\nvoid Simulation.open({ seed: 1 });\n`,
    );
    for (const resolution of ['node16', 'nodenext', 'bundler'])
      assert.equal(complaints(['right.mts', 'required.cts'], resolution, bare, []), '', resolution);
  });

  it('refuse what is wrong', () => {
    const files = wrong.map((_, at) => `wrong${at}.ts`);
    for (const [at, line] of wrong.entries()) writeFileSync(join(project, files[at]!), `${line}\nexport {};\n`);
    const said = complaints(files, 'node16');
    assert.deepEqual(
      wrong.filter((_, at) => !said.includes(`${files[at]}(1,`)),
      [],
    );
  });

  it('are those of the report: a change of the public surface is made on purpose', () => {
    const typesOf = (name: string) => readFileSync(join(project, 'node_modules/perp/dist/sdk', `${name}.d.ts`), 'utf8');
    const report = entryNames.map((name) => `// perp/${name}\n${typesOf(name)}`).join('\n');
    if (process.env.PERP_WRITE_REPORT) writeFileSync(reportFile, report);
    assert.equal(
      report,
      readFileSync(reportFile, 'utf8'),
      'the public types changed: read docs/sdk.md, Versions; then run this test with PERP_WRITE_REPORT=1',
    );
  });
});

describe('docs/sdk.md', () => {
  const text = readFileSync(join(root, 'docs/sdk.md'), 'utf8');
  const programs = [...text.matchAll(/^```js (\S+)\n([\s\S]*?)^```$/gm)].map(([, name, code]) => ({
    name: name!,
    code: code!,
  }));
  const expected: Readonly<Record<string, RegExp>> = {
    'bot.mjs': /^filled: 0\.01 at [\d.]+\nundefined\n$/,
    'bot.test.mjs': /✔ buys once[\s\S]*ℹ pass 1\n/,
    'pages.mjs': /^2 1 undefined\n$/,
    'client.mjs':
      /^bid [\d.]+, ask [\d.]+\nfilled at [\d.]+\nrule_violation size-precision nothing\n\S.*\nord_\w+ 0\.01\n$/,
    'streams.mjs': /^(last|mid|mark) [\d.]+\nsnapshot acc_\w+\n$/,
    'sim.mjs': /^(filled|resting)\n\w+\n$/,
    'strategy.mjs': /^[1-9]\d* fills, balance [\d.]+\ntrue\n$/,
  };

  it('has these programs', () => {
    assert.deepEqual(programs.map(({ name }) => name).sort(), Object.keys(expected).sort());
  });

  for (const { name } of programs)
    it(`${name} runs as it stands there`, async () => {
      await using host = await openHost();
      for (const one of programs) writeFileSync(join(project, one.name), one.code);
      const { stdout } = await run(process.execPath, [name], { cwd: project, env: host.env });
      assert.match(stdout, expected[name]!);
    });
});

it('an error that nobody catches begins with its name and its words, and shows none of the bundle but a line', async () => {
  const program = "import { connect } from 'perp/client'; connect({ baseUrl: 'http://api.example.com' });";
  writeFileSync(join(project, 'uncaught.mjs'), program);
  const failed = await run(process.execPath, ['uncaught.mjs'], { cwd: project }).then(
    () => assert.fail('it ended well'),
    ({ stderr }: { stderr: string }) => stderr,
  );
  assert.match(failed, /^PerpError: The client can't be created: baseUrl http:\/\/ would send/m);
  for (const line of failed.split('\n')) assert.ok(line.length < 1_000, `${line.length} characters in a line`);
});

describe('a bundle of a program', () => {
  const bot =
    "import { Simulation } from 'perp/sim';\n(async () => { const s = await Simulation.open({ seed: 1 }); console.log((await s.client.listAccounts()).length); await s.close(); })();";
  for (const format of ['esm', 'cjs'] as const)
    for (const external of [[], ['perp']])
      it(`runs beside an installed perp: ${format}, ${external.length === 0 ? 'bundled' : 'external'}`, async () => {
        writeFileSync(join(project, 'bundled.mjs'), bot);
        const outfile = join(project, `bundle-${external.length}.${format === 'esm' ? 'mjs' : 'cjs'}`);
        const options = { bundle: true, platform: 'node', logLevel: 'silent', absWorkingDir: project } as const;
        await build({ ...options, entryPoints: ['bundled.mjs'], format, external, outfile });
        assert.equal((await run(process.execPath, [outfile], { cwd: project })).stdout, '1\n');
      });
});

describe('the examples', () => {
  for (const name of ['grid', 'breakout', 'market-maker'])
    it(`${name}.ts trades`, async () => {
      cpSync(join(root, 'examples', `${name}.ts`), join(project, `${name}.ts`));
      const { stdout } = await run(process.execPath, [`${name}.ts`], { cwd: project });
      assert.match(stdout, /^[1-9]\d* fills, balance [\d.]+ USD\n$/);
    });

  it('bot.py trades over HTTP with the standard library', { skip: missing('python3') }, async () => {
    await using host = await openHost();
    const bot = [join(root, 'examples/bot.py'), '--looks', '12', '--every', '0.05'];
    const { stdout } = await run('python3', bot, { env: host.env });
    assert.match(stdout, /^(?:(?:buy|sell) [\d.]+ at [\d.]+\n)+balance [\d.]+ USD\n$/);
  });
});

/** A simulation that is served as a host, with a key, and a machine of its own. */
async function openHost() {
  const stateDir = mkdtempSync(join(project, 'state-'));
  const ports = { port: 0, sandboxPort: 0, rateLimit: 'off', drainMs: 0 } as const;
  const serving = await serve({ stateDir, ...ports, beginning, clock: 'real', speed: 20 });
  const { baseUrl, key } = serving;
  const folders = { PERP_STATE_DIR: join(stateDir, 'own'), PERP_CONFIG_DIR: join(stateDir, 'config') };
  return {
    // A test file that is run by itself reports in words.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...folders, PERP_BASE_URL: baseUrl, PERP_API_KEY: key },
    [Symbol.asyncDispose]: () => serving.stop(),
  };
}

function missing(program: string): string | false {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return `not installed: ${program}`;
  }
}
