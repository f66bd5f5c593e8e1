import type { Ms } from '../../engine/model.ts';
import type { Network } from './network.ts';

/** A wall clock that was set by less than this counts as running on. */
const jumpMs = 1_000;
/** Its speed while the wall clock is behind. */
const slowly = 0.9;

/**
 * The wall clock of a tape, which never goes back. When the machine's clock is set forward, or the machine wakes from
 * sleep, it follows at once; when the machine's clock is set back, it runs at nine tenths of its speed until the other
 * has caught up. So trading goes on.
 */
export class SteadyClock {
  private readonly network: Pick<Network, 'now' | 'uptime'>;
  private wall: Ms;
  private up: Ms;
  private time: number;
  private jump: Ms = 0;

  constructor(network: Pick<Network, 'now' | 'uptime'>) {
    this.network = network;
    this.wall = network.now();
    this.up = network.uptime();
    this.time = this.wall;
  }

  /** Unix ms. */
  now(): Ms {
    return Math.floor(this.exactly());
  }

  /** Unix microseconds. */
  nowUs(): number {
    return Math.floor(this.exactly() * 1_000);
  }

  private exactly(): number {
    const [wall, up] = [this.network.now(), this.network.uptime()];
    const passed = up - this.up;
    const jumped = wall - this.wall - passed;
    if (Math.abs(jumped) >= jumpMs) this.jump += Math.round(jumped);
    this.time = Math.max(wall, this.time + (wall >= this.time ? 1 : slowly) * passed);
    this.wall = wall;
    this.up = up;
    return this.time;
  }

  /** By how much the machine's clock was set since the last call, ms; 0 if it was not. */
  takeJump(): Ms {
    this.now();
    const { jump } = this;
    this.jump = 0;
    return jump;
  }
}
