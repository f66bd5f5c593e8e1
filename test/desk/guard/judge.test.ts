import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshState } from '../../../src/desk/guard/guard-state.ts';
import { judge } from '../../../src/desk/guard/judge.ts';
import { parseRules } from '../../../src/desk/guard/rule-file.ts';
import type { GuardView } from '../../../src/desk/guard/view.ts';
import { account, at, btc, closed, judged, noon, position, view } from './views.ts';

const minute = 60_000;
const hour = 60 * minute;
const kindsOf = (state: { tasks: readonly { steps: readonly { kind: string }[] }[] }) =>
  state.tasks.map(({ steps }) => steps.map(({ kind }) => kind));

test('the daily stop counts from the equity at the start of the day, at the latest marks', () => {
  const losing = (mark: number) => view({ positions: [position({ size: 100 })], marks: new Map([[btc, mark]]) });
  const { says, state } = judged('[daily-stop]\nloss = "2%"\n', losing(81), losing(80), losing(70));
  assert.deepEqual(says, [
    [],
    ['Daily stop: 2,000.00 USD lost since the start of the day at 100,000.00 (limit 2,000.00)'],
    [],
  ]);
  assert.deepEqual(kindsOf(state), [['lock', 'flatten']]);
  assert.equal(state.tasks[0]!.steps[0]!.until, at('2026-06-11T04:00:00Z'));
});

test('without a daily-loss floor, the day starts with the first known equity', () => {
  const poor = (balance: number, time: number) =>
    view({ time, account: account({ balance }, { daily_loss_floor: null }) });
  const { says } = judged(
    '[daily-stop]\nloss = "500usd"\n',
    poor(99_000, noon),
    poor(98_501, noon + hour),
    poor(98_500, noon + 2 * hour),
    poor(98_400, noon + 24 * hour),
    poor(97_900, noon + 25 * hour),
  );
  assert.deepEqual(
    says.map(({ length }) => length),
    [0, 0, 1, 0, 1],
  );
});

test('trades are positions opened since the start of the day, open and closed ones', () => {
  const yesterday = noon - 24 * hour;
  const seen = view({
    positions: [position(), position({ id: 'pos_0', opened_at: yesterday })],
    closed: [closed('pos_2', 5)],
  });
  assert.deepEqual(judged('[max-trades]\ntrades = 3\n', seen).says, [[]]);
  assert.deepEqual(judged('[max-trades]\ntrades = 2\n', seen).says, [['2 trades today (limit 2)']]);
  const one = view({ positions: [position()] });
  assert.deepEqual(judged('[max-trades]\ntrades = 1\n', one).says, [['1 trade today (limit 1)']]);
});

test('losses in a row are counted after fees, back to the latest win; a longer streak is the same one', () => {
  const rules = '[max-losses]\nlosses = 2\n';
  const rows = (...results: [string, number][]) => view({ closed: results.map(([id, pnl]) => closed(id, pnl)) });
  const { says } = judged(
    rules,
    rows(['pos_1', -5]),
    rows(['pos_2', 0.5], ['pos_1', -5]),
    rows(['pos_3', -5], ['pos_2', 0.5], ['pos_1', -5]),
    rows(['pos_4', 9], ['pos_3', -5], ['pos_2', 0.5], ['pos_1', -5]),
    rows(['pos_6', -1], ['pos_5', -1], ['pos_4', 9], ['pos_3', -5], ['pos_2', 0.5], ['pos_1', -5]),
  );
  assert.deepEqual(says, [
    [],
    ['2 losses in a row today, 6.50 USD (limit 2)'],
    [],
    [],
    ['2 losses in a row today, 4.00 USD (limit 2)'],
  ]);
});

test('no-trade hours lock until they end, once', () => {
  const rules = 'zone = "Europe/Berlin"\n[no-trade]\nhours = "22:00-02:00"\n';
  const times = ['19:59:59', '20:00:00', '23:00:00'].map((time) => view({ time: at(`2026-06-10T${time}Z`) }));
  const { says, state } = judged(rules, ...times, view({ time: at('2026-06-11T00:00:00Z') }));
  assert.deepEqual(
    says.map(({ length }) => length),
    [0, 1, 0, 0],
  );
  assert.deepEqual(state.tasks[0]!.steps, [{ nth: 0, kind: 'lock', until: at('2026-06-11T00:00:00Z') }]);
});

test('a flat time fires once, even if the clock jumps over it or back', () => {
  const rules = '[flatten-before]\ntimes = ["16:55"]\n';
  const seen = (time: string) => view({ time: at(`2026-06-10T${time}Z`) });
  const flat = 'Flat time reached (16:55)';
  assert.deepEqual(judged(rules, seen('20:54:00'), seen('20:55:00'), seen('20:56:00')).says, [[], [flat], []]);
  assert.deepEqual(judged(rules, seen('20:00:00'), seen('21:30:00')).says, [[], [flat]]);
  assert.deepEqual(judged(rules, seen('20:54:00'), seen('20:55:00'), seen('20:00:00'), seen('20:55:01')).says, [
    [],
    [flat],
    [],
    [],
  ]);
  // A guard that starts later does not make up for it; one that was stopped for hours only reports it.
  assert.deepEqual(judged(rules, seen('21:00:00')).says, [[]]);
  const late = judged(rules, seen('20:00:00'), seen('22:00:00'));
  assert.deepEqual(late.says[1], ['A flat time was missed (16:55); nothing was closed']);
  assert.deepEqual(kindsOf(late.state), [[]]);
});

test('a price fires when it is reached, and again only after a minute on the other side', () => {
  const rules = '[price]\nmarket = "BTC"\nabove = 110\nbelow = 90\n';
  const seen = (mark: number, after: number) => view({ time: noon + after, marks: new Map([[btc, mark]]) });
  const { says } = judged(
    rules,
    seen(109.9, 0),
    seen(110, 1),
    seen(109, 2),
    seen(110, 3),
    seen(109, 4),
    seen(109, 4 + minute),
    seen(90, 5 + minute),
  );
  assert.deepEqual(says, [[], ['BTC is at 110, above 110'], [], [], [], [], ['BTC is at 90, below 90']]);
});

test('the breach rule fires when a common move of the marks would reach a floor', () => {
  const held = (size: number) => view({ positions: [position({ size, entry_price: 100 })] });
  const { says } = judged('[breach]\nwithin = "2%"\n', held(1_000), held(1_500));
  assert.deepEqual(says, [[], ['A move of -2% in every market would breach the account']]);
});

test('unknown positions are not none: rules about them wait, what they remember is kept, and the others are judged', () => {
  const rules = parseRules('[breach]\nwithin = "2%"\n[daily-stop]\nloss = "500usd"\n', 'guard.toml');
  const before = {
    ...freshState,
    best: { pos_1: 7 },
    holding: Object.fromEntries(rules.rules.map(({ id }) => [id, {}])),
  };
  const blind = view({
    ...{ time: noon + hour, positions: [], account: account({}, { equity: 99_000 }) },
    counts: { ...view().counts, positions: false, marks: false },
  });
  const after = judge(rules, blind, before);
  assert.deepEqual([after.best, after.holding], [before.best, before.holding]);
  assert.deepEqual(
    after.tasks.map(({ rule }) => rule),
    ['daily-stop'],
  );
});

test('the breach rule counts what a TWAP has not sent yet', () => {
  const twap = { id: 'twap_1', market_id: btc, side: 'buy', total_size: 600, filled_size: 100, status: 'running' };
  const terms = { leverage: 10, margin_mode: 'cross', reduce_only: false, activated_at: noon };
  const held = { positions: [position({ size: 1_000, entry_price: 100, leverage: 10 })] };
  const { says } = judged(
    '[breach]\nwithin = "2%"\n',
    view(held),
    view({ ...held, twaps: [{ ...twap, ...terms } as never] }),
  );
  assert.deepEqual(says, [[], ['A move of -1.99% in every market would breach the account']]);
});

test('every fill is reported once; fills before the first check are not', () => {
  const fill = (id: string) => ({ ...position(), id, side: 'buy', fill_price: 100 }) as never;
  const { says } = judged(
    '[fills]\n',
    view({ fills: [fill('ord_1')] }),
    view({ fills: [fill('ord_1'), fill('ord_2')] }),
    view({ fills: [fill('ord_1'), fill('ord_2')] }),
  );
  assert.deepEqual(says, [[], ['Filled: buy 1 BTC at 100'], []]);
});

test('a fill rule added later does not report earlier fills', () => {
  const seen = view({ fills: [{ ...position(), id: 'ord_1', side: 'buy', fill_price: 100 } as never] });
  const before = judged('', view()).state;
  const after = judge(parseRules('[fills]\n', 'guard.toml'), seen, before);
  assert.deepEqual(after.tasks, []);
});

test('a heartbeat that stops fires once, and again after it was back for a minute', () => {
  const rules = '[heartbeat]\nfile = "/x"\nmax-age = "60s"\n';
  const silent = (ms: number, after: number) => view({ time: noon + after, silences: new Map([['/x', ms]]) });
  const { says, state } = judged(
    rules,
    silent(59_999, 0),
    silent(60_000, 1),
    silent(70_000, 2),
    silent(0, 3),
    silent(0, 3 + minute),
    silent(60_000, 4 + 2 * minute),
  );
  assert.deepEqual(
    says.map(({ length }) => length),
    [0, 1, 0, 0, 0, 1],
  );
  assert.deepEqual(kindsOf(state)[0], ['flatten']);
});

test('an account that has ended is reported once', () => {
  const ended = view({ account: account({ status: 'failed' }) });
  assert.deepEqual(judged('', ended, ended).says, [['The account is failed; nothing is left to guard'], []]);
});

test('the judged equity is the worse of the host’s and the one at own marks; what does not count is left out', () => {
  const stop = '[daily-stop]\nloss = "1000usd"\n';
  const held = (mark: number | undefined, equity: number | null, counts: Partial<GuardView['counts']> = {}) =>
    view({
      positions: [position({ size: 100, entry_price: 100 })],
      marks: mark === undefined ? new Map() : new Map([[btc, mark]]),
      account: account({}, { equity }),
      counts: { ...view().counts, ...counts },
    });
  const table: [seen: GuardView, fires: boolean][] = [
    [held(100, 100_000), false],
    [held(100, 98_000), true],
    [held(80, 100_000), true],
    [held(100, 98_000, { host: false }), false],
    [held(80, 100_000, { marks: false }), false],
    [held(undefined, 98_000), true],
    [held(undefined, 100_000), false],
    [held(80, null), true],
    [held(undefined, null), false],
    [held(Number.NaN, null), false],
  ];
  for (const [nth, [seen, fires]] of table.entries())
    assert.equal(judged(stop, seen).says[0]!.length, fires ? 1 : 0, `row ${nth}`);
});

test('a position that is in both lists is one trade', () => {
  const seen = view({ positions: [position()], closed: [closed('pos_1', 5)] });
  assert.deepEqual(judged('[max-trades]\ntrades = 2\n', seen).says, [[]]);
});

test('what appears in an account that was locked and flattened is closed again, until the lock ends', () => {
  const rules = parseRules('[max-trades]\ntrades = 1\ndo = ["lock", "flatten"]\n', 'guard.toml');
  let state = judge(rules, view({ positions: [position()] }), freshState);
  const until = state.tasks[0]!.steps[0]!.until!;
  const flat = () => {
    state = { ...state, tasks: [] };
  };
  const opened = (time: number, exposed = true) => {
    const known = state.tasks.length;
    state = judge(rules, view({ time, exposed, positions: [position({ id: 'pos_9' })] }), state);
    return state.tasks.slice(known).map(({ steps }) => steps.map(({ kind }) => kind));
  };
  assert.deepEqual(opened(noon + 1_000), [], 'it is still being flattened');
  flat();
  assert.deepEqual(opened(noon + 2_000, false), []);
  assert.deepEqual(opened(noon + 3_000), [['flatten']]);
  flat();
  assert.deepEqual(opened(noon + 20_000), [['flatten']]);
  flat();
  assert.deepEqual(opened(until), []);
});

test('of several locks with a flat account, the one that ends last counts, in whatever order they begin', () => {
  const closing = 'do = ["lock", "flatten"]\n';
  const soon = `[no-trade]\nhours = "11:00-14:00"\n${closing}`;
  const late = `[max-trades]\ntrades = 1\n${closing}`;
  const zone = 'zone = "America/New_York"\n';
  const ends = (rules: string, ...views: GuardView[]) => judged(`${zone}${rules}`, ...views).state.flat?.until;
  const traded = view({ time: noon + minute, positions: [position()] });
  const [end, midnight] = [noon + 2 * hour, at('2026-06-11T04:00:00Z')];
  assert.equal(ends(soon, view({})), end);
  assert.equal(ends(late, traded), midnight);
  for (const rules of [soon + late, late + soon]) {
    assert.equal(ends(rules, traded), midnight, 'at once');
    assert.equal(ends(rules, view({}), traded), midnight, 'the later one second');
    assert.equal(ends(rules, view({ time: noon - 2 * hour, positions: [position()] }), view({})), midnight);
  }
});

test('days of 23 and of 25 hours are one day', () => {
  const rules = '[max-trades]\ntrades = 1\n';
  for (const [first, last, next] of [
    ['2026-03-08T05:00:00Z', '2026-03-09T03:59:59Z', '2026-03-09T04:00:00Z'],
    ['2026-11-01T04:00:00Z', '2026-11-02T04:59:59Z', '2026-11-02T05:00:00Z'],
  ] as const) {
    const seen = (time: string) => view({ time: at(time), positions: [position({ opened_at: at(time) })] });
    const { says, state } = judged(rules, seen(first), seen(last), seen(next));
    assert.deepEqual(
      says.map(({ length }) => length),
      [1, 0, 1],
      first,
    );
    assert.equal(state.tasks[0]!.steps[0]!.until, at(next));
  }
});

test('judging the same view again, or after a restart, adds nothing', () => {
  const rules = parseRules(
    'exec = "x"\n[daily-stop]\nloss = "1usd"\n[max-trades]\ntrades = 1\n[price]\nmarket = "BTC"\nbelow = 100\n',
    'guard.toml',
  );
  const seen: GuardView = view({ positions: [position({ entry_price: 110 })] });
  const once = judge(rules, seen, freshState);
  assert.equal(once.tasks.length, 3);
  assert.deepEqual(judge(rules, seen, once), once);
  assert.deepEqual(judge(rules, seen, JSON.parse(JSON.stringify(once))), once);
});
