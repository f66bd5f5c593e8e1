import assert from 'node:assert/strict';
import { writeAnswers, writeCommands } from '../../../wire/client/write-answers.ts';
import { readCommands } from './commands.ts';
import type { Lanes } from './lane.ts';

const deep = `{"data":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;

/** Successful answers that belong to no write: without its fields, without an object, and nested too deep. */
export const wrongBodies: readonly unknown[] = [{ data: {} }, 5, deep];

/** Runs each write against a host that does it, and answers with each of `bodiesOf` the write's number. */
export async function wrongWriteAnswers(lanes: Lanes, bodiesOf: (turn: number) => readonly unknown[]): Promise<void> {
  const cases = Object.entries(writeCommands).flatMap(([id, command], turn) =>
    bodiesOf(turn).map((body, at) => ({
      id,
      command: (turn + at) % 2 === 0 ? command : `${command} --json`,
      body: body ?? '',
    })),
  );
  await lanes.each(cases, async (lane, { id, command, body }) => {
    const run = await lane.run(command, (asked, answer) => (asked === id ? { ...answer, body } : answer));
    const where = `${command}: ${run.exit} ${run.err}`;
    assert.equal(run.exit, 8, where);
    assert.equal(run.out, '', where);
    const kept = await lane.pending();
    assert.deepEqual(
      kept.map(({ operation }) => operation),
      [id],
      where,
    );
    await lane.forget(kept);
  });
}

/**
 * Runs each command against a host with a hostile value in one in `oneIn` fields of its answers; 1: every value in
 * each.
 */
export async function hostileFields(lanes: Lanes, oneIn: number): Promise<void> {
  const cases: { command: string; id: string; path: PathPart[]; value: unknown; where: string }[] = [];
  for (const command of [...readCommands, ...Object.values(writeCommands)]) {
    const bodies = new Map<string, unknown>();
    await lanes.first.run(command, (id, answer) => {
      bodies.set(id, answer.body);
      return answer;
    });
    for (const [id, body] of bodies) {
      for (const [at, path] of pathsOf(body).entries()) {
        // Writes are retried until their answer fits; the client's tests cover the fields.
        const isWrite = id in writeAnswers;
        if (isWrite && (path.length === 1 || path.at(-1)! in (writeAnswers[id]?.identifies ?? {}))) continue;
        const turn = at + command.length;
        const one = turn % oneIn === 0 ? [hostileValues[(turn / oneIn + command.length) % hostileValues.length]] : [];
        for (const value of oneIn === 1 ? hostileValues : one)
          cases.push({ command, id, path, value, where: `${command}, ${id} ${path.join('.')} ${shown(value)}` });
      }
    }
  }
  const ends: Record<number, number> = {};
  const crashes: string[] = [];
  const illegible: string[] = [];
  let named = 0;
  await lanes.each(cases, async (lane, { command, id, path, value, where }) => {
    const run = await lane.run(command, (asked, answer) =>
      asked === id ? { ...answer, body: changed(answer.body, path, value) } : answer,
    );
    ends[run.exit] = (ends[run.exit] ?? 0) + 1;
    if (run.exit === 7 && /can't be read: data\S* must be a number/.test(run.err)) named += 1;
    if (run.exit === 1) crashes.push(`${where}: ${run.err}`);
    const strange = run.out.split('\n').find((line) => /undefined|function|\[object|NaN/.test(line));
    if (strange !== undefined) illegible.push(`${where}: ${strange}`);
    if (Object.values(writeCommands).includes(command)) await lane.forget();
  });
  assert.deepEqual(crashes, []);
  assert.deepEqual(illegible, []);
  const fine = ends[0]! + ends[9]! + named;
  assert.ok(
    fine > 0.9 * cases.length,
    `most are harmless, or refused with their field: ${JSON.stringify({ ...ends, named })}`,
  );
}

type PathPart = string | number;
const gone = Symbol('absent');
const hostileValues: readonly unknown[] = [null, gone, 'constructor', 1e305, {}, [], -1, true];

function shown(value: unknown): string {
  return value === gone ? 'absent' : JSON.stringify(value);
}

/** Every field of a value, and the first item of every list. */
function pathsOf(value: unknown, at: PathPart[] = []): PathPart[][] {
  if (typeof value !== 'object' || value === null) return [];
  const keys: PathPart[] = Array.isArray(value) ? [...value.keys()].slice(0, 1) : Object.keys(value);
  return keys.flatMap((key) => [[...at, key], ...pathsOf((value as Record<PathPart, unknown>)[key], [...at, key])]);
}

function changed(body: unknown, path: readonly PathPart[], value: unknown): unknown {
  const copy = structuredClone(body) as Record<PathPart, never>;
  const parent = path.slice(0, -1).reduce((inside: Record<PathPart, never>, key) => inside[key]!, copy);
  const last = path.at(-1)!;
  if (value === gone) delete parent[last];
  else parent[last] = value as never;
  return copy;
}
