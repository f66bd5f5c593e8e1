import { join } from 'node:path';
import { type ExitCode, Failure } from '../../../base/failure/failure.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { stateFolder } from '../../../base/files/folders.ts';
import { makePrivateFolder } from '../../../base/files/private-files.ts';
import { allMarkets } from '../../../desk/resolve/market.ts';
import { Console } from '../../console/console.ts';
import type { Result } from '../../console/output/result.ts';
import { plainPalette } from '../../console/output/themes.ts';
import type { Settings } from '../../console/settings/settings.ts';
import type { RawTerminal } from '../../console/terminal/raw-terminal.ts';
import { Journey } from './steps.ts';

/** The name of the tour's simulation, in its own folder. */
const state = 'tour';
/** A smaller terminal gets the tour in lines. */
const least = { columns: 80, rows: 24 };

/** Takes the user on the tour, in a simulation that nothing else uses. `isPlain`: in lines, also on a terminal. */
export async function takeTour(
  parent: Console,
  { isPlain, isRestarted }: { isPlain: boolean; isRestarted: boolean },
): Promise<Result> {
  const folder = join(stateFolder(parent.variables), 'tour');
  makePrivateFolder(folder);
  const progress = join(folder, 'tour.json');
  const console = privateConsole(parent, folder);
  try {
    if (isRestarted) {
      const { resetState } = await import('../../../service/public.ts');
      const { beginning } = parent.outside;
      const onSetAside = (file: string) => parent.note(`The damaged tour was saved as ${file}.`);
      (await resetState({ stateDir: folder, state, beginning, onSetAside })).close();
      new Journey(progress, true).restart();
    }
    await console.call('simSetClock', { body: { running: true } }).catch((error: unknown) => {
      const facts = factsOf(error);
      if (facts.code !== 'store_corrupt') throw error;
      throw new Failure({ ...facts, hint: 'perp tour --restart sets it aside and begins again.' });
    });
    const { io, variables } = parent;
    const terminal = !isPlain && io.stdoutIsTerminal && variables.TERM !== 'dumb' ? await io.terminal?.() : undefined;
    const isScreen = terminal !== undefined && terminal.columns >= least.columns && terminal.rows >= least.rows;
    const journey = new Journey(progress, isScreen);
    let exit: ExitCode | undefined;
    try {
      if (isScreen) exit = await onScreen(console, journey, terminal);
      else await (await import('./tour-lines.ts')).tourLines(console, journey);
    } finally {
      // Its market stands still until the user is back.
      await console.call('simSetClock', { body: { running: false } });
    }
    return { kind: 'text', text: farewell(journey), ...(exit !== undefined && { exit }) };
  } finally {
    await console.close();
  }
}

async function onScreen(console: Console, journey: Journey, terminal: RawTerminal): Promise<ExitCode | undefined> {
  const [{ LiveModel }, { liveScreen }, { TourGuide }] = await Promise.all([
    import('../../../desk/watch/live-model.ts'),
    import('../live-screen.ts'),
    import('./tour-guide.ts'),
  ]);
  const markets = await allMarkets(console);
  const watched = markets.filter(({ symbol }) => symbol === 'BTC');
  const model = new LiveModel({ markets, watched, interval: '1m' });
  const { exit } = await liveScreen(console, model, terminal, { forMs: undefined, guide: new TourGuide(journey) });
  return exit;
}

function farewell({ isOver, place, step, problem }: Journey): string {
  if (isOver) return 'The tour is done. perp tour --restart begins again; perp watch shows your own simulation.\n';
  if (problem !== undefined)
    return `Left at step ${place}, ${step.name}, which could not be kept (${problem}): perp tour goes on at an earlier one.\n`;
  return `Left at step ${place}, ${step.name}. perp tour goes on there, and its market waits for you.\n`;
}

/** A console whose folder, simulation and settings are the tour's own: nothing of the user's is read or changed. */
function privateConsole(parent: Console, folder: string): Console {
  const { registry, lineReader, outside, palette } = parent;
  const settings: Settings = {
    ...parent.settings,
    environment: 'sim',
    profile: undefined,
    strayOfHost: undefined,
    account: undefined,
    accountFrom: undefined,
    baseUrl: undefined,
    // Suggestions never concern the user's own simulations.
    ...{ place: '', ofProfile: '', ofAccount: '', afterEnd: 'perp tour --restart' },
    streams: { market: undefined, account: undefined },
    simulation: { state, plain: state, plainFrom: '--state', books: undefined, clock: undefined, speed: undefined },
    // The tour shows what perp does by default.
    ...{ leverage: undefined, marginMode: undefined, gapAllowanceBps: undefined, watchKeys: undefined },
    ...{ floorCheck: 'refuse', unknownFloor: 'warn', stops: 'ask', requireStop: false, confirmLive: 'ask' },
    ...{ yes: false, fresh: false, dryRun: false, idempotencyKey: undefined },
  };
  return new Console({
    settings,
    registry,
    lineReader,
    outside: { ...outside, variables: { ...outside.variables, PERP_STATE_DIR: folder } },
    interruption: () => parent.signal,
    palette: settings.color ? palette : plainPalette,
  });
}
