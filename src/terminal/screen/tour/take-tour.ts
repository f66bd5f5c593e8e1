import { join } from 'node:path';
import { type ExitCode, Failure } from '../../../base/failure/failure.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { stateFolder } from '../../../base/files/folders.ts';
import { makePrivateFolder } from '../../../base/files/private-files.ts';
import type { Console } from '../../console/console.ts';
import type { Result } from '../../console/output/result.ts';
import { privateConsole } from '../private-console.ts';
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
  const console = privateConsole(parent, folder, {
    state,
    settings: {
      afterEnd: 'perp tour --restart',
      // The tour shows what perp does by default.
      ...{ leverage: undefined, marginMode: undefined, gapAllowanceBps: undefined, watchKeys: undefined },
      ...{ floorCheck: 'refuse', unknownFloor: 'warn', stops: 'ask', requireStop: false, confirmLive: 'ask' },
      ...{ yes: false, fresh: false },
    },
  });
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
      if (isScreen) {
        const [{ openScreen }, { TourGuide }] = await Promise.all([
          import('../open-screen.ts'),
          import('./tour-guide.ts'),
        ]);
        const guide = new TourGuide(journey);
        ({ exit } = await openScreen(console, { markets: ['BTC'], interval: '1m', forMs: undefined, guide }));
      } else await (await import('./tour-lines.ts')).tourLines(console, journey);
    } finally {
      // Its market stands still until the user returns.
      await console.call('simSetClock', { body: { running: false } });
    }
    return { kind: 'text', text: farewell(journey), ...(exit !== undefined && { exit }) };
  } finally {
    await console.close();
  }
}

function farewell({ isOver, place, step, problem }: Journey): string {
  if (isOver) return 'The tour is done. perp tour --restart begins again; perp watch shows your own simulation.\n';
  if (problem !== undefined)
    return `Left at step ${place}, ${step.name}, which could not be kept (${problem}): perp tour goes on at an earlier one.\n`;
  return `Left at step ${place}, ${step.name}. perp tour goes on there, and its market waits for you.\n`;
}
