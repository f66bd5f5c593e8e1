import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../../../src/base/failure/failure.ts';
import {
  mandateText,
  type NamedMandate,
  parseMandate,
  suggestedMandate,
  templateOf,
} from '../../../src/desk/mandate/mandate-file.ts';
import { effectiveMandate } from '../../../src/desk/mandate/signed.ts';
import { compared, fieldNames, fields } from '../../../src/desk/mandate/terms.ts';
import { readMarkdown } from '../../../tools/markdown.ts';

const usual = suggestedMandate(
  { name: 'bot', account: 'acc_1', markets: ['binance|BTCUSDT'] },
  { equity: 100_000, room: 3_000, leverage: 3 },
  0,
);

test('the file that is written has every term, and means what it says', () => {
  const text = templateOf(usual).replaceAll(/^# ([a-z-]+ = )/gm, '$1');
  assert.deepEqual(parseMandate(text, 'bot.toml'), usual);
  assert.deepEqual(parseMandate(mandateText(usual), 'bot.toml'), usual);
});

test('docs/mandate.md has a row for each term of a file', () => {
  const { tables } = readMarkdown(readFileSync(resolve(import.meta.dirname, '../../../docs/mandate.md'), 'utf8'));
  const rows = tables.flatMap((table) => (table.columns[0] === 'key' ? table.rows : []));
  const keys = fieldNames.map((field) => `\`${fields[field].key}\``);
  assert.deepEqual(rows.map(([key]) => key).sort(), keys.sort());
});

test('what is wrong in a file is refused with its line', () => {
  const with_ = (line: string) => {
    const key = line.split(' ')[0]!;
    const kept = mandateText(usual)
      .split('\n')
      .filter((one) => !one.startsWith(`${key} `));
    return [...kept, line].join('\n');
  };
  const cases: [line: string, problem: RegExp][] = [
    ['largest-ordr = "5usd"', /"largest-ordr" is not a mandate term/],
    ['largest-order = 500', /without a unit/],
    ['largest-order = "0usd"', /must be above zero/],
    ['largest-order = "nanusd"', /largest-order/],
    ['largest-order = "1e999usd"', /largest-order/],
    ['largest-order = "4000usd"', /above largest-position/],
    ['approve-above = "1000usd"', /no order may be above/],
    ['markets = ["binance|BTCUSDТ"]', /markets contains/],
    ['markets = ["BTC"]', /not the id of a market/],
    ['markets = []', /is empty/],
    ['markets = ["binance|BTCUSDT", "binance|BTCUSDT"]', /twice/],
    ['accounts = ["acc_1\\u001b"]', /accounts contains/],
    ['sides = ["long"]', /sides contains/],
    ['until = "30d"', /is a duration/],
    ['name = "Bot"', /name is "Bot"/],
    ['name = true', /must be text/],
    ['stop-within = "2"', /not a percentage/],
    ['[order]', /no sections/],
    ['largest-order = ', /Unspecified values/],
  ];
  for (const [line, problem] of cases) {
    assert.throws(
      () => parseMandate(with_(line), 'bot.toml'),
      (error) => error instanceof Failure && problem.test(error.message) && error.message.startsWith('bot.toml, line'),
      line,
    );
  }
  assert.throws(() => parseMandate('', 'bot.toml'), /name is missing/);
});

const minute = fc.nat(1_439);
const mandates: fc.Arbitrary<NamedMandate> = fc
  .record(
    {
      accounts: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
      markets: fc.subarray(['x|A', 'x|B'], { minLength: 1 }),
      sides: fc.subarray(['buy', 'sell'] as const),
      largestOrderUsd: fc.nat(1_000).map((value) => value + 1),
      largestPositionUsd: fc.nat(1_000).map((value) => value + 1_001),
      lossPerDayUsd: fc.nat(100).map((value) => value + 1),
      ordersPerMinute: fc.nat(9).map((value) => value + 1),
      until: fc.nat(1_000).map((value) => value * 3_600_000),
      stopWithin: fc.constantFrom(0.01, 0.02, Number.POSITIVE_INFINITY),
      roomLeftUsd: fc.nat(100).map((value) => value + 1),
      hours: fc.array(
        fc
          .record({
            days: fc.subarray([1, 2, 3, 6, 7], { minLength: 1 }),
            from: minute,
            to: minute.map((to) => to + 1),
          })
          .filter(({ from, to }) => from !== to)
          .map((window) => ({ ...window })),
        { minLength: 1, maxLength: 3 },
      ),
    },
    {
      requiredKeys: [
        'accounts',
        'markets',
        'sides',
        'largestOrderUsd',
        'largestPositionUsd',
        'lossPerDayUsd',
        'ordersPerMinute',
        'until',
      ],
    },
  )
  .map((terms) => ({ name: 'bot', ...terms }));

test('whatever a file says, nothing is in force that was not signed, and what is tighter is in force at once', () => {
  fc.assert(
    fc.property(mandates, mandates, (signed, file) => {
      const { mandate, looser } = effectiveMandate({ mandate: signed, signedAt: 0, hash: '' }, file);
      for (const field of fieldNames) {
        assert.notEqual(compared(field, mandate[field], signed[field]), 'looser', field);
        assert.notEqual(compared(field, mandate[field], file[field]), 'looser', field);
        const isLooser = compared(field, file[field], signed[field]) === 'looser';
        assert.equal(
          looser.some((term) => term === field),
          isLooser,
          field,
        );
        if (!isLooser) assert.equal(compared(field, mandate[field], file[field]), 'same', field);
      }
      assert.deepEqual(parseMandate(mandateText(signed), 'bot.toml'), signed);
    }),
    { numRuns: 20 },
  );
});
