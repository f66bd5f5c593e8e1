import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Failure } from '../../../src/base/failure/failure.ts';
import { parseRules } from '../../../src/desk/guard/rule-file.ts';
import { ruleKinds, rulesTemplate } from '../../../src/desk/guard/rules.ts';
import { test, trial } from '../../tiers.ts';

test('the example file has a valid example of every rule', () => {
  assert.deepEqual(parseRules(rulesTemplate, 'guard.toml').rules, []);
  const text = rulesTemplate.replaceAll(/^# (?=\[|[a-z-]+ = )/gm, '');
  const rules = parseRules(text, 'guard.toml');
  assert.deepEqual(
    rules.rules.map(({ kind }) => kind),
    Object.keys(ruleKinds),
  );
  assert.equal(rules.account, 'acc_1');
});

test('a damaged file is refused with the line and a fix', () => {
  const table: [text: string, line: number, message: RegExp][] = [
    ['[daily-stop]\n', 1, /needs loss/],
    ['\n[daily-stop]\nloss = "2"\n', 3, /loss is "2"/],
    ['[daily-stop]\nloss = "0%"\n', 2, /above zero/],
    ['[daily-stop]\nloss = "100%"\n', 2, /below 100%/],
    ['[daily-stop]\nloss = ["1%", "2%"]\n', 2, /one value/],
    ['[daily-stop]\nloss = true\n', 2, /must be text/],
    ['[breach]\nwithin = "2"\n', 2, /within is "2", not a percentage/],
    ['[daily-stop]\nlos = "2%"\n', 2, /Unknown key "los"/],
    ['[dayly-stop]\nloss = "2%"\n', 1, /Unknown key "dayly-stop"/],
    ['[max-trades]\ntrades = 1.5\n', 2, /not a positive whole number/],
    ['[no-trade]\nhours = "25:00-26:00"\n', 2, /is not a list of hours/],
    ['[no-trade]\nhours = "Sat-Sunday"\n', 2, /is not a list of hours/],
    ['[flatten-before]\ntimes = ["16:60"]\n', 2, /not a time/],
    ['[flatten-before]\ntimes = ["2026-02-30 10:00"]\n', 2, /not a time/],
    ['[price]\nmarket = "BTC"\n', 1, /requires above or below/],
    ['[fills]\ndo = ["lock"]\n', 2, /can't lock/],
    ['[breach]\nwithin = "1%"\ndo = "flaten"\n', 3, /do contains "flaten"/],
    ['[[trail]]\nby = 1\n[[trail]]\nby = 1\n', 3, /repeats the one in line 1/],
    ['[price]\nmarket = "BTC"\nabove = "mark+1%"\n', 3, /above is "mark\+1%", not/],
    ['[price]\nmarket = "BTC"\nbelow = "entry"\n', 3, /below is "entry", not/],
    ['[price]\nmarket = "BTC"\nabove = 0\n', 3, /above zero/],
    ['[[trail]]\nby = "1%"\n[[trail]]\nby = "2%"\n', 3, /the same positions as line 1/],
    ['zone = "Mars/Base"\n', 1, /not a time zone/],
    ['exec = []\n', 1, /contains no program/],
    ['[trail]\nby = 1\n[trail]\nby = 2\n', 3, /multiple times/],
    ['[fills]\n[trail', 2, /./],
    ['[heartbeat]\nfile = "\\u0000"\nmax-age = "1m"\n', 2, /NUL/],
    ['\u0000', 1, /./],
  ];
  for (const [text, line, message] of table)
    assert.throws(
      () => parseRules(text, 'guard.toml'),
      (error) => {
        assert.ok(error instanceof Failure, String(error));
        assert.match(error.message, new RegExp(`^guard.toml, line ${line}: `), text);
        assert.match(error.message, message, text);
        assert.equal(error.facts.exit, 2);
        return true;
      },
      text,
    );
});

test('a rule keeps its id when other lines change', () => {
  const [one] = parseRules('[trail]\nby = 200\n', 'a').rules;
  const [, other] = parseRules('# a comment\n[fills]\n\n[trail]\nby = 200 # more\n', 'b').rules;
  assert.equal(one!.id, other!.id);
  assert.notEqual(one!.id, parseRules('[trail]\nby = "200%"\n'.replace('200%', '2%'), 'a').rules[0]!.id);
});

test('times may be written without quotes', () => {
  const [rule] = parseRules('[flatten-before]\ntimes = [16:55:00, 2026-12-10 08:25:00]\n', 'a').rules;
  assert.deepEqual(rule?.kind === 'flatten-before' && rule.times.map(({ minute, date }) => [minute, date]), [
    [1015, undefined],
    [505, '2026-12-10'],
  ]);
});

test('whatever the file contains, it is read or refused with a line number', () => {
  const words = [
    '[',
    ']',
    '[[',
    ']]',
    '=',
    '"',
    "'",
    '\n',
    ',',
    '.',
    '#',
    '{',
    '}',
    '1',
    '2%',
    '"60s"',
    'true',
    'daily-stop',
  ];
  const more = [
    'loss',
    'trail',
    'by',
    'price',
    'market',
    'above',
    'do',
    'exec',
    'zone',
    '\u0000',
    '\\',
    '1979-05-27',
    '"""',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words, ...more), { maxLength: 20 }), (parts) => {
      try {
        parseRules(parts.join(' '), 'guard.toml');
      } catch (error) {
        assert.ok(error instanceof Failure, `${String(error)}: ${parts.join(' ')}`);
        assert.match(error.message, /^guard.toml, line \d+: /);
      }
    }),
    { numRuns: 300 },
  );
});

trial('lists that nest without end, and rules without number, are refused with a line', () => {
  const deep = `zone = ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`;
  const many = '[[fills]]\n'.repeat(20_000);
  for (const text of [deep, many])
    assert.throws(
      () => parseRules(text, 'guard.toml'),
      (error) => error instanceof Failure && /guard\.toml/.test(error.message),
    );
});
