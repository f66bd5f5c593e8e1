/** Programs in other languages: each has the same outcome at a served simulation and through a gate. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { env, here, perp, ran, run, served, start } from './common.mjs';

const program = (name) => join(here, 'programs', name);
/** Debian's Python is the one that has Debian's libraries. */
const python = '/usr/bin/python3';
const programs = {
  "Python's urllib": [python, program('order.py'), 'urllib'],
  requests: [python, program('order.py'), 'requests'],
  httpx: [python, program('order.py'), 'httpx'],
  aiohttp: [python, program('order.py'), 'aiohttp'],
  "Java's own client": ['java', program('Order.java')],
};
const outcome = [[201, 'resting'], [200, true], [[true, true]], [200, true], [409, 'order_terminal']];

describe('an order is placed under a key, asked for again, found and canceled', { timeout: 120_000 }, () => {
  const places = {};

  before(async () => {
    places['at a served simulation'] = await served();
    await ran('mandate', 'add', 'bot');
    // Only a person signs, on a terminal.
    const signing = run('script', ['-qec', `${process.execPath} ${perp} mandate sign bot`, '/dev/null'], {
      env,
      timeout: 60_000,
    });
    const { stdin, stdout } = signing.child;
    stdout.on('data', (text) => text.includes('put it in force') && stdin.write('sign bot\r'));
    await signing;
    const { api_key: key } = JSON.parse(await ran('gate', 'key', 'add', 'bot', '--json'));
    const { address } = await start(
      /"url":"([^"]+)"/,
      perp,
      'gate',
      'serve',
      '--mandate',
      'bot',
      '--port',
      '0',
      '-o',
      'ndjson',
    );
    places['through a gate'] = { address, key };
  });

  for (const place of ['at a served simulation', 'through a gate'])
    for (const [name, [file, ...words]] of Object.entries(programs))
      it(`by ${name}, ${place}`, async () => {
        const { address, key } = places[place];
        const at = { ...env, PERP_BASE_URL: address, PERP_API_KEY: key };
        assert.deepEqual(JSON.parse((await run(file, words, { env: at })).stdout), outcome);
      });
});
