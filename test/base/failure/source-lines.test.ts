import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, before, describe } from 'node:test';
import { sourceStack, thrownAt } from '../../../src/base/failure/report.ts';
import { BuiltRun, buildPerp, machine } from '../../terminal/cli/built-perp.ts';
import { it, trial } from '../../tiers.ts';

const root = resolve(import.meta.dirname, '../../..');
const { variables, remove } = machine();
after(remove);

/** Node with a clock that throws: acts like a bug of ours in any file that reads the time. */
const brokenClock = `data:text/javascript,${encodeURIComponent("Date.now=()=>{throw new RangeError('no time')}")}`;

function lineAt(place: string): string {
  const [, file, line] = /^(src\/[\w/.-]+\.ts):(\d+)/.exec(place) ?? [];
  return readFileSync(resolve(root, file!), 'utf8').split('\n')[Number(line) - 1]!;
}

describe('a bug in the installed perp', () => {
  before(buildPerp);

  it('gives the file and line of the source', async () => {
    const { exit, err } = await new BuiltRun(['order', 'place', 'BTC', 'buy', '0.01', '--yes'], {
      ...variables,
      NODE_OPTIONS: `--import=${brokenClock}`,
    }).ended;
    assert.equal(exit, 1);
    const [, place] = /^Error: A bug in perp at (src\/\S+): no time$/m.exec(err) ?? [];
    assert.ok(place, err);
    assert.match(lineAt(place), /now\(\)/);
  });

  trial('with --debug, shows the location of every call, without folders of this machine', async () => {
    const { err } = await new BuiltRun(['order', 'place', 'BTC', 'buy', '0.01', '--yes', '--debug'], {
      ...variables,
      NODE_OPTIONS: `--import=${brokenClock}`,
    }).ended;
    const places = [...err.matchAll(/\((src\/\S+:\d+):\d+\)/g)].map(([, place]) => place!);
    assert.ok(places.length > 3, err);
    for (const place of places) assert.ok(lineAt(place).trim(), place);
    assert.doesNotMatch(err, /dist\/|file:\/\/\//);
  });
});

describe('the stack of an error', () => {
  it('has source files when running without a build', () => {
    const stack = `TypeError: no\n    at walk (file:///home/me/perp/src/exchange/engine/book/walk.ts:12:3)\n    at node:internal/x:1:1`;
    const error = Object.assign(new TypeError('no'), { stack });
    assert.equal(thrownAt(error), 'src/exchange/engine/book/walk.ts:12');
    assert.match(sourceStack(error), /at walk \(src[\w/]+\/walk\.ts:12:3\)\n {4}at node:internal\/x:1:1$/);
  });

  it('has the bundle if there is no source map', () => {
    const error = Object.assign(new Error('no'), {
      stack: 'Error: no\n    at x (file:///opt/perp/dist/chunks/a.js:1:20)',
    });
    assert.equal(thrownAt(error), 'dist/chunks/a.js:1:20');
    assert.match(sourceStack(error), /\(dist\/chunks\/a\.js:1:20\)/);
  });

  it('may be missing', () => {
    const error = Object.assign(new Error('no'), { stack: undefined });
    assert.equal(sourceStack(error), '');
  });
});
