import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readLock } from '../../../src/desk/lock/trading-lock.ts';
import { untilOf, writers } from './programs/write.ts';

const program = join(import.meta.dirname, 'programs/write.ts');
const folder = mkdtempSync(join(tmpdir(), 'perp-shared-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const rounds = process.env.PERP_LONG === '1' ? 200 : 5;
/** Each round starts ten processes. */
const timeout = rounds * 30_000;
const atOnce = 10;
const changes = 2;

/** Where each writer's changes are found; undefined: the last one counts. */
const places: Readonly<Record<string, ((nth: string) => readonly [glob: string, text: string]) | undefined>> = {
  config: (nth) => ['config/config.json', `"profiles.p${nth}.env"`],
  'saved plans': (nth) => ['config/plans.json', `"plan${nth}"`],
  'plans in place': (nth) => ['state/plans.json', `"position_id":"${nth}"`],
  endings: (nth) => ['state/endings.json', `"s${nth}"`],
  remembered: (nth) => ['state/completion.json', `"k${nth}"`],
  journal: (nth) => ['state/journal/*/pos.json', `"t${nth}"`],
  logins: (nth) => ['state/logins.json', `https://h${nth}.example`],
  credentials: (nth) => ['state/credentials.json', `https://h${nth}.example`],
  bots: (nth) => ['state/gate/bots.json', `"b${nth}"`],
  bookmarks: (nth) => ['state/day*bookmarks.json', `"m${nth}"`],
  mandates: (nth) => [`state/owner/mandates/bot-${nth}.json`, `bot-${nth}`],
  // The longest of them counts.
  'account lock': undefined,
  'simulation in use': undefined,
  summaries: undefined,
};

test(`ten processes that write every shared file at once, some of them killed, lose nothing they confirmed`, {
  timeout,
}, async () => {
  assert.deepEqual(Object.keys(places).sort(), Object.keys(writers).sort());
  for (let round = 0; round < rounds; round++) {
    const here = join(folder, String(round));
    const env = {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      PERP_CONFIG_DIR: join(here, 'config'),
      PERP_STATE_DIR: join(here, 'state'),
    };
    const run = async (nth: number) => {
      const child = spawn(process.execPath, ['--no-warnings', program, `w${round}n${nth}`, String(changes)], { env });
      // Three of them are killed in the midst of it.
      const killedAfter = nth < 3 ? 4 + 5 * nth : Number.POSITIVE_INFINITY;
      let [out, err] = ['', ''];
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        err += text;
      });
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text;
        if (out.split('\n').length > killedAfter) child.kill('SIGKILL');
      });
      const [exit] = await once(child, 'close');
      assert.ok(exit === 0 || nth < 3, err);
      return out.split('\n').slice(0, -1);
    };
    const confirmed = (await Promise.all(Array.from({ length: atOnce }, (_, nth) => run(nth)))).flat();
    const lost = confirmed.filter((line) => {
      const at = line.lastIndexOf(' ');
      const place = places[line.slice(0, at)]?.(line.slice(at + 1));
      if (place === undefined) return false;
      return !globSync(join(here, place[0])).some((file) => readFileSync(file, 'utf8').includes(place[1]));
    });
    assert.deepEqual(lost, [], `round ${round}`);
    const ends = confirmed.filter((line) => line.startsWith('account lock ')).map((line) => untilOf(line.slice(13)));
    const lock = readLock(join(here, 'state/guard/locks'), 'acc');
    assert.ok(typeof lock === 'object' && lock.until >= Math.max(...ends), `round ${round}: ${JSON.stringify(lock)}`);
    for (const file of globSync(join(here, '**/*.json'))) {
      JSON.parse(readFileSync(file, 'utf8'));
      assert.equal(statSync(file).mode & 0o777, 0o600, file);
    }
  }
});
