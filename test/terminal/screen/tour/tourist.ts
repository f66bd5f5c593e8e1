import { join } from 'node:path';
import type { Desk } from '../../cli/practice.ts';
import { Emulator } from '../emulator.ts';

const heading = /^Tour, .*$/m;
const prompt = /\b(Press|Type): (\S+)/;
const keys: Readonly<Record<string, string>> = { Enter: 'return', Escape: 'escape' };

/** Someone who takes `perp tour` on a terminal, and does only what it shows. */
export class Tourist {
  readonly screen: Emulator;
  readonly run: ReturnType<Desk['perp']>;

  constructor(desk: Desk, size: readonly [columns: number, rows: number], variables: Record<string, string> = {}) {
    this.screen = new Emulator(...size);
    this.run = desk.perp(['tour'], {
      terminal: true,
      screen: this.screen,
      variables: { LANG: 'C.UTF-8', ...variables },
    });
  }

  /** Does what is shown until the screen matches. */
  async until(done: RegExp): Promise<string> {
    while (true) {
      const shown = await this.screen.shows(prompt);
      if (done.test(shown)) return shown;
      const [asked, act, what = ''] = prompt.exec(shown)!;
      if (what !== 'nothing') this.screen.press(...(act === 'Type' ? what : [keys[what] ?? what]));
      const before = `${heading.exec(shown)} ${asked}`;
      for (let now = before; now === before; ) {
        const next = await this.screen.shows(prompt);
        now = `${heading.exec(next)} ${prompt.exec(next)![0]}`;
        await new Promise((wait) => setTimeout(wait, 10));
      }
    }
  }
}

/** What a command of the tour's own simulation prints. */
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the commands print.
export async function inTour(desk: Desk, ...argv: string[]): Promise<any> {
  const variables = { PERP_STATE_DIR: join(desk.variables.PERP_STATE_DIR!, 'tour') };
  return (await desk.perp([...argv, '--state', 'tour', '--json'], { variables })).json;
}
