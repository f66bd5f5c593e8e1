import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Desk, type Run } from '../practice.ts';

interface Answer {
  line: number;
  id?: string | number;
  ok: boolean;
  exit: number;
  data?: Run['json'];
  error?: { code: string; message: string; hint?: string };
}

class Scene extends Desk {
  async batch(lines: readonly unknown[], ...flags: string[]): Promise<Run & { answers: Answer[] }> {
    const file = join(this.folder, 'commands');
    writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
    const run = await this.perp(['batch', file, ...flags]);
    const answers = run.out
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => JSON.parse(text) as Answer);
    return { exit: run.exit, out: run.out, err: run.err, json: undefined, error: undefined, answers };
  }
}

const place = 'order place BTC buy 0.01 --limit-price 20000 --leverage 2 --margin cross';

test('every command prints one line, in order, with its result', async () => {
  using desk = new Scene();
  const { exit, answers } = await desk.batch([
    '# a morning',
    place,
    '',
    'perp order list --status working',
    'markets show BTC --json',
    'config list',
  ]);
  assert.equal(exit, 0);
  assert.deepEqual(
    answers.map(({ line, ok, exit }) => [line, ok, exit]),
    [
      [2, true, 0],
      [4, true, 0],
      [5, true, 0],
      [6, true, 0],
    ],
  );
  assert.equal(answers[0]!.data.limit_price, 20_000);
  assert.deepEqual(
    answers[1]!.data.map(({ id }: { id: string }) => id),
    [answers[0]!.data.id],
  );
  assert.equal(answers[2]!.data.symbol, 'BTC');
  assert.deepEqual(readdirSync(join(desk.folder, 'state', 'intents')), []);
});

test('a command is text, a list of words, or a name with arguments', async () => {
  using desk = new Scene();
  const args = {
    market: 'BTC',
    side: 'buy',
    size: 0.01,
    limit_price: 20_000.5,
    leverage: 2,
    margin: 'cross',
    'reduce-only': false,
  };
  const { answers } = await desk.batch([
    { command: 'order place', args, id: 'first' },
    {
      command: [
        'order',
        'place',
        'BTC',
        'buy',
        0.01,
        '--limit-price',
        '20000.5',
        '--leverage',
        '2',
        '--margin',
        'cross',
      ],
      id: 2,
    },
    ['order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '20000.5', '--leverage', '2', '--margin', 'cross'],
    { command: 'order place BTC buy 0.01 --limit-price 20000.5 --leverage 2 --margin cross' },
  ]);
  assert.deepEqual(
    answers.map(({ id, exit, data }) => [id, exit, data?.limit_price, data?.size]),
    [
      ['first', 0, 20_000.5, 0.01],
      [2, 0, 20_000.5, 0.01],
      [undefined, 0, 20_000.5, 0.01],
      [undefined, 0, 20_000.5, 0.01],
    ],
  );
  const ids = answers.map(({ data }) => data.id);
  const canceled = await desk.batch([{ command: 'order cancel', args: { order: ids } }]);
  assert.deepEqual(
    canceled.answers[0]!.data.map(({ id }: { id: string }) => id),
    ids,
  );
});

test('a line that shows unsettled writes does not show those that the lines before it have settled', async () => {
  using desk = new Scene();
  const { answers } = await desk.batch([place, 'pending list', place.replace('0.01', '0.02'), place, 'pending list']);
  assert.deepEqual([answers[1]!.data, answers[4]!.data], [[], []]);
});

test('an invalid line prints its error, and the batch continues', async () => {
  using desk = new Scene();
  const wrong: [line: unknown, exit: number, message: RegExp][] = [
    ['order plaec BTC buy 1', 2, /Unknown command: perp order plaec/],
    ['order place BTC buy', 2, /SIZE is missing/],
    ["order show 'a", 2, /Unclosed quote/],
    ['order show nothing-such', 3, /There is no order/],
    ['order place BTC buy 0.0001', 5, /./],
    ['{"command": ', 2, /not JSON/],
    ['[]', 2, /A command must be text, or a list of words/],
    [{ command: 'order place', args: [] }, 2, /"args" must be an object/],
    [{ command: 'order place BTC', args: { side: 'buy' } }, 2, /must contain only the command/],
    [{ command: 'order list', args: { limitt: 3 } }, 2, /Unknown option .--limitt=3./],
    [{ command: 'order list', args: { limit: null } }, 2, /"limit" must be text, a number/],
    [{ command: 'order list', args: { limit: { a: 1 } } }, 2, /"limit" must be text, a number/],
    [{ command: 'order list', flags: {} }, 2, /Unknown field "flags"/],
    [{ command: 'order list', id: {} }, 2, /"id" must be text or a number/],
    [{}, 2, /A command must be text/],
    ['--help', 2, /asks for help/],
    ['order', 0, /^$/],
    ['batch x', 2, /can't be used in a batch/],
    ['sim serve', 2, /can't be used in a batch/],
    ['login', 2, /can't be used in a batch|Unknown command/],
    ['quote BTC --watch', 2, /--watch never ends/],
    ['markets --env live', 2, /--env applies to the whole batch/],
    ['markets --state other', 2, /--state applies to the whole batch/],
    ['copy save --file -', 2, /can't read standard input/],
    ['cancel-all', 2, /Can't ask for confirmation/],
    ['\u0001\u001b[2J', 2, /Unknown command: perp /],
    ['order place BTC buy 0.01 --client-order-id a\0b', 2, /NUL/],
  ];
  const { exit, answers, err, out } = await desk.batch(wrong.map(([line]) => line));
  assert.equal(exit, 9);
  assert.match(err, /of 27 commands failed/);
  assert.doesNotMatch(out, /[^\n\u0020-\u007e]/, 'no character in it can control a terminal');
  for (const [at, [line, expected, message]] of wrong.entries()) {
    const answer = answers[at]!;
    assert.deepEqual(
      [answer.line, answer.exit, answer.ok],
      [at + 1, expected, expected === 0],
      `${JSON.stringify(line)} ${JSON.stringify(answer)}`,
    );
    assert.match(answer.error?.message ?? '', message);
  }
});

test('a line that is not UTF-8 is rejected, not repaired; nothing is sent for it, and the batch continues', async () => {
  using desk = new Scene();
  const file = join(desk.folder, 'commands');
  const line = (id: string) => Buffer.from(`${place} --client-order-id ${id}`, 'latin1');
  const lines = [Buffer.from('\ufeff# from Windows'), line('caf\u00e9'), line('cafe')];
  writeFileSync(file, Buffer.concat(lines.flatMap((bytes) => [bytes, Buffer.from('\r\n')])));
  const run = await desk.perp(['batch', file]);
  const answers = run.out
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as Answer);
  assert.deepEqual(
    answers.map(({ line, exit }) => [line, exit]),
    [
      [2, 2],
      [3, 0],
    ],
  );
  assert.deepEqual([answers[0]!.error!.code, answers[0]!.error!.message], ['usage', 'The line is not UTF-8 text.']);
  assert.deepEqual(
    (await desk.json('order', 'list', '--ended')).map((order: { client_order_id: string }) => order.client_order_id),
    ['cafe'],
  );
});

test('--stop-on-error stops at the first failure and exits with its status', async () => {
  using desk = new Scene();
  const { exit, answers } = await desk.batch(
    [place, 'order show nothing-such', place.replace('0.01', '0.02')],
    '--stop-on-error',
  );
  assert.deepEqual([exit, answers.map((answer) => answer.exit)], [3, [0, 3]]);
  assert.equal((await desk.json('order', 'list', '--all')).length, 1);
});

test('a rejected order counts as failed, and its record is printed', async () => {
  using desk = new Scene();
  const { exit, answers } = await desk.batch([place.replace('0.01', '400')]);
  assert.deepEqual([exit, answers[0]!.exit, answers[0]!.ok], [9, 5, false]);
});

test('options of the batch apply to its lines; a line may override some of them', async () => {
  using desk = new Scene();
  const dry = await desk.batch([place, `${place} --idempotency-key mine`], '--dry-run');
  assert.deepEqual(
    dry.answers.map(({ data }) => data.method),
    ['POST', 'POST'],
  );
  assert.equal(dry.answers[1]!.data.idempotency_key, 'mine');
  assert.deepEqual(await desk.json('order', 'list', '--all'), []);
  const swept = await desk.batch([place, 'cancel-all --yes', 'order list --status working']);
  assert.deepEqual([swept.exit, swept.answers[2]!.data], [0, []]);
  assert.equal((await desk.batch(['cancel-all'], '--yes')).exit, 0);
  const elsewhere = await desk.batch(['positions --account nothing-such', 'positions']);
  assert.deepEqual(
    elsewhere.answers.map((answer) => answer.exit),
    [3, 0],
  );
});

test('running the same batch again with a key repeats nothing', async () => {
  using desk = new Scene();
  const lines = [place, place.replace('0.01', '0.02'), '', place];
  const first = await desk.batch(lines, '--idempotency-key', 'monday');
  const again = await desk.batch(lines, '--idempotency-key', 'monday');
  assert.equal(again.exit, 0, JSON.stringify(again.answers));
  const ids = (answers: Answer[]) => answers.map(({ data }) => data.id);
  assert.deepEqual(ids(again.answers), ids(first.answers));
  assert.equal((await desk.json('order', 'list', '--all')).length, 3);
  assert.equal((await desk.batch(lines, '--idempotency-key', 'k'.repeat(120))).exit, 2);
});

test('a batch never prompts, even on a terminal', async () => {
  using desk = new Scene();
  const file = join(desk.folder, 'commands');
  writeFileSync(file, `${place}\ncancel-all\n`);
  const { exit, out } = await desk.perp(['batch', file], { terminal: true });
  assert.equal(exit, 9);
  assert.deepEqual(desk.questions, []);
  assert.equal(out.split('\n').length, 3);
});

test('an empty batch succeeds; an unreadable one is an error', async () => {
  using desk = new Scene();
  assert.deepEqual([(await desk.batch(['', '# nothing', '   '])).exit, (await desk.batch([])).out], [0, '']);
  const missing = await desk.perp(['batch', join(desk.folder, 'nowhere'), '--json']);
  assert.deepEqual([missing.exit, missing.error.code], [2, 'usage']);
});

test('names are read once; what a command shows is read each time', async () => {
  using desk = new Scene();
  const lines = [
    'accounts',
    place,
    place.replace('0.01', '0.02'),
    'order place BTC buy 0.5 --leverage 2 --margin cross',
    'accounts',
  ];
  const { answers, err } = await desk.batch(lines, '--debug');
  assert.notEqual(answers[0]!.data[0].balance, answers[4]!.data[0].balance);
  assert.equal(err.match(/GET \/v1\/markets /g)?.length, 1);
  assert.equal(err.match(/GET \/v1\/accounts /g)?.length, 3);
});

test('an order takes its leverage from the position that the lines before it lead to, although none is answered yet', async () => {
  using desk = new Scene();
  const { exit, answers } = await desk.batch([
    'order place BTC buy 0.01',
    'order place BTC buy 0.01 --leverage 1',
    'order place ETH buy 0.1 --leverage 5',
    'order place ETH buy 0.1',
    'order place ETH sell 0.2',
    'order place ETH buy 0.1',
  ]);
  assert.equal(exit, 0, JSON.stringify(answers));
  assert.deepEqual(
    answers.map(({ data }) => data.leverage),
    [1, 1, 5, 5, 5, 1],
  );
});

test('orders that fit alone but not together are refused from the first that does not fit', async () => {
  using desk = new Scene();
  const { equity } = (await desk.json('accounts', 'show')).risk;
  const { mid } = await desk.json('quote', 'BTC');
  // A market can fall by 100%: only a position larger than the equity would be liquidated.
  const size = ((equity * 0.3) / mid).toFixed(2);
  const { answers } = await desk.batch(Array.from({ length: 6 }, () => `order place BTC buy ${size} --leverage 10`));
  assert.deepEqual(
    answers.map(({ error }) => error?.code ?? 'placed'),
    ['placed', 'placed', 'placed', ...Array.from({ length: 3 }, () => 'worst_case_breach')],
  );
});
