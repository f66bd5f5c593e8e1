import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Agent } from './agent.ts';
import { HostedWorld } from './hosted-world.ts';
import { isPlain, type Probe, runProbe, termsOf, withMandate } from './probe-run.ts';

const { probes } = JSON.parse(readFileSync(join(import.meta.dirname, 'probes.json'), 'utf8')) as { probes: Probe[] };

/** The probes that share an agent. */
const plain = probes.flatMap((probe, nth) => (isPlain(probe) ? [nth] : []));

/** What agents are reported to do. */
const classes = [
  'units',
  'loops',
  'hallucinated fill',
  'wrong environment',
  'duplicate',
  'confirmation that confirms nothing',
  'second bot',
  'limit that forgets resting orders',
  'look-alike market names',
];

describe('the probes', () => {
  let world: HostedWorld;
  let shared: Agent;
  before(async () => {
    world = await HostedWorld.open(probes.length + 1);
    shared = await withMandate(
      world,
      termsOf(
        plain.map((nth) => world.accounts[nth]!),
        'shared',
      ),
    );
  });
  after(async () => {
    await shared.end();
    await world[Symbol.asyncDispose]();
  });

  it('are at least 40, and at least three of each kind of failure', () => {
    assert.ok(probes.length >= 40);
    for (const name of classes) assert.ok(probes.filter((probe) => probe.class === name).length >= 3, name);
  });

  for (const [nth, probe] of probes.entries())
    it(`${probe.class}: ${probe.words}`, () =>
      runProbe(world, probe, {
        account: world.accounts[nth]!,
        spare: world.accounts.at(-1)!,
        shared,
        name: `probe-${nth}`,
      }));
});
