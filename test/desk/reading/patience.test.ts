import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../src/base/failure/failure.ts';
import { Patience } from '../../../src/desk/reading/wait.ts';

const down = (message: string) => new Failure({ code: 'unavailable', message });

test('a service that stays away is said once, and once a minute; another reason at once', async () => {
  const said: string[] = [];
  let now = 0;
  const patience = new Patience(
    (text) => said.push(text),
    () => now,
  );
  const { signal } = new AbortController();
  const asked = (answer: () => Promise<number>) => patience.ask(answer, signal);
  for (; now < 90_000; now += 1_000) assert.equal(await asked(() => Promise.reject(down('It is down.'))), undefined);
  assert.deepEqual(said, ['It is down. Still waiting.', 'It is down. Still waiting.']);
  await asked(() => Promise.reject(down('It is busy.')));
  assert.equal(said.at(-1), 'It is busy. Still waiting.');
  assert.equal(await asked(async () => 5), 5);
  await asked(() => Promise.reject(down('It is busy.')));
  assert.equal(said.length, 4, 'after an answer, it is said again');
  await assert.rejects(asked(() => Promise.reject(new Failure({ code: 'usage', message: 'No.' }))));
  await assert.rejects(patience.ask(() => Promise.reject(down('It is down.')), AbortSignal.abort()));
});
