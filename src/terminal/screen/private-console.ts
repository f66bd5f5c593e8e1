import { createInterface } from 'node:readline';
import { Console } from '../console/console.ts';
import type { OwnSimulation } from '../console/open-access.ts';
import type { Settings } from '../console/settings/settings.ts';

/**
 * A console whose folder, simulation and account are a program's own: nothing of the user's is changed. Trading
 * settings apply unless `settings` has them. `own`: a simulation in this process in place of the state's file.
 */
export function privateConsole(
  parent: Console,
  folder: string,
  { state, settings, own }: { state: string; settings: Partial<Settings>; own?: OwnSimulation },
): Console {
  return new Console({
    settings: {
      ...parent.settings,
      environment: 'sim',
      profile: undefined,
      account: undefined,
      accountFrom: undefined,
      baseUrl: undefined,
      apiKeyFile: undefined,
      profileKeyFile: undefined,
      strayOfHost: undefined,
      streams: { market: undefined, account: undefined },
      // Suggestions never concern the user's own simulations.
      ...{ place: '', ofProfile: '', ofAccount: '' },
      output: 'table',
      dryRun: false,
      idempotencyKey: undefined,
      simulation: { state, plain: state, plainFrom: '--state', books: undefined, clock: undefined, speed: undefined },
      ...settings,
    },
    registry: parent.registry,
    lineReader: parent.lineReader,
    outside: { ...parent.outside, variables: { ...parent.variables, PERP_STATE_DIR: folder } },
    interruption: () => parent.signal,
    palette: parent.palette,
    ...(own !== undefined && { own }),
  });
}

/** The lines of standard input, one at a time; undefined after the last one, and from Ctrl-C on. */
export function typedLines({ io, signal }: Console) {
  const reader = createInterface({ input: io.input(), terminal: false, signal });
  const lines = reader[Symbol.asyncIterator]();
  return {
    async next(): Promise<string | undefined> {
      const next = await lines.next();
      return next.done === true ? undefined : String(next.value);
    },
    [Symbol.dispose]: () => reader.close(),
  };
}
