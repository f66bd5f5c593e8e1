import assert from 'node:assert/strict';
import fc from 'fast-check';
import { marketName } from '../../../src/base/text/format.ts';
import { LiveModel } from '../../../src/desk/watch/live-model.ts';
import { textOf } from '../../../src/terminal/console/output/result.ts';
import { dialogFrame } from '../../../src/terminal/screen/dialog-rows.ts';
import { press, pressDialog } from '../../../src/terminal/screen/screen-keys.ts';
import type { Bench } from '../../../src/terminal/screen/trading-keys.ts';
import { type Dialog, firstView, type ScreenView } from '../../../src/terminal/screen/view.ts';
import type { Market } from '../../../src/wire/contract/markets.ts';
import { test, trial } from '../../tiers.ts';
import { Desk } from '../cli/practice.ts';
import { Emulator } from './emulator.ts';

/** A running `perp watch` that shows the account; ends with the test. */
async function watching(desk: Desk, argv: readonly string[] = []) {
  const screen = new Emulator(100, 30);
  const run = desk.perp(['watch', 'BTC', ...argv], { terminal: true, screen, variables: { LANG: 'C.UTF-8' } });
  await screen.shows(/equity 100,000[\s\S]*\[BTC \d/);
  const end = async () => {
    screen.press('escape', 'escape', 'escape', 'q');
    return (await run).exit;
  };
  return { screen, run, end, [Symbol.asyncDispose]: async () => void (await end()) };
}

const type = (screen: Emulator, text: string) => screen.press(...text);

trial('t, b, a size and Enter show the preview; y sends exactly one order', async () => {
  using desk = new Desk();
  await using watch = await watching(desk);
  const { screen } = watch;
  screen.press('t');
  await screen.shows(/TRADING/);
  screen.press('b');
  await screen.shows(/> perp order place BTC buy _/);
  type(screen, '0.05');
  // A y without a question does not confirm anything.
  screen.press('return', 'y', 'y');
  const asked = await screen.shows(/\(y\/N\)/);
  for (const expected of [/fill(s at)? +\d/, /fee +\d/, /daily-loss room|room left/, /Place market buy 0\.05 BTC/])
    assert.match(asked, expected);
  assert.deepEqual(await desk.json('fills'), []);
  screen.press('y');
  await screen.shows(/\? yes[\s\S]*Filled +buy 0\.05 BTC[\s\S]*Any key goes back/);
  screen.press('return');
  await screen.shows(/BTC +long +0\.05[\s\S]*TRADING/);
  assert.equal((await desk.json('fills')).length, 1);
  assert.deepEqual(await desk.json('pending'), []);
});

trial('the selected position is closed and the selected order canceled, each after its question', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'ETH', 'sell', '0.5', '--yes');
  await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '30000', '--yes');
  const screen = new Emulator(100, 30);
  const run = desk.perp(['watch', 'BTC'], { terminal: true, screen, variables: { LANG: 'C.UTF-8' } });
  await screen.shows(/ETH +short[\s\S]*BTC +buy +0\.01/);
  screen.press('t', 'down', 'x');
  await screen.shows(/Cancel[\s\S]*\(y\/N\)/);
  screen.press('y');
  await screen.shows(/Any key goes back/);
  screen.press('return');
  await screen.shows(/No working orders/);
  screen.press('up', 'c');
  await screen.shows(/Close 0\.5 ETH[\s\S]*\(y\/N\)/);
  screen.press('y');
  await screen.shows(/Any key goes back/);
  screen.press('return');
  await screen.shows(/No open positions/);
  screen.press('q');
  assert.equal((await run).exit, 0);
});

test('nothing is sent after a no, a paste, Ctrl-C at the question, or without t', async () => {
  using desk = new Desk();
  const before = await watching(desk);
  const { screen } = before;
  screen.press('b', 's', 'x', 'c', 'p');
  await screen.shows(/q quit +t trade/);
  screen.press('t', 'b');
  screen.key({ name: 'paste', text: '0.05\ny\n', ctrl: false });
  await screen.shows(/buy 0\.05 y _/);
  screen.press('escape', 'b', ...'0.05', 'return');
  await screen.shows(/\(y\/N\)/);
  screen.key({ name: 'paste', text: 'y', ctrl: false });
  screen.press('n');
  await screen.shows(/\? +no[\s\S]*Nothing was sent/);
  screen.press('return', 's', ...'0.05', 'return');
  await screen.shows(/\(y\/N\)/);
  screen.key({ name: 'c', text: '', ctrl: true });
  const { exit, err } = await before.run;
  assert.equal(exit, 130);
  assert.match(err, /Nothing was sent/);
  assert.ok(await screen.isRestored());
  assert.deepEqual(await desk.json('order', 'list', '--ended'), []);
});

trial('a mistake is explained and the screen continues; commands that don’t belong there are refused', async () => {
  using desk = new Desk();
  await using watch = await watching(desk);
  const { screen } = watch;
  screen.press('t');
  const cases: [line: string, answer: RegExp][] = [
    ['order place BTC buy nothing', /nothing/],
    ['order place BTC buy 1000', /largest size: /],
    ['sim reset', /can't be used on the live screen/],
    ['sell 1', /Unknown command/],
    ['order place BTC buy 1 --wait', /--wait and --watch are not needed/],
    ['order place BTC buy 1 --yes', /--yes can't be used/],
    ['order place "BTC', /quot/i],
  ];
  for (const [line, answer] of cases) {
    screen.press(':', ...line, 'return');
    await screen.shows(answer);
    await screen.shows(/Any key goes back/);
    screen.press('return');
    await screen.shows(/TRADING/);
  }
  assert.deepEqual(await desk.json('order', 'list', '--ended'), []);
});

test('each command has its own key, also under --idempotency-key', async () => {
  using desk = new Desk();
  await using watch = await watching(desk, ['--idempotency-key', 'one-for-all', '--yes', '--quiet']);
  const { screen } = watch;
  screen.press('t');
  for (const size of ['0.01', '0.02']) {
    screen.press('b', ...size, 'return');
    await screen.shows(/Place market[\s\S]*\(y\/N\)/);
    screen.press('y');
    await screen.shows(/Filled[\s\S]*Any key goes back/);
    screen.press('return');
    await screen.shows(/TRADING/);
  }
  assert.deepEqual((await desk.json('fills')).map(({ size }: { size: number }) => size).sort(), [0.01, 0.02]);
});

test('on a terminal too small for the preview, nothing can be traded', async () => {
  using desk = new Desk();
  await using watch = await watching(desk);
  const { screen } = watch;
  screen.press('t', 'b', ...'0.05', 'return');
  await screen.shows(/\(y\/N\)/);
  screen.resize(30, 5);
  await screen.shows(/eq \d/);
  screen.press('y');
  screen.resize(100, 30);
  await screen.shows(/\(y\/N\)/);
  screen.press('n');
  await screen.shows(/Nothing was sent/);
  assert.deepEqual(await desk.json('fills'), []);
});

test('the typed line is edited where its cursor is: Delete takes the character there, Backspace the one before', () => {
  const edited = (...names: string[]) => {
    let dialog: Dialog | undefined = { stage: 'typing', text: 'abcd', cursor: 4 };
    for (const name of names) dialog = pressDialog({ name, text: '', ctrl: false }, dialog!).dialog;
    return dialog?.stage === 'typing' ? `${dialog.text} ${dialog.cursor}` : undefined;
  };
  assert.equal(edited('home', 'delete'), 'bcd 0');
  assert.equal(edited('left', 'left', 'delete'), 'abd 2');
  assert.equal(edited('end', 'delete'), 'abcd 4');
  assert.equal(edited('left', 'backspace'), 'abd 2');
  assert.equal(edited('home', 'backspace', 'left', 'right'), 'abcd 1');
});

test('a question for a name takes a line; Escape gives none', () => {
  const asked = {
    stage: 'asking',
    text: 'flatten',
    output: '',
    question: 'Type Joe',
    isShown: true,
    typed: '',
  } as const;
  const answerOf = (...keys: string[]) => {
    let dialog: Dialog | undefined = asked;
    for (const name of keys) {
      const step = pressDialog({ name, text: name.length === 1 ? name : '', ctrl: false }, dialog!);
      if (step.answer !== undefined) return step.answer;
      dialog = step.dialog;
    }
    return dialog?.stage === 'asking' ? `typing ${dialog.typed}` : undefined;
  };
  assert.equal(answerOf('J', 'o', 'x', 'backspace', 'e', 'return'), 'Joe');
  assert.equal(answerOf('y'), 'typing y', 'a single key is not an answer');
  assert.equal(answerOf('J', 'o', 'e', 'escape'), '');
  assert.match(
    String(
      dialogFrame({ ...asked, typed: 'Jo' }, 9)
        .rows.flat()
        .map((cell) => Object(cell).text ?? cell),
    ),
    /Type Joe: Jo_/,
  );
});

test('no key answers a question that is not on the screen; y means yes, n and Escape no, and others nothing', () => {
  const name = fc.constantFrom('y', 'Y', 'n', 'return', 'escape', 'paste', 'left', 'q', ' ');
  const key = name.map((one) => ({ name: one, text: one.length === 1 ? one : '', ctrl: false }));
  fc.assert(
    fc.property(fc.array(key, { maxLength: 20 }), fc.boolean(), (keys, isShown) => {
      let dialog: Dialog | undefined = { stage: 'asking', text: 'flatten', output: '', question: 'Sure?', isShown };
      for (const pressed of keys) {
        const { dialog: next, answer, run } = pressDialog(pressed, dialog);
        assert.equal(run, undefined);
        if (answer !== undefined) {
          assert.ok(isShown && /^([yn]|escape)$/i.test(pressed.name), pressed.name);
          assert.equal(answer, /^y$/i.test(pressed.name) ? 'y' : '');
          return;
        }
        dialog = next;
        if (dialog === undefined) return;
      }
    }),
  );
});

const fifty = Array.from({ length: 50 }, (_, at) => `line ${at}\n`).join('');
const longQuestion: Dialog = { stage: 'asking', text: 'x', output: fifty, question: 'Sure?', isShown: true };

test('a preview that is too long begins at its start, says that it goes on, and every line can be reached', () => {
  const seen = new Set<string>();
  let dialog = longQuestion;
  for (const name of [
    '',
    ...Array.from({ length: 8 }, () => 'pagedown'),
    'home',
    'end',
    'up',
    'down',
    'x',
    'return',
    'q',
  ]) {
    const { page } = dialogFrame(dialog, 12);
    if (name !== '')
      dialog = pressDialog({ name, text: '', ctrl: false }, dialog, [], page).dialog as Dialog & { stage: 'asking' };
    const text = dialogFrame(dialog, 12).rows.map((row) => row.map(textOf).join('').trimEnd());
    assert.equal(text.length, 12);
    assert.equal(text.at(-1), 'Sure? (y/N)');
    assert.match(text.join('\n'), /Lines \d+ to \d+ of 50/);
    if (name === '' || name === 'home') assert.ok(text.includes('line 0'));
    for (const line of text) seen.add(line);
  }
  assert.equal([...seen].filter((line) => line.startsWith('line ')).length, 50);
  const { dialog: after, answer } = pressDialog({ name: 'n', text: 'n', ctrl: false }, dialog);
  assert.deepEqual([after?.stage, answer], ['running', '']);
});

trial('a command is typed with or without trading keys; p adds to a position under its stop', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--stop-loss', '1%');
  const screen = new Emulator(120, 40);
  const run = desk.perp(['watch', 'BTC'], { terminal: true, screen });
  await screen.shows(/BTC +long +0\.05[\s\S]*q quit/);
  screen.press(':', ...'stop ', 'tab');
  await screen.shows(/> perp stop BTC _/);
  screen.press(...'2%', 'return');
  await screen.shows(/\(y\/N\)/);
  screen.press('n');
  await screen.shows(/Nothing was sent/);
  screen.press('escape', ':', 'up');
  await screen.shows(/> perp stop BTC 2%_/);
  screen.press('escape', 't', 'p');
  await screen.shows(/> perp order place BTC buy _ --stop-loss \d+/);
  screen.press(...'0.02', 'return');
  await screen.shows(/worst case[\s\S]*\(y\/N\)/);
  screen.press('y');
  await screen.shows(/Any key/);
  screen.press('escape', 'q');
  assert.equal((await run).exit, 0);
  const [position] = await desk.json('positions');
  assert.deepEqual([position.size, position.computed.covered_size], [0.07, 0.07]);
});

test('Ctrl and a letter edit a typed line as in a shell; elsewhere they do nothing', () => {
  const model = new LiveModel({ markets: [], watched: [{} as Market], interval: '1m' });
  const bench = { model, ownKeys: new Map(), isLadderShown: false } as unknown as Bench;
  const after = (name: string, cursor: number) => {
    const view: ScreenView = { ...firstView, dialog: { stage: 'typing', text: 'order place BTC', cursor } };
    const { dialog } = press({ name, text: '', ctrl: true }, model, view, bench).view;
    return dialog?.stage === 'typing'
      ? `${dialog.text.slice(0, dialog.cursor)}|${dialog.text.slice(dialog.cursor)}`
      : '';
  };
  assert.deepEqual(
    ['a', 'e', 'k', 'u', 'w', 'x'].map((name) => after(name, 12)),
    ['|order place BTC', 'order place BTC|', 'order place |', '|BTC', 'order |BTC', 'order place |BTC'],
  );
  assert.equal(after('w', 0), '|order place BTC');
  const { view, action } = press({ name: 'u', text: '', ctrl: true }, model, firstView, bench);
  assert.deepEqual([view.dialog, action], [undefined, undefined]);
});

test('/ searches the markets: exact names first, then those that begin so; Enter shows the selected one', () => {
  const named = (symbol: string) =>
    ({ market_id: `x|${symbol}`, provider: 'x', symbol, coin: `${symbol}USDT` }) as unknown as Market;
  const markets = ['BTC', 'ANTHROPIC', 'OPEN', 'OP', 'ETH'].map(named);
  const model = new LiveModel({ markets, watched: [markets[0]!], interval: '1m' });
  const bench = { model, ownKeys: new Map(), isLadderShown: false } as unknown as Bench;
  let view = firstView;
  const type = (...names: string[]) => {
    let action: unknown;
    for (const name of names) {
      const pressed = press({ name, text: name.length === 1 ? name : '', ctrl: false }, model, view, bench);
      view = pressed.view;
      action = pressed.action;
    }
    return action;
  };
  type('/', 'o', 'p');
  const offers = view.dialog?.stage === 'typing' ? view.dialog.offers : [];
  // What other tests have loaded decides whether a symbol alone names a market of this host.
  assert.deepEqual(
    offers,
    ['OP', 'OPEN', 'ANTHROPIC'].map((symbol) => marketName(`x|${symbol}`, symbol)),
  );
  assert.deepEqual(type('down', 'return'), { kind: 'choose', market: markets[2], interval: '1m' });
  assert.equal(view.dialog, undefined);
  model.choose(markets[2]!, '1m');
  assert.deepEqual(
    model.watched.map(({ symbol }) => symbol),
    ['BTC', 'OPEN'],
  );
  type('/', 'z');
  assert.equal(type('return'), undefined);
  type('escape');
  assert.equal(view.dialog, undefined);
  type('w');
  assert.equal(view.zoom, 0);
  type('w', 'w');
  assert.equal(view.zoom, 2);
  type('escape');
  assert.equal(view.zoom, undefined);
});

trial('a panel takes the whole screen, and the screen opens as it was left, without trading keys', async () => {
  using desk = new Desk();
  for (let fill = 0; fill < 12; fill++) await desk.json('order', 'place', 'SOL', fill % 2 ? 'sell' : 'buy', '1');
  const screen = new Emulator(100, 24);
  const run = desk.perp(['watch'], { terminal: true, screen });
  await screen.shows(/FILLED[\s\S]*q quit/);
  screen.press('w', 'w', 'w');
  await screen.shows(/FILLED(?:[^\n]*\n[^\n]*SOL){12}/);
  screen.press('escape', '/', ...'eth', 'return', 'L');
  await screen.shows(/\[ETH [\s\S]*ETH ladder/);
  screen.press('q');
  assert.equal((await run).exit, 0);
  const again = desk.perp(['watch'], { terminal: true, screen });
  await screen.shows(/\[ETH [\s\S]*ETH ladder[\s\S]*q quit +t trade/);
  screen.press('q');
  await again;
});
