import { setTimeout as delay } from 'node:timers/promises';
import type { Desk, Run } from '../cli/practice.ts';
import { Emulator } from './emulator.ts';

/** A clock that stands still until a test moves it, so that no slow machine disarms any keys. */
export interface TestClock {
  uptime: number;
  wall: number;
}

/** A running `perp ladder BTC`, with keys that can be armed; it ends with its test. */
export class Armory implements AsyncDisposable {
  readonly screen: Emulator;
  readonly clock: TestClock;
  readonly run: Promise<Run>;

  private constructor(screen: Emulator, clock: TestClock, run: Promise<Run>) {
    this.screen = screen;
    this.clock = clock;
    this.run = run;
  }

  /** Opens it, and waits for both streams, the account and the book. */
  static async opened(
    desk: Desk,
    { variables = {}, size = [100, 30] }: { variables?: Record<string, string>; size?: [number, number] } = {},
  ): Promise<Armory> {
    const screen = new Emulator(...size);
    const clock: TestClock = { uptime: 1_000, wall: Date.now() };
    const run = desk.perp(['ladder', 'BTC'], {
      terminal: true,
      screen,
      variables: { LANG: 'C.UTF-8', ...variables },
      outside: { uptime: () => clock.uptime, now: () => clock.wall + clock.uptime },
    });
    await screen.shows(/connected\n[\s\S]*equity \d[\s\S]*ladder[\s\S]*\d\.\d/);
    return new Armory(screen, clock, run);
  }

  /** Types a line that arms the keys, and agrees to it. */
  async arm(line: string): Promise<void> {
    this.screen.press('A');
    await this.screen.shows(/> arm/);
    this.screen.press(...Array.from({ length: 120 }, () => 'backspace'), ...line, 'return');
    await this.screen.shows(/Arm the\s+keys\?[\s\S]*\(y\/N\)|Arm[\s\S]*keys\? \(y\/N\)/);
    this.screen.press('y');
    await this.screen.shows(/ARMED/);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    let isOver = false;
    void this.run.then(
      () => {
        isOver = true;
      },
      () => {
        isOver = true;
      },
    );
    while (!isOver) {
      this.screen.press('escape', 'q');
      await delay(20);
    }
  }
}

/** The working limit orders. */
export async function rested(desk: Desk) {
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the commands print.
  const orders: any[] = await desk.json('order', 'list');
  return orders.filter((order) => order.type === 'limit');
}
