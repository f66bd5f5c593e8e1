import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { serve } from '../../../../src/service/serve.ts';
import { Desk } from '../practice.ts';

const terms = '--leverage 5 --margin cross';

/** Lines that are judged by what those before them do, and what becomes of each. */
const batches: Readonly<Record<string, readonly (readonly [line: string, outcome: string])[]>> = {
  'a refused opposite line lets nothing through': [
    [`order place BTC buy 2 --stop-loss 2% ${terms}`, 'filled'],
    // It would close the position, but crosses the book without --cross-ok.
    [`order place BTC sell 2 --limit-price 30000 ${terms}`, 'rule_violation'],
    [`order place BTC buy 2 --stop-loss 2% --replace-exits ${terms}`, 'worst_case_breach'],
  ],
  'a refused line of the same side counts for nothing': [
    [`order place BTC buy 2 --stop-loss 2% ${terms} --client-order-id one`, 'filled'],
    ['order cancel no-such-order', 'not_found'],
    [`order place BTC buy 9 --stop-loss 2% --replace-exits ${terms}`, 'worst_case_breach'],
    [`order place BTC buy 0.2 --stop-loss 2% --replace-exits ${terms}`, 'filled'],
  ],
  'each line counts those before it': [
    [`order place BTC buy 1 --stop-loss 2% ${terms}`, 'filled'],
    [`order place BTC buy 1 --stop-loss 2% --replace-exits ${terms}`, 'filled'],
    [`order place BTC buy 1 --stop-loss 2% --replace-exits ${terms}`, 'worst_case_breach'],
    [`order place ETH sell 1 --stop-loss 1% ${terms}`, 'filled'],
    ['positions close BTC', 'filled'],
    [`order place BTC sell 1 --stop-loss 2% ${terms}`, 'filled'],
  ],
};

interface Answer {
  readonly data?: { status?: string };
  readonly error?: { code: string; message: string; details?: Record<string, number> };
}

/** What a batch answers in a copy of a simulation that stands still; `isServed`: over HTTP. */
async function answers(t: TestContext, start: Desk, lines: readonly string[], isServed: boolean): Promise<Answer[]> {
  using desk = new Desk();
  cpSync(join(start.folder, 'state'), join(desk.folder, 'state'), { recursive: true });
  const served = isServed
    ? await serve({ stateDir: join(desk.folder, 'state'), port: 0, sandboxPort: 0, drainMs: 50 })
    : undefined;
  if (served !== undefined) t.after(() => served.stop());
  const file = join(desk.folder, 'lines');
  writeFileSync(file, lines.join('\n'));
  const { out, err } = await desk.perp(['batch', file]);
  await served?.stop();
  assert.equal(out.trim().split('\n').length, lines.length, err);
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
}

for (const [name, lines] of Object.entries(batches))
  test(`a batch is told the same over HTTP as in process: ${name}`, { timeout: 120_000 }, async (t) => {
    const typed = lines.map(([line]) => line);
    using start = new Desk();
    await start.json('sim', 'reset', '--clock', 'manual', '--seed', '3', '--yes');
    const [inProcess, served] = [await answers(t, start, typed, false), await answers(t, start, typed, true)];
    const told = (all: readonly Answer[]) =>
      all.map(({ data, error }) => [error?.code ?? data?.status, error?.message, error?.details]);
    assert.deepEqual(told(served), told(inProcess));
    assert.deepEqual(
      inProcess.map(({ data, error }) => error?.code ?? data?.status),
      lines.map(([, outcome]) => outcome),
    );
  });
