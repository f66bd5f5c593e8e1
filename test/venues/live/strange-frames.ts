import assert from 'node:assert/strict';
import type { VenueName } from '../../../src/base/terms/venues.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { drawnFrame } from '../../frames/drawn-frames.ts';
import { LiveScene } from './live-scene.ts';

/**
 * A venue that sends drawn frames among its own, until there were `count`: none crashes the feed, each that can't be
 * read is told and the connection renewed, and every market is live with the venue's book once the venue is well.
 * Returns how many frames could not be read.
 */
export async function strangeFrames(venue: VenueName, seed: number, count: number): Promise<number> {
  const scene = await LiveScene.open(venue, { seed, partBytes: 20_000 });
  const chance = new Chance(seed);
  let drawn = 0;
  let garbled = 0;
  let reconnects = 0;
  try {
    scene.world.route.down = (text) => {
      // A plain word is no frame to draw from.
      if (!text.startsWith('{') || drawn >= count || !chance.chance(0.2)) return [{ text, afterMs: 0 }];
      drawn += 1;
      return [{ text: drawnFrame([JSON.parse(text)], chance), afterMs: 0 }];
    };
    for (let seconds = 0; drawn < count && seconds < 60 * count; seconds += 5) await scene.run(5_000);
    delete scene.world.route.down;
    for (const connection of scene.connections()) {
      garbled += connection.garbled;
      reconnects += connection.reconnects;
    }
    assert.equal(drawn, count, `only ${drawn} frames`);
    assert.ok(reconnects >= garbled, `${garbled} frames could not be read, ${reconnects} connections renewed`);
    // A frame may be well formed and false: the books begin again.
    for (const socket of scene.server.subscriptions.keys()) socket.close('maintenance');
    await scene.run(45_000);
    await scene.world.pass(400);
    scene.checkHealed();
    return garbled;
  } catch (error) {
    throw new Error(`${venue}, seed ${seed}, frame ${drawn}: ${(error as Error).message}`, { cause: error });
  } finally {
    await scene.close();
  }
}
