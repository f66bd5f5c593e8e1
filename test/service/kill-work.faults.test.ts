import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { defaultState } from '../../src/base/terms/state-names.ts';
import { stateFiles } from '../../src/service/state/state-directory.ts';
import { Work, works } from './interrupted-work.ts';
import { temporaryDirectory } from './temporary-directory.ts';

type Name = keyof typeof works;

const kills = process.env.PERP_LONG ? 100 : 5;
const program = fileURLToPath(new URL('programs/work.ts', import.meta.url));

/** Runs the program on a state, and kills it after this long unless it has finished. */
async function run(stateDir: string, name: Name, killAfterMs: number | null) {
  const child = spawn(process.execPath, [program, stateDir, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  await once(createInterface(child.stdout), 'line');
  const begun = performance.now();
  if (killAfterMs !== null) {
    await delay(killAfterMs);
    child.kill('SIGKILL');
  }
  const [code, signal] = await exit;
  assert.ok(code === 0 || signal === 'SIGKILL', `the program ended with ${code ?? signal}`);
  return { wasKilled: signal === 'SIGKILL', tookMs: performance.now() - begun };
}

/** Every row of every table, and the hash of what is open. */
async function stateAt(stateDir: string) {
  const { hash, close } = await Work.open(stateDir);
  const open = hash();
  close();
  const database = new DatabaseSync(stateFiles(stateDir, defaultState).database, { readOnly: true });
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const tables = names.map(({ name }) => {
    const rows = database.prepare(`SELECT * FROM "${name}"`).all();
    return [name, rows.map((row) => JSON.stringify(row, bigintAsText)).sort()] as const;
  });
  database.close();
  return { open, tables: Object.fromEntries(tables) as Record<string, string[]> };
}

const bigintAsText = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);

/** Does the work from its start; some or all of it may be done already. */
async function finished(stateDir: string, name: Name) {
  const { work, close } = await Work.open(stateDir);
  await works[name].act(work);
  close();
  return stateAt(stateDir);
}

const told: Record<Name, string> = {
  slices: 'a TWAP and a VWAP under way',
  bulk: 'cancel-all and close-all',
  copies: 'copies of a lead',
};

for (const name of Object.keys(works) as Name[])
  test(`killed during ${told[name]} and resumed, the state equals that of an uninterrupted run: ${kills} times`, async (t) => {
    const fresh = temporaryDirectory(t);
    const beginning = await Work.open(fresh, 'prepare');
    await works[name].prepare(beginning.work);
    beginning.close();
    const copyOfFresh = () => {
      const stateDir = temporaryDirectory(t);
      cpSync(fresh, stateDir, { recursive: true });
      return stateDir;
    };
    const whole = copyOfFresh();
    let { tookMs } = await run(whole, name, null);
    const expected = await stateAt(whole);
    assert.deepEqual(await finished(whole, name), expected, 'repeating all of it changes nothing');
    assert.ok(expected.tables.orders!.length > 10, 'enough orders to compare');

    for (let hits = 0, runs = 0; hits < kills; runs += 1) {
      assert.ok(runs < 5 * kills, `only ${hits} of ${runs} kills came before the end`);
      const stateDir = copyOfFresh();
      const killAfterMs = (((runs * 37) % 101) / 101) * tookMs;
      const outcome = await run(stateDir, name, killAfterMs);
      if (outcome.wasKilled) hits += 1;
      else tookMs = Math.min(tookMs, outcome.tookMs);
      try {
        assert.deepEqual(await finished(stateDir, name), expected);
      } catch (error) {
        t.diagnostic(`it was killed ${killAfterMs} ms after its start`);
        throw error;
      }
    }
  });
