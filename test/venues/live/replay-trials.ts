import assert from 'node:assert/strict';
import { test } from 'node:test';
import { venueNames } from '../../../src/base/terms/venues.ts';
import { openTape } from '../../../src/venues/tape/tape-source.ts';
import { LiveScene } from './live-scene.ts';
import { replay, tradeLive } from './live-trading.ts';
import { listLots } from './proof-trials.ts';

/** Cuts all connections. */
const cut = (scene: LiveScene) => {
  for (const socket of scene.server.subscriptions.keys()) socket.close('reset by peer');
};

/** The venue lists lots that are ten times finer, or a tick that is finer or coarser than its prices. */
const redefine = (scene: LiveScene, step: number) => {
  if (step < 40) listLots(scene, 1);
  const tick = { value: step < 20 ? '1' : '0.05', configurable: true };
  for (const market of scene.server.markets) Object.defineProperty(market, 'tick', tick);
  cut(scene);
};

/** Disturbances, by step. */
const days: [what: string, between: (scene: LiveScene, step: number) => Promise<void> | void][] = [
  ['an undisturbed day', () => {}],
  ['a day with cut connections', (scene, step) => (step % 20 === 10 ? cut(scene) : undefined)],
  ['a day with finer lots and a coarser tick', (scene, step) => (step % 20 === 10 ? redefine(scene, step) : undefined)],
  ['a day with two restarts', (scene, step) => (step === 20 || step === 40 ? scene.restart() : undefined)],
];

/**
 * Trades days live, then replays them from their tapes: each kind of day at each venue with every seed, or, as a
 * sample, one kind at each venue.
 */
export function replayTrials(seeds: readonly number[], extent: 'all' | 'sample'): void {
  for (const [kind, [what, between]] of days.entries()) {
    for (const [turn, venue] of venueNames.entries()) {
      if (extent === 'sample' && turn % days.length !== kind) continue;
      test(`${venue}: ${what}, traded live, replays to the same state and the same explanations`, async () => {
        for (const seed of seeds) {
          const scene = await LiveScene.open(venue, { seed, partBytes: 15_000 });
          const story = await tradeLive(scene, seed, 60, (step) => between(scene, step));
          await scene.stop();
          const tape = openTape(scene.tape);
          assert.ok(tape.summaries.length > 3, 'the tape has several parts');
          const again = replay(tape.source, story, seed);
          tape.close();
          scene.remove();
          assert.equal(again.hash, story.hash, `seed ${seed}`);
          assert.deepEqual(again.explanations, story.explanations);
        }
      });
    }
  }
}
