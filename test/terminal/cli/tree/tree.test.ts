import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../../src/base/failure/failure.ts';
import { readerOf } from '../../../../src/terminal/cli/whole-line.ts';
import { commands, Desk } from '../practice.ts';

const readLine = readerOf(await commands()).read;
const parsed = (line: string) => readLine(line.split(' '));

function refused(line: string): string {
  try {
    parsed(line);
  } catch (error) {
    assert.ok(error instanceof Failure, String(error));
    assert.equal(error.facts.exit, 2, line);
    return `${error.message} ${error.facts.hint ?? ''}`;
  }
  return assert.fail(`taken: ${line}`);
}

const given = (input: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(input).filter(
      ([, value]) => value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  );

test('arguments and options become the input of the command', () => {
  const table: [string, string, object][] = [
    [
      'order place BTC buy 0.05',
      'order place',
      { market: 'BTC', side: 'buy', size: { unit: 'base', amount: 0.05, text: '0.05' } },
    ],
    ['order show my-1', 'order show', { order: 'my-1' }],
    ['order cancel a b c', 'order cancel', { order: ['a', 'b', 'c'] }],
    ['order amend a --price 61000', 'order amend', { order: 'a', price: 61000 }],
    ['order exits a --take-profit none', 'order exits', { order: 'a', takeProfit: null }],
    [
      'positions close BTC --size 50%',
      'positions close',
      { position: 'BTC', size: { unit: 'percent', amount: 50, text: '50%' } },
    ],
    [
      'positions exits BTC --cancel a --cancel b --modify c=5',
      'positions exits',
      { position: 'BTC', cancel: ['a', 'b'], modify: ['c=5'] },
    ],
    [
      'twap place BTC sell 1 --duration 30m',
      'twap place',
      { market: 'BTC', side: 'sell', size: { unit: 'base', amount: 1, text: '1' }, duration: 1_800_000 },
    ],
    [
      'copy save --lead a --follower b --follower c:0.5 --enable',
      'copy save',
      { lead: 'a', follower: ['b', 'c:0.5'], enable: true },
    ],
    ['fills --limit 5', 'fills', { limit: 5 }],
  ];
  for (const [line, path, input] of table) {
    const result = parsed(line);
    assert.equal(result.path, path);
    assert.deepEqual(given(result.input), input, line);
  }
});

test('a noun without a verb lists, with the options of its list command', () => {
  assert.equal(parsed('accounts').path, 'accounts list');
  assert.deepEqual(given(parsed('positions --closed --limit 5').input), { closed: true, limit: 5 });
  assert.equal(parsed('positions --limit 5 --closed').path, 'positions list');
});

test('global options may be before, between and after the words of the command', () => {
  for (const line of [
    '--json --account a order list',
    'order --account a --json list',
    'order list --json --account=a',
  ]) {
    assert.deepEqual(parsed(line).globals, { json: true, account: 'a' }, line);
  }
  assert.deepEqual(parsed('order list -o csv -y -q').globals, { output: 'csv', yes: true, quiet: true });
});

test("a command's own option letter overrides a global one", () => {
  const { globals, input } = parsed('sim import in.csv -o out.gz');
  assert.deepEqual(globals, {});
  assert.equal(input.out, 'out.gz');
});

test('negative numbers are values, and -- ends options', () => {
  assert.match(refused('order place BTC buy -1'), /SIZE is -1; it must be above zero/);
  assert.match(refused('order place BTC buy 1 --chase-offset -1'), /--chase-offset is -1; it can't be negative/);
  assert.deepEqual(parsed('order cancel -- --odd-id').input, { order: ['--odd-id'] });
});

test('invalid usage is rejected with a suggestion', () => {
  const table: [string, RegExp][] = [
    ['order place', /MARKET, SIDE and SIZE are missing.*perp order place MARKET SIDE SIZE/],
    ['order place BTC hold 1', /SIDE is "hold"; allowed: buy, sell/],
    ['order place BTC buy 50 USDT', /Unexpected argument "USDT".*order place BTC buy 50usd/],
    ['order place BTC buy 1 --limt-price 5', /Unknown option '--limt-price'.*Did you mean --limit-price/],
    ['order place BTC buy 1 --limit-price', /'--limit-price <PRICE>' argument missing.*perp order place --help/],
    ['order place BTC buy 1 --limit-price --json', /--limit-price needs a value/],
    ['order place BTC buy 1 --limit-price 1 --limit-price 2', /--limit-price was given twice with different values/],
    ['order place BTC buy 1 --type stopmarket', /allowed: market, limit.*Did you mean stop_market/],
    ['order amend a', /--price PRICE is missing.*Usage: perp order amend ORDER --price PRICE/],
    ['order list --account=', /--account is empty/],
    ['fills extra', /Unexpected argument "extra".*Usage: perp fills/],
    ['order list -o xml', /--output is "xml"; allowed: table, json, ndjson, csv/],
  ];
  for (const [line, says] of table) assert.match(refused(line), says, line);
});

test('an unknown command suggests a similar one', () => {
  const table: [string, RegExp][] = [
    ['ordr list', /perp ordr Did you mean perp order\?/],
    ['order plce', /Did you mean perp order place\?/],
    ['place', /Did you mean perp order place\?/],
    ['mandate new scalper', /Did you mean perp mandate add scalper\?/],
    ['guard init', /Did you mean perp guard add\?/],
    ['sim keys create', /Did you mean perp sim key\?/],
    ['sim key create', /Did you mean perp sim key add\?/],
    ['plan save quick 1@1R;rest', /Did you mean perp plan set quick '1@1R;rest'\?/],
    ['plan save quick rest@1%', /Did you mean perp plan set quick rest@1%\?/],
    ['sim bookmarks delete b1', /Did you mean perp sim bookmarks rm b1\?/],
    ['config set env --unset', /Did you mean perp config rm\?/],
    ['buy BTC 0.05', /Did you mean perp order place BTC buy 0\.05\?/],
    ['sell 0.05 BTC', /Did you mean perp order place BTC sell 0\.05\?/],
    ['balance', /Did you mean perp accounts show\?/],
    ['help buy', /Did you mean perp order place BTC buy 0\.05\?/],
    ['order buy BTC 1', /perp order buy Did you mean perp order place BTC buy 1\?/],
    ['order buy 1', /perp order buy Did you mean perp order place MARKET buy 1\?/],
    ['order buy 1 --stop-loss 1%', /perp order buy Did you mean perp order place MARKET buy 1 --stop-loss 1%\?/],
    ['sl BTC 1%', /Did you mean perp stop BTC 1%\?/],
    ['order cancel --all', /Did you mean perp cancel-all\?/],
    ['order place BTC buy --size 1', /Did you mean perp order place BTC buy 1\?/],
    ['orders', /Did you mean perp order list\?/],
    ['trades ETH', /Did you mean perp fills \(yours\) or perp stream trades ETH \(the market's\)\?/],
    ['funding BTC', /Did you mean perp stream stats BTC .* or perp pnl/],
    ['trail BTC 1%', /Did you mean perp guard add \(trailing stops/],
    ['alert BTC', /Did you mean perp guard add \(alerts/],
    ['order wait ord_1', /Did you mean perp order show ord_1 --wait\?/],
    ['order get ord_1', /Did you mean perp order show ord_1\?/],
    ['order get', /Did you mean perp order list\?/],
    ['twap rm twap_1', /Did you mean perp twap cancel twap_1\?/],
    ['-v', /Unknown option '-v'.*Did you mean perp --version\?/],
    ['order place BTC buy 1 --limit 5', /Did you mean --limit-price\?/],
    ['pnl --since today', /Did you mean --from\?/],
    ['fills --from today', /Did you mean --since\?/],
    ['order place BTC buy 1 --sl 5', /Did you mean perp order place BTC buy 1 --stop-loss 5\?/],
    ['fills --sl 5', /perp fills --help lists the options/],
    ['position', /Did you mean perp positions\?/],
    ['markets lst', /Did you mean perp markets list\?/],
    ['frobnicate', /perp help commands lists them all/],
    ['sim frobnicate', /perp sim has these commands: .*serve/],
  ];
  for (const [line, says] of table) assert.match(refused(line), says, line);
});

test('options given at two levels must agree', () => {
  assert.deepEqual(parsed('--account a order --account a list').globals, { account: 'a' });
  assert.match(refused('--account a order list --account b'), /--account was given twice with different values/);
});

test('one tree parses line after line, and keeps nothing in between', () => {
  const first = 'order place BTC buy 1 --limit-price 5 --reduce-only -o csv';
  const plain = parsed('order place ETH sell 2');
  assert.notDeepEqual(parsed(first).input, plain.input);
  refused('order place BTC buy 1 --limit-price 5 --tif');
  assert.deepEqual(parsed('order place ETH sell 2'), plain);
  assert.deepEqual(parsed('order cancel a b').input, { order: ['a', 'b'] });
  assert.deepEqual(parsed('order cancel c').input, { order: ['c'] });
});

test('help works for commands, nouns and topics, and as an option', async () => {
  using desk = new Desk();
  const table: [string, RegExp][] = [
    ['', /^perp: a trading desk/],
    ['--help', /^perp: a trading desk/],
    ['help', /^perp: a trading desk/],
    ['help commands', /^View\n[\s\S]*\nSet up\n[\s\S]*perp help error-codes/],
    ['help order', /^Place, follow, amend.*\n\nUsage: perp order VERB/],
    ['help order place', /^Place an order.*\n\nUsage: perp order place MARKET/],
    ['help sdk', /Usage: perp sdk VERB \[ARGUMENTS\]/],
    ['order --help', /Usage: perp order VERB/],
    ['order help', /Usage: perp order VERB/],
    ['order help place', /Usage: perp order place MARKET/],
    ['order list --help', /Usage: perp order list/],
    ['order place --help', /Usage: perp order place MARKET/],
    ['order place BTC buy -h', /Usage: perp order place MARKET/],
    ['help exit-codes', /^Exit status\n/],
    ['help environment', /Global options\n[\s\S]*--no-color/],
    ['help values', /^MARKET\n/],
    ['sim', /Usage: perp sim VERB/],
    ['help sim key add', /Usage: perp sim key add/],
    ['help gate stop', /Usage: perp gate stop \[BOT\]\n/],
    ['help sim run', /Usage: perp sim run \[options\] -- COMMAND\.\.\.\n/],
    ['--version', /^perp \d+\.\d+\.\d+\n$/],
  ];
  for (const [line, says] of table) {
    const { exit, out, err } = await desk.perp(line.split(' ').filter((word) => word !== ''));
    assert.deepEqual([exit, err], [0, ''], line);
    assert.match(out, says, line);
  }
  assert.match((await desk.perp(['help', 'order', 'plce'])).err, /Did you mean perp order place\?/);
  for (const line of [
    'frobnicate --help',
    '-h frobnicate',
    'order plce --help',
    '--json frobnicate -h',
    'sim key x -h',
  ]) {
    const { exit, out, err } = await desk.perp(line.split(' '));
    assert.deepEqual([exit, out, /Unknown command: perp/.test(err)], [2, '', true], line);
  }
});

test('help fits a screen of 80x40 with its prompt, and names every command once', async () => {
  using desk = new Desk();
  const { out } = await desk.perp(['help'], { variables: { COLUMNS: '80' } });
  assert.ok(out.split('\n').length <= 40, out);
  const { out: all } = await desk.perp(['help', 'commands']);
  const explained = (text: string) => text.match(/^ {2}[a-z-]+(?= )/gm)!.map((word) => word.trim());
  const others = /^More: ([^.]+)\./m.exec(out)![1]!.split(/,\s/);
  assert.deepEqual([...explained(out), ...others].sort(), explained(all.split('Start here')[0]!).sort());
});

test('help has bold titles and options on a terminal, unless colors are off', async () => {
  using desk = new Desk();
  const colored = { terminal: true, variables: { NO_COLOR: '', TERM: 'xterm' } };
  const { out } = await desk.perp(['order', 'place', '--help'], colored);
  assert.match(
    out,
    /\u001b\[1mUsage:\u001b\[22m perp[\s\S]*\u001b\[1mOptions\u001b\[22m\n {2}\u001b\[1m--type TYPE\u001b\[22m {2,}order type/,
  );
  assert.match((await desk.perp(['help', 'values'], colored)).out, /\u001b\[1mSIZE\u001b\[22m/);
  for (const [line, terminal] of [
    ['order place --help --no-color', colored],
    ['help values --no-color', colored],
    ['order place --help', { terminal: true }],
    ['order place --help', { variables: { NO_COLOR: '' } }],
  ] as const)
    assert.doesNotMatch((await desk.perp(line.split(' '), terminal)).out, /\u001b/, line);
});

test('an argument of a hundred thousand characters is rejected and shown shortened, wherever it is', async () => {
  using desk = new Desk();
  for (const part of ['1', '1,', 'x', '-', '--a', '=', '$(', "'", '\u115f', '1m']) {
    const long = part.repeat(100_000 / part.length);
    const lines = [
      [long],
      [`--${long}`],
      ['order', long],
      ['order', 'place', 'BTC', 'buy', long],
      ['order', 'place', 'BTC', 'buy', '1', '--limit-price', long],
      ['order', 'place', 'BTC', 'buy', '1', `--limit-price=${long}`],
      ['order', 'place', 'BTC', 'buy', '1', '--expires', long],
      ['twap', 'place', 'BTC', 'buy', '1', '--duration', long],
      ['order', 'place', 'BTC', 'buy', '1', '--idempotency-key', long],
      ['order', 'show', long],
      ['config', 'set', 'live.base_url', long],
      ['help', long],
    ];
    for (const line of lines) {
      const { exit, err } = await desk.perp(line);
      const where = line.map((word) => word.slice(0, 20)).join(' ');
      assert.equal(exit, 2, `${where}: ${err.slice(0, 300)}`);
      assert.ok(err.length < 1_000, `${where}: ${err.length}`);
    }
    const variables = { PERP_ACCOUNT: long, PERP_STATE: long };
    const { exit, err } = await desk.perp(['accounts', 'show'], { variables });
    assert.equal(exit, 2, err.slice(0, 300));
    assert.ok(err.length < 1_000);
  }
});
