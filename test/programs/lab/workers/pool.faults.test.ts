import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, rmSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { otherImports } from '../../../../src/programs/lab/realm/realm.ts';
import { networkWall } from '../../../../src/programs/lab/workers/walls.ts';
import { Strategies, specOf, starting } from './strategies.ts';

const strategies = new Strategies();
after(() => strategies[Symbol.dispose]());

async function resultOf(text: string) {
  const opened = await strategies.open(text);
  return (await strategies.pool.answer({ spec: specOf(opened) })).result;
}

function children(): number[] {
  return readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'latin1').trim().split(' ').map(Number);
}

/** Another user's processes may hide which network they are in. */
function hasNamespaces(): boolean {
  return networkWall().kind === 'namespace' && process.getuid?.() === 0;
}

/** What a strategy tries in its `start`, what it imports for that, and the call that is named. */
const reaches: [tries: string, named: string, before?: string][] = [
  ["readFileSync('/etc/passwd')", 'read a file: node:fs readFileSync', "import { readFileSync } from 'node:fs';"],
  ["fs.promises.readFile('x')", 'read a file: node:fs.promises.readFile', "import fs from 'fs';"],
  ["writeFile('x', '')", 'wrote a file: node:fs/promises writeFile', "import { writeFile } from 'node:fs/promises';"],
  ["try { readFileSync('x') } catch {}", 'read a file: node:fs readFileSync', "import { readFileSync } from 'fs';"],
  ["spawn('ls')", 'started a process: node:child_process spawn', "import { spawn } from 'node:child_process';"],
  ["new Worker('x')", 'started a thread: node:worker_threads Worker', "import { Worker } from 'node:worker_threads';"],
  ['connect(80)', 'used the network: node:net connect', "import { connect } from 'node:net';"],
  ["connect({ baseUrl: 'x' })", 'used the network: perp/client connect', "import { connect } from 'perp/client';"],
  ['Simulation.open({})', 'opened a simulation: perp/sim Simulation.open', "import { Simulation } from 'perp/sim';"],
  ["fetch('http://localhost')", 'used the network: fetch'],
  ["new WebSocket('ws://localhost')", 'used the network: WebSocket'],
  ["process.binding('fs')", 'reached into its host: process.binding'],
  ["process.getBuiltinModule('fs')", 'reached into its host: process.getBuiltinModule'],
  ['setTimeout(() => {}, 1)', 'used the wall clock (use bot.after or bot.at): setTimeout'],
  [
    'crypto.getRandomValues(new Uint8Array(1))',
    'used randomness that no seed decides (use bot.random): crypto.getRandomValues',
  ],
  ["require('fs')", 'loaded a module while it ran: require'],
  ["import('node:fs')", 'loaded a module while it ran: dynamic import of "node:fs"'],
];

describe('a strategy’s file', () => {
  it('may lie beside a package.json that can’t be read', async () => {
    strategies.file('package.json', 'no JSON');
    const text = "export default { markets: ['BTC'] };";
    assert.deepEqual((await strategies.open(text, 'plain.js')).markets, ['BTC']);
    rmSync(strategies.file('package.json', ''));
  });
});

describe('a strategy in a trial', () => {
  it('reads no file, starts nothing and reaches nobody: the call is named, even if the strategy hides it', async () => {
    for (const [tries, named, before] of reaches) {
      const { problem } = await resultOf(starting(`${tries};`, before));
      assert.deepEqual([problem?.kind, problem?.message], ['refused', `this strategy ${named}`], tries);
    }
  });

  it('is in a process without a network, where the system gives one', { skip: !hasNamespaces() }, async () => {
    await resultOf(starting(''));
    const networkOf = (pid: number | 'self') => readlinkSync(`/proc/${pid}/ns/net`);
    const networks = children().map(networkOf);
    assert.ok(networks.length > 0 && !networks.includes(networkOf('self')), networks.join());
  });

  it('is in a process whose objects lead to no module, signal or connection', () => {
    const text = `import { shutHost } from ${JSON.stringify(new URL('../../../../src/programs/lab/workers/walls.ts', import.meta.url))};
      shutHost();
      const left = ['getBuiltinModule', 'binding', 'dlopen', 'kill', '_kill', '_debugProcess', '_getActiveHandles', 'stdin'].filter((name) => name in process);
      console.log([...left, typeof fetch, typeof WebSocket, typeof EventSource].join());`;
    const options = ['--input-type=module', '--no-warnings', '-e', text];
    assert.equal(execFileSync(process.execPath, options, { encoding: 'utf8' }), 'undefined,undefined,undefined\n');
  });

  it('finds no way from what it is given to the host', async () => {
    const escapes = `
      const found = [];
      const seen = new Set();
      const own = [Object.prototype, Function.prototype, Array.prototype, null];
      const makesCode = (value) => {
        try { return value.constructor.constructor('return 1')() === 1; } catch { return false; }
      };
      const visit = (value, path) => {
        if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
        seen.add(value);
        const proto = Object.getPrototypeOf(value);
        if (!own.includes(proto) && (!Object.isFrozen(proto) || makesCode(value))) found.push(path);
        for (const key of Reflect.ownKeys(value)) visit(Reflect.getOwnPropertyDescriptor(value, key).value, path + '.' + String(key));
      };
      for (const [name, given] of Object.entries({ bot, quote: bot.quote('BTC'), book: bot.book('BTC'), market: bot.market('BTC'), account: bot.account(), position: bot.position('BTC'), orders: bot.orders() })) visit(given, name);
      const errors = [];
      for (const work of [() => bot.quote('NONE'), () => bot.place({}), () => bot.place({ get market() { throw new RangeError('mine'); } }), () => bot.quote({ toString() { return bot; } })])
        try { work(); } catch (error) { errors.push(error); }
      const deep = () => { try { deep(); } catch (error) { errors.push(error); try { bot.quote('BTC'); Date.now(); console.log('deep'); } catch (again) { errors.push(again); } } };
      deep();
      for (const error of errors) if (!(error instanceof Error)) visit(error, 'error ' + error);
      try { import('x').catch(() => {}); } catch {}
      bot.log('found: ' + found.join(' ') + ' of ' + (errors.length >= 4));
    `;
    const { log } = await resultOf(starting(escapes));
    assert.ok(log.includes('found:  of true'), log.join('\n'));
  });

  it('changes nothing by changing what it is given', async () => {
    const tampers = `
      bot.place({ market: 'BTC', side: 'buy', size: 0.01, price: 20000 });
      const look = () => JSON.stringify([bot.quote('BTC'), bot.book('BTC'), bot.position('BTC'), bot.account(), bot.orders(), bot.market('BTC'), bot.parameters, bot.markets]);
      const before = look();
      const given = [bot.quote('BTC'), bot.book('BTC'), bot.book('BTC').bids, bot.book('BTC').bids[0], bot.position('BTC'), bot.account(), bot.orders(), bot.orders()[0], bot.market('BTC'), bot.parameters, bot.markets, bot];
      for (const one of given) for (const key of Reflect.ownKeys(one)) Reflect.set(one, key, 1) || Reflect.deleteProperty(one, key);
      bot.log(look() === before && bot.orders().length === 1);
    `;
    assert.deepEqual((await resultOf(starting(tampers))).log, ['true']);
  });

  it('has the time of the market and the chance of its seed', async () => {
    const text = starting(
      'bot.log([Date.now() === bot.now, new Date().getTime() === bot.now, new Date(0).getTime(), performance.now() === bot.now, Math.random() < 1, new Date().getTimezoneOffset()].join()); bot.log(Math.random()); bot.log(bot.random());',
    );
    const [first, second] = [await resultOf(text), await resultOf(text)];
    assert.equal(first.log[0], 'true,true,0,true,true,0');
    assert.deepEqual(second, first);
  });

  it('keeps nothing from one trial to the next', async () => {
    const opened = await strategies.open(
      starting(
        'count += 1; globalThis.seen = (globalThis.seen ?? 0) + 1; bot.log([count, globalThis.seen, [].mine === undefined].join()); Array.prototype.mine = 1;',
        'let count = 0;',
      ),
    );
    for (let turn = 0; turn < 2; turn += 1) {
      const { result } = await strategies.pool.answer({ spec: specOf(opened) });
      assert.deepEqual(result.log, ['1,1,true']);
    }
  });

  it('can leave nothing in what is behind its snapshots, for the next trial to find', async () => {
    const marks = `
      const seen = new Set();
      const found = [];
      const visit = (value, path) => {
        if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
        seen.add(value);
        if ('mark' in value) found.push(path);
        for (const key of Reflect.ownKeys(value)) {
          const slot = Reflect.getOwnPropertyDescriptor(value, key);
          for (const part of ['value', 'get', 'set']) visit(slot[part], path + '.' + String(key));
        }
        visit(Reflect.getPrototypeOf(value), path + '.__proto__');
      };
      const list = bot.orders();
      const iterator = list.values();
      const error = (work) => { try { work(); } catch (thrown) { return thrown; } };
      visit({ bot, list, quote: bot.quote('BTC'), book: bot.book('BTC'), market: bot.market('BTC') }, 'given');
      visit([iterator, iterator.take(0), iterator.constructor.from({ next() {} }), list.constructor.fromAsync([])], 'made');
      visit(error(() => list.at.call(null)), 'error');
      bot.log([seen.size > 100, found.join()].join(' '));
      for (const one of seen) Reflect.set(one, 'mark', 1);
    `;
    const opened = await strategies.open(starting(marks));
    for (let turn = 0; turn < 2; turn += 1)
      assert.deepEqual((await strategies.pool.answer({ spec: specOf(opened) })).result.log, ['true ']);
  });

  it('thinks on the time of the market: until it is done, it does not look, and what it asks for has not arrived', async () => {
    const opened = await strategies.open(
      "export default { markets: ['BTC'], every: { '10ms'(bot) { if (bot.orders().length === 0) bot.place({ market: 'BTC', side: 'buy', size: 0.01, price: 20000 }); } } };",
    );
    const decisions = async (think: number) => {
      const { result, lines } = await strategies.pool.answer({ spec: specOf(opened, { think }), lines: true });
      const placed = JSON.parse(lines[0]!) as [time: number, content: object];
      return [result.counts.decisions, placed[0] - Date.UTC(2026, 0, 5)];
    };
    // With 50 ms, it thinks about its start first.
    assert.deepEqual(
      [await decisions(0), await decisions(50)],
      [
        [200, 10],
        [40, 100],
      ],
    );
  });

  it('that is measured while it thinks is charged the same when it is repeated', async () => {
    const opened = await strategies.open(
      starting(
        "bot.after('1ms', function look() { for (let n = 0; n < 2e6; n += 1); bot.log(bot.now); bot.after('1ms', look); });",
      ),
    );
    const spec = specOf(opened, { think: 'real', to: Date.UTC(2026, 0, 5) + 100 });
    const { result } = await strategies.pool.answer({ spec });
    assert.ok(result.thinks!.length > 1);
    const again = await strategies.pool.answer({ spec, thinks: result.thinks! });
    assert.deepEqual(again.result, result);
  });

  it('writes to its log, whatever it writes with', async () => {
    const { log, status } = await resultOf(
      starting("console.log('a', 1, { b: 2 }); process.stdout.write('c'); bot.log('d');"),
    );
    assert.deepEqual([log, status], [['a 1 {"b":2}', 'c', 'd'], 'done']);
  });

  it('that throws fails alone, with the place and the time', async () => {
    const { problem, status, counts } = await resultOf(starting("bot.after('1s', () => { null.x; });"));
    assert.equal(status, 'failed');
    assert.match(problem!.message, /timer: TypeError: .*strategy\.ts:\d+:\d+.*2026-01-05T00:00:01/);
    assert.equal(counts.decisions, 2);
  });

  it('that leaves work behind in promises fails alone', async () => {
    using own = new Strategies({ timeoutMs: 6_000 });
    for (const left of ['(async () => { for (;;) await null; })()', 'Promise.resolve().then(() => { for (;;); })']) {
      const opened = await own.open(starting(`if (bot.parameters.size > 1) ${left};`));
      const problems = [];
      for (const size of [2, 1]) {
        const spec = specOf(opened, { parameters: { size } });
        problems.push((await own.pool.answer({ spec })).result.problem?.kind);
      }
      assert.deepEqual(problems, ['timeout', undefined], left);
    }
  });

  it('compiles WebAssembly at once', async () => {
    const text = starting(
      'bot.log([made.instance instanceof WebAssembly.Instance, second instanceof WebAssembly.Instance, typeof WebAssembly.compileStreaming].join());',
      'const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);\nconst made = await WebAssembly.instantiate(bytes);\nconst second = await WebAssembly.instantiate(await WebAssembly.compile(bytes));',
    );
    assert.deepEqual((await resultOf(text)).log, ['true,true,undefined']);
  });

  it('that throws what has no text, or tampers with what it is given, fails with a sentence, at once', async () => {
    const evil = 'const evil = { get name() { throw evil; }, toString() { throw evil; } };';
    const definition = `${evil}\nexport default { get markets() { if (Date.now() > 0) throw evil; return ['BTC']; } };`;
    assert.match((await resultOf(definition)).problem?.message ?? '', /threw/);
    const lines = ['bid', 'ask'].map((name) => `Object.defineProperty(quote, '${name}', { get() { throw evil; } });`);
    const tampering = `${evil}\nlet calls = 0;\nexport default { markets: ['BTC'], onTick(bot, quote) { calls += 1; ${lines.join(' ')} }, onBook(bot, book) { book.bids = null; book.asks.length = 0; }, end(bot) { bot.log(calls > 0); } };`;
    const { problem, log } = await resultOf(tampering);
    assert.deepEqual([problem, log], [null, ['true']]);
    const long = await resultOf(starting("throw new Error('y'.repeat(1e6));"));
    assert.ok((long.problem?.message.length ?? 0) < 2_000);
  });

  it('that reaches the end of the stack within a call fails: what the call left behind is not known', async () => {
    const deep =
      "const dig = () => { try { dig(); } catch {} try { bot.book('BTC'); bot.quote('BTC'); bot.account(); } catch {} }; dig();";
    const { problem } = await resultOf(starting(deep));
    assert.deepEqual([problem?.kind, problem?.message.includes('used up the stack')], ['threw', true]);
    assert.equal((await resultOf(starting('const dig = () => dig(); try { dig(); } catch {}'))).problem, null);
  });

  it('that reaches the end of the stack in its log is told so', async () => {
    const deep =
      "const said = new Set(); const dig = () => { try { dig(); } catch {} try { console.log('deep'); } catch (error) { said.add(error.message); } }; dig(); bot.log([...said].join());";
    assert.equal((await resultOf(starting(deep))).log.at(-1), 'Maximum call stack size exceeded');
  });

  it('sees the frames of its own code only, so that its log does not say where perp is', async () => {
    const { log } = await resultOf(starting("bot.log(new Error('here').stack);"));
    assert.match(log.join('\n'), /^Error: here\n {4}at .*strategy\.ts:\d+:\d+\)?$/);
    const ofHost = await resultOf(
      starting('try { bot.orders().at.call(null); } catch (error) { bot.log(error.stack); }'),
    );
    assert.match(ofHost.log.join('\n'), /TypeError: [^/]*$/);
  });

  it('whose process is killed runs again', { skip: process.platform !== 'linux' }, async () => {
    const opened = await strategies.open(starting('bot.log("here");'));
    const running = strategies.pool.answer({ spec: specOf(opened) });
    // It has been asked, and has not answered: nothing was awaited.
    await null;
    const killed = children().filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('lab-worker'));
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    const { result } = await running;
    assert.deepEqual([killed.length, result.status, result.log], [1, 'done', ['here']]);
  });

  it('can import modules of its own, and data', async () => {
    strategies.file('more.ts', "import { b } from './other.mjs';\nexport const a: number = b + 1;\n");
    strategies.file('other.mjs', 'export let b = 1;\nb += 1;\n');
    strategies.file('data.json', '{"c": 3}');
    const imports = "import { a } from './more.ts'; import data from './data.json' with { type: 'json' };";
    const { log } = await resultOf(starting('bot.log([a, data.c].join());', imports));
    assert.deepEqual(log, ['3,3']);
  });

  it('may import all of the library for its own program', async () => {
    const imports = "import { connect, PerpError } from 'perp/client';\nimport { Simulation } from 'perp/sim';";
    const { problem, log } = await resultOf(
      starting("bot.log(new Error('x') instanceof PerpError, typeof connect, typeof Simulation);", imports),
    );
    assert.deepEqual([problem, log], [null, ['false']]);
    for (const [name, names] of otherImports) {
      const exported = await import(name.replace('perp', '../../../../src/programs/sdk').concat('.ts'));
      assert.deepEqual([...names].sort(), Object.keys(exported).sort(), name);
    }
  });

  it('is refused before any trial if it is none', async () => {
    const wrong: [text: string, message: RegExp][] = [
      ['export default 1', /no strategy/],
      ['export default { markets: ["BTC"], onTik() {} }', /no "?onTik"?.*onTick/],
      ['const a = ;', /Expression expected \(line 1\)/],
      ["import './missing.ts'; export default {}", /missing\.ts/],
      ["import 'no-such-package'; export default {}", /no-such-package, which can't be found/],
      ["throw new Error('at once')", /at once/],
      [
        "import { readFileSync } from 'fs'; readFileSync('/etc/passwd'); export default {}",
        /read a file: node:fs readFileSync/,
      ],
    ];
    for (const [text, message] of wrong) await assert.rejects(strategies.open(text), { name: 'Failure', message });
    await assert.rejects(strategies.pool.open('/no/such/file.ts'), { message: 'There is no file /no/such/file.ts.' });
  });
});
