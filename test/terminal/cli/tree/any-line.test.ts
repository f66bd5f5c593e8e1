import assert from 'node:assert/strict';
import fc from 'fast-check';
import { globalOptions } from '../../../../src/terminal/console/grammar/global-options.ts';
import { anyText } from '../../../any-text.ts';
import { trial } from '../../../tiers.ts';
import { commands, Desk } from '../practice.ts';

const registry = await commands();
// These wait for a person, a browser or a signal, or compute for seconds.
const slow = /^(sim serve|login|logout|batch|sim markets stats)$/;
const paths = [...registry.specs.keys()].filter((path) => !slow.test(path));

const values = fc.oneof(
  fc.constantFrom(
    'BTC',
    'binance:BTCUSDT',
    'xyz:GOLD',
    'buy',
    'sell',
    '0.01',
    '500usd',
    '50%',
    '61000',
    '-1',
    '0',
    '1e400',
    'NaN',
    '30m',
  ),
  fc.constantFrom(
    '',
    '-',
    '--',
    '..',
    '/',
    'none',
    '__proto__',
    "'; DROP TABLE orders; --",
    '\u001b[31m',
    '\u0000',
    'ü',
    'k=5',
    'a:b',
    '|',
  ),
  anyText({ maxLength: 20 }),
);
const waitingOptions = new Set(['watch', 'wait', 'help', 'books', 'state', 'env', 'file', 'out']);

const line = fc.constantFrom(...paths).chain((path) => {
  const options = [...Object.keys(registry.spec(path).options ?? {}), ...Object.keys(globalOptions)].filter(
    (name) => !waitingOptions.has(name),
  );
  const option = fc
    .tuple(fc.constantFrom(...options), values, fc.boolean())
    .map(([name, value, joined]) => (joined ? [`--${name}=${value}`] : [`--${name}`, value]));
  const word = fc.oneof({ weight: 3, arbitrary: values.map((value) => [value]) }, { weight: 2, arbitrary: option });
  return fc.array(word, { maxLength: 6 }).map((words) => [...path.split(' '), ...words.flat(), '--dry-run']);
});

trial('no command line causes a bug or prints control characters', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.05');
  const runs = process.env.PERP_LONG === undefined ? 200 : 10_000;
  await fc.assert(
    fc.asyncProperty(line, async (argv) => {
      const { exit, out, err } = await desk.perp(argv);
      assert.notEqual(exit, 1, err);
      assert.doesNotMatch((out + err).replaceAll('\n', ''), /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }),
    // A stack trace shown by --debug repeats the typed text.
    { numRuns: runs, examples: [[['order', 'cancel', '--debug=\u001b[31m', '--debug', '--dry-run']]] },
  );
  assert.equal((await desk.json('fills')).length, 1, 'a dry run traded');
});
