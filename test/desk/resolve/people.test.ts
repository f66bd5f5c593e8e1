import assert from 'node:assert/strict';
import { Desk } from '../../terminal/cli/practice.ts';
import { test, trial } from '../../tiers.ts';

trial('a mistyped id suggests one from the last list, and the command that lists them', async () => {
  using desk = new Desk();
  const limit = ['--type', 'limit', '--limit-price', '20000'];
  const order = await desk.json('order', 'place', 'BTC', 'buy', '0.01', ...limit);
  const twap = await desk.json('twap', 'place', 'ETH', 'buy', '1', '--duration', '30m');
  const ladder = await desk.json(
    'scaled',
    'place',
    'BTC',
    'buy',
    '0.1',
    '--from',
    '30000',
    '--to',
    '20000',
    '--rungs',
    '2',
  );
  const [account] = await desk.json('accounts', 'list');
  for (const noun of ['order', 'twap', 'scaled']) await desk.json(noun, 'list');
  const slip = (id: string) => id.replace('_0', '_');
  const table: [command: string[], id: string, lists: string][] = [
    [['order', 'show'], order.id, 'perp order --ended shows yours.'],
    [['order', 'cancel'], order.id, 'perp order --ended shows yours.'],
    [['twap', 'show'], twap.id, 'perp twap list shows yours.'],
    [['twap', 'cancel'], twap.id, 'perp twap list shows yours.'],
    [['scaled', 'show'], ladder.id, 'perp scaled list shows yours.'],
    [['scaled', 'cancel'], ladder.id, 'perp scaled list shows yours.'],
    [['accounts', 'show'], account.id, 'perp accounts lists yours.'],
    [['accounts', 'use'], account.id, 'perp accounts lists yours.'],
    [['accounts', 'policy'], account.id, 'perp accounts lists yours.'],
  ];
  for (const [command, id, lists] of table) {
    const near = await desk.perp([...command, slip(id), '--json']);
    assert.deepEqual([near.exit, near.error.code], [3, 'not_found'], command.join(' '));
    assert.ok(near.error.message.includes(slip(id)), near.error.message);
    assert.equal(near.error.hint, `Did you mean ${id}? ${lists}`, command.join(' '));
    const far = await desk.perp([...command, 'nothing-such', '--json']);
    assert.deepEqual([far.exit, far.error.hint], [3, lists], command.join(' '));
  }
});

trial('an unknown account is reported with where it was set and what to do', async () => {
  using desk = new Desk();
  const [{ id }] = await desk.json('accounts', 'list');
  const nope = id.replace('_0', '_');
  const near = `Did you mean ${id}? `;
  const lists = 'perp accounts lists yours.';
  const table: [argv: string[], variables: Record<string, string>, from: string, hint: string][] = [
    [['--account', nope], {}, '--account', near + lists],
    [['--account', 'nope'], { PERP_ACCOUNT: id }, '--account', lists],
    [[], { PERP_ACCOUNT: nope }, 'PERP_ACCOUNT', `${near}Change or unset PERP_ACCOUNT; ${lists}`],
    [[], {}, 'the config file', `Choose another with perp accounts use ID; ${lists}`],
  ];
  await desk.perp(['config', 'set', 'sim.account', 'gone']);
  for (const [argv, variables, from, hint] of table) {
    for (const command of [
      'positions',
      'fills',
      'order list',
      'accounts show',
      'accounts policy',
      'sim policy',
      'order place BTC buy 0.01 --leverage 2 --margin cross',
      'twap place BTC buy 1 --duration 30m',
      'cancel-all --yes',
    ]) {
      const { exit, error } = await desk.perp([...command.split(' '), ...argv, '--json'], { variables });
      const account = argv[1] ?? variables.PERP_ACCOUNT ?? 'gone';
      const message = `There is no account "${account}" on sim (set by ${from}).`;
      assert.deepEqual([exit, error.code, error.message, error.hint], [3, 'not_found', message, hint], command);
    }
  }
  const elsewhere = await desk.perp(['order', 'place', 'NOPE', 'buy', '1', '--account', id, '--json']);
  assert.match(elsewhere.error.message, /NOPE/, 'an existing account is not blamed');
});

test('an id of another kind suggests the command that shows it', async () => {
  using desk = new Desk();
  const order = await desk.json('order', 'place', 'BTC', 'buy', '0.01');
  const [position] = await desk.json('positions', 'list');
  const twap = await desk.json('twap', 'place', 'ETH', 'buy', '1', '--duration', '30m');
  const rungs = ['--from', '30000', '--to', '20000', '--rungs', '2'];
  const ladder = await desk.json('scaled', 'place', 'BTC', 'buy', '0.1', ...rungs);
  const table: [command: string, id: string, is: string, show: string][] = [
    ['order show', twap.id, 'a TWAP order', 'twap show'],
    ['order explain', twap.id, 'a TWAP order', 'twap show'],
    ['order cancel', ladder.id, 'a ladder', 'scaled show'],
    ['order explain', ladder.id, 'a ladder', 'scaled show'],
    ['order show', position.id, 'a position', 'positions show'],
    ['twap show', ladder.id, 'a ladder', 'scaled show'],
    ['twap cancel', order.id, 'an order', 'order show'],
    ['scaled show', twap.id, 'a TWAP order', 'twap show'],
    ['scaled cancel', position.id, 'a position', 'positions show'],
    ['positions show', order.id, 'an order', 'order show'],
    ['positions close', twap.id, 'a TWAP order', 'twap show'],
  ];
  for (const [command, id, is, show] of table) {
    const { exit, error } = await desk.perp([...command.split(' '), id, '--json']);
    assert.deepEqual([exit, error.code], [3, 'not_found'], command);
    assert.ok(error.message.endsWith(`${JSON.stringify(id)}: it is ${is}.`), error.message);
    assert.equal(error.hint, `perp ${show} ${id} shows it.`);
  }
});

trial('lists stay tables at 80 and 40 columns, with the essential columns', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--stop-loss', '5%');
  await desk.json('order', 'place', 'ETH', 'sell', '1');
  await desk.json('twap', 'place', 'ETH', 'buy', '1', '--duration', '30m');
  await desk.perp(['order', 'place', 'BTC', 'buy', '0.00000001']);
  const table: [list: string[], at80: string[], at40: string[]][] = [
    [
      ['order', 'list'],
      ['MARKET', 'SIDE', 'SIZE', 'PRICE', 'STATUS', 'ID'],
      ['MARKET', 'SIDE', 'SIZE', 'PRICE'],
    ],
    [
      ['positions'],
      ['MARKET', 'SIDE', 'SIZE', 'ENTRY', 'PNL', 'STOP', 'RISK', 'R'],
      ['MARKET', 'SIDE', 'SIZE', 'PNL', 'STOP'],
    ],
    [['fills'], ['TIME', 'MARKET', 'SIDE', 'SIZE', 'PRICE', 'FEE'], ['MARKET', 'SIDE', 'SIZE', 'PRICE']],
    [
      ['twap', 'list'],
      ['MARKET', 'SIDE', 'FILLED', 'STATUS', 'ID'],
      ['MARKET', 'SIDE', 'FILLED', 'STATUS'],
    ],
    [['accounts'], ['ID', 'STATUS', 'BALANCE', 'EQUITY'], ['ID', 'STATUS', 'BALANCE']],
    [['markets'], ['MARKET', 'ID', 'LOT', 'LEVERAGE'], ['MARKET', 'ID']],
  ];
  for (const [list, at80, at40] of table) {
    for (const [columns, wanted] of [
      [80, at80],
      [40, at40],
    ] as const) {
      const { out } = await desk.perp(list, { terminal: true, columns });
      for (const text of out.split('\n')) assert.ok(text.length <= columns, text);
      const [first = '', second = ''] = out.split('\n');
      const heads = (first === 'Working' ? second : first).trim().split(/ +/);
      for (const head of wanted) assert.ok(heads.includes(head), `${list.join(' ')} at ${columns}: ${heads}`);
    }
  }
});

test('a position is shown with its exits, also after changing them', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.05');
  assert.doesNotMatch((await desk.perp(['positions', 'show', 'BTC'])).out, /Exits/);
  const changed = await desk.perp(['positions', 'exits', 'BTC', '--stop-loss', '20000', '--far-stop']);
  assert.equal(changed.exit, 0, changed.err);
  for (const { out } of [changed, await desk.perp(['positions', 'show', 'BTC'])]) {
    assert.match(out, /\n\nExits\n.*PRICE.*\n.*BTC .* sell +0\.05 +@20000 +resting/);
  }
  const json = await desk.json('positions', 'show', 'BTC');
  assert.equal(json.symbol, 'BTC', 'with --json the resource and nothing else');
});

test('bid and ask are aligned with the same number of decimals', async () => {
  using desk = new Desk();
  for (const market of ['BTC', 'ETH', 'SOL']) {
    const { out } = await desk.perp(['quote', market]);
    const [bid, ask] = ['bid', 'ask'].map((name) => new RegExp(`^${name} +[0-9]+(\\.[0-9]+)?$`, 'm').exec(out));
    assert.equal(bid?.[1]?.length, ask?.[1]?.length, out);
  }
});
