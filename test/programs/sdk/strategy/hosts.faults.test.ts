import { test } from 'node:test';
import fc from 'fast-check';
import { type DrawnPlan, drawnPlan } from './drawn-strategy.ts';
import { assertSameOnEveryHost } from './same-on-every-host.ts';

const runs = process.env.PERP_LONG ? 300 : 4;

test('any strategy does the same, to the byte, on the engine, in a simulation and over HTTP', async () => {
  const same = async (plan: DrawnPlan) => void (await assertSameOnEveryHost(plan, 5_000, ['process', 'http']));
  await fc.assert(fc.asyncProperty(drawnPlan, same), { numRuns: runs });
});
