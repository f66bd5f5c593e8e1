import { readConfig } from './config-file.ts';
import type { ConfigValues } from './config-keys.ts';
import { Context, type Outside } from './context.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { interruptedFailure, usageFailure } from './failure.ts';
import { colorPalette, plainPalette } from './output/palette.ts';
import { parse } from './parse.ts';
import type { Variables } from './places.ts';
import type { Registry } from './registry.ts';
import { settle } from './settings.ts';
import type { CommandSpec } from './spec.ts';

/**
 * Runs one command: parse, settle the settings, run, render. The only thing it prints itself is the result. Throws what
 * the command throws.
 */
export async function runCommand(
  path: string,
  tokens: readonly string[],
  registry: Registry,
  outside: Outside,
): Promise<ExitCode> {
  const spec = registry.commands.get(path)!;
  const { globals, input } = parse(path, spec, tokens);
  const settings = settle(globals, outside.variables, configFor(spec, outside.variables));
  // Who calls the simulation by its name means it.
  if (path.startsWith('sim ')) settings.strayOfHost = undefined;
  if (spec.simulationOnly === true && settings.environment !== 'sim') {
    throw usageFailure(
      `perp ${path} is for the simulation, and the environment is ${settings.environment}.`,
      'Add --env sim.',
    );
  }
  const interruption = interruptible();
  const palette = settings.color && outside.io.stdoutIsTerminal ? await colorPalette() : plainPalette;
  const context = new Context({
    settings,
    registry,
    outside,
    interruption: interruption.signal,
    palette,
    given: { path, input },
  });
  try {
    if (spec.changesMore === true && !settings.dryRun) outside.io.changes?.();
    const { run } = await registry.load(path);
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
