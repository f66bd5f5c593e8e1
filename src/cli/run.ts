import { Context, type Registry } from './context/context.ts';
import { type ExitCode, exitCodes } from './failure/exit-codes.ts';
import { interruptedFailure, usageFailure } from './failure/failure.ts';
import { factsOf, failureReport } from './failure/report.ts';
import { sourceStack } from './failure/source-lines.ts';
import type { Variables } from './files/folders.ts';
import type { CommandSpec } from './grammar/spec.ts';
import { type Palette, plainPalette } from './output/palette.ts';
import { readConfig } from './settings/config-file.ts';
import type { ConfigValues } from './settings/config-keys.ts';
import { settingsOf } from './settings/settings.ts';
import { wantsJson } from './terminal/io.ts';
import type { Outside } from './terminal/outside.ts';
import { plainLines } from './text/plain-text.ts';
import type { Chosen, LineReader } from './tree/command-tree.ts';

/** Where a command runs. */
export interface Surroundings {
  readonly registry: Registry;
  readonly outside: Outside;
  /** Of stdout, unless --no-color is given. */
  readonly palette: Palette;
  /** Reads more command lines; made when there are some. */
  readonly lineReader: () => LineReader;
}

/**
 * Runs one command: load it, find its settings, run it, render what it returns. The only thing it prints itself is the
 * result. Throws what the command throws.
 */
export async function runCommand(chosen: Chosen, surroundings: Surroundings): Promise<ExitCode> {
  const { registry, outside, palette, lineReader } = surroundings;
  const { path, input, globals } = chosen;
  const { command: spec, run } = await registry.load(path);
  const settings = settingsOf(globals, outside.variables, configFor(spec, outside.variables));
  // Who calls the simulation by its name means it.
  if (path.startsWith('sim ')) settings.strayOfHost = undefined;
  if (spec.simulationOnly === true && settings.environment !== 'sim') {
    throw usageFailure(
      `perp ${path} is for the simulation, and the environment is ${settings.environment}.`,
      'Add --env sim.',
    );
  }
  const interruption = interruptible();
  const context = new Context({
    settings,
    registry,
    lineReader,
    outside,
    interruption: interruption.signal,
    palette: settings.color ? palette : plainPalette,
    given: { path, input },
    explain: async (...failed) => (await import('./resolve/chosen-account.ts')).explained(...failed),
  });
  try {
    if (spec.changesMore === true && !settings.dryRun) outside.io.changes?.();
    const result = await run(context, input as never);
    const exit = result.exit ?? exitCodes.done;
    outside.io.endsWith?.(exit);
    await context.show(result);
    // Only what has been seen is settled: closing comes after it.
    if (result.kind !== 'text') await outside.io.flushed?.();
    return exit;
  } catch (error) {
    throw await context.blamed(error);
  } finally {
    interruption.stop();
    await context.close();
  }
}

function configFor({ forgivesConfig }: CommandSpec, variables: Variables): ConfigValues {
  try {
    return readConfig(variables);
  } catch (error) {
    if (forgivesConfig === true) return {};
    throw error;
  }
}

/** Ctrl-C once stops the work in order; twice stops at once. Listens from the first time the signal is asked for. */
function interruptible(): { signal: () => AbortSignal; stop(): void } {
  let controller: AbortController | undefined;
  const interrupt = (signal: NodeJS.Signals) => {
    if (controller?.signal.aborted === true) process.exit(exitCodes.interrupted);
    controller?.abort(interruptedFailure(signal === 'SIGTERM' ? 'Terminated.' : 'Interrupted.', signal));
  };
  return {
    signal() {
      if (controller === undefined) {
        controller = new AbortController();
        process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
      }
      return controller.signal;
    },
    stop() {
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    },
  };
}

/** Prints what went wrong on stderr, as JSON where results would be, and says with which status to end. */
export function report(error: unknown, argv: readonly string[], { io, variables }: Outside): ExitCode {
  const facts = factsOf(error);
  io.err(failureReport(facts, wantsJson(argv, variables)));
  if (argv.includes('--debug') && error instanceof Error) io.err(`${plainLines(sourceStack(error))}\n`);
  return facts.exit;
}
