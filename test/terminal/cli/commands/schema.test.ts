import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { outputs } from '../../../../src/terminal/cli/schemas/outputs.ts';
import { it, trial } from '../../../tiers.ts';
import { commands, Desk } from '../practice.ts';

describe('perp schema', () => {
  it('knows every command', async () => {
    const { summaries } = await commands();
    assert.deepEqual(Object.keys(outputs).sort(), [...summaries.keys()].sort(), 'give each its output in outputs.ts');
  });

  trial('says what a line of a batch takes: what fits it is accepted there, and what does not is refused', async () => {
    using desk = new Desk();
    const { args } = await desk.json('schema', 'order', 'place');
    const fits = new Ajv2020({ strict: false }).compile(args);
    const lines: object[] = [
      { market: 'BTC', side: 'buy', size: 0.01, limit_price: 20000, dry_run: true },
      { market: 'BTC', side: 'sell', size: '500usd', take_profit: '2%', stop_loss: '1%', idempotency_key: 'k' },
      { market: 'BTC', side: 'up', size: 1 },
      { market: 'BTC', size: 1 },
      { market: 'BTC', side: 'buy', size: 1, limit_prize: 1 },
    ];
    const input = lines.map((line) => JSON.stringify({ command: 'order place', args: line })).join('\n');
    const { out, err } = await desk.perp(['batch'], { input: Readable.from([Buffer.from(input)]) });
    assert.notEqual(out, '', err);
    const answers = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      answers.map(({ exit }) => exit !== 2),
      lines.map((line) => fits(line)),
    );
  });

  it('has the operations of the API, too, and suggests what was meant', async () => {
    using desk = new Desk();
    const operation = await desk.json('schema', 'createOrder');
    assert.deepEqual([operation.method, operation.path, operation.idempotent], ['POST', '/v1/orders', true]);
    assert.equal((await desk.json('schema', 'order')).command, 'order list');
    const run = await desk.perp(['schema', 'order', 'plaice']);
    assert.equal(run.exit, 2);
    assert.match(run.err, /Did you mean order place/);
  });
});
