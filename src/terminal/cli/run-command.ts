import { statSync } from 'node:fs';
import { endProcess, receivedSignal, unfinishedStatus } from '../../base/failure/ending.ts';
import { type ExitCode, exitCodes, interruptedFailure, usageFailure } from '../../base/failure/failure.ts';
import { factsOf, failureReport, sourceStack, storeDestination } from '../../base/failure/report.ts';
import { stateFolder, type Variables, variable } from '../../base/files/folders.ts';
import { onMissingLocks } from '../../base/files/shared-file.ts';
import { nameMarketsAmong, showTimesInUtc } from '../../base/text/format.ts';
import { plainLines, quoted } from '../../base/text/plain-text.ts';
import { remembered } from '../../desk/resolve/remembered.ts';
import { Console, type Registry } from '../console/console.ts';
import type { Chosen, LineReader, Missing } from '../console/grammar/command-line.ts';
import type { GlobalInput } from '../console/grammar/global-options.ts';
import { type CommandSpec, takesOf } from '../console/grammar/spec.ts';
import { type Palette, plainPalette } from '../console/output/themes.ts';
import { readConfig } from '../console/settings/config-file.ts';
import type { ConfigValues } from '../console/settings/config-keys.ts';
import { type InUse, simulationInUse } from '../console/settings/in-use.ts';
import { type Settings, settingsOf } from '../console/settings/settings.ts';
import { wantsJson } from '../console/terminal/io.ts';
import type { Outside } from '../console/terminal/outside.ts';
import { destinationOf, showPlaced } from '../console/where.ts';

/** Where a command runs. */
export interface Runtime {
  readonly registry: Registry;
  readonly outside: Outside;
  /** For stdout, unless --no-color is given. */
  readonly palette: Palette;
  /** Reads further command lines; created on demand. */
  readonly lineReader: () => Promise<LineReader>;
}

/**
 * Runs one command: loads it, resolves its settings, runs it and prints its result, and nothing else. Rethrows the
 * command's errors.
 */
export async function runCommand(chosen: Chosen, runtime: Runtime): Promise<ExitCode> {
  const { registry, outside, palette, lineReader } = runtime;
  const { path, input, globals } = chosen;
  const command = await registry.load(path);
  const { io, variables } = outside;
  const inUse = await simulationInUse(variables, io.stdinIsTerminal && io.stdoutIsTerminal);
  const settings = settingsFor(command, globals, variables, inUse);
  showTimesInUtc(settings.utc);
  nameMarketsAmong(() => remembered(outside.variables, settings.environment, 'market'));
  // `perp sim ...` always means the simulation.
  if (path.startsWith('sim ')) settings.strayOfHost = undefined;
  if (command.simulationOnly === true && settings.environment !== 'sim') {
    throw usageFailure(
      `perp ${path} works only in the simulation, but the environment is ${settings.environment}.`,
      settings.profile === undefined ? 'Add --env sim.' : 'Add --env sim --profile none.',
    );
  }
  const filter =
    settings.jq === undefined ? undefined : await (await import('../console/output/jq.ts')).jqFilter(settings.jq);
  const interruption = interruptible();
  const console = new Console({
    settings,
    registry,
    lineReader,
    outside,
    interruption: interruption.signal,
    palette: settings.color ? palette : plainPalette,
    filter,
    given: { path, input },
  });
  onMissingLocks((text) => console.note(text));
  for (const text of surroundings(variables)) console.note(text);
  let refusal: unknown;
  try {
    if (command.changesMore === true && !settings.dryRun) outside.io.changes?.();
    const result = await command.run(console, input as never);
    if (command.changesMore === true && !settings.dryRun) console.hasWritten = true;
    const exit = result.exit ?? exitCodes.done;
    outside.io.endsWith?.(exit);
    await showPlaced(console, result);
    const isTable = result.kind !== 'text' && result.isOfWrite !== true && settings.output === 'table';
    if (isTable) await announceAbout(console);
    // Close, and so settle, only after the output has been written.
    if (result.kind !== 'text') await outside.io.flushed?.();
    return exit;
  } catch (error) {
    refusal = error;
    const diagnosed = await console.memory.diagnosed(error);
    storeDestination(diagnosed, destinationOf(console), console.settings, takesOf(command));
    throw diagnosed;
  } finally {
    if (console.memory.endings !== undefined) await announce(console, refusal);
    await console.close();
    interruption.stop();
  }
}

/** Notes needed to read any table of an account: its end, and its lock. The result of a write is no such table. */
async function announceAbout(console: Console): Promise<void> {
  const account = console.where?.account;
  const { quiet, dryRun } = console.settings;
  if (account === undefined || quiet || dryRun) return;
  try {
    const { announceAccount } = await import('./reading/announce.ts');
    await announceAccount(console, account);
  } catch {
    // The result itself is complete.
  }
}

/**
 * Announces which accounts have ended in the meantime. The command is done, so failing to announce it changes nothing.
 */
async function announce(console: Console, refusal: unknown): Promise<void> {
  try {
    const { announceEndings } = await import('./reading/announce.ts');
    await announceEndings(console, (refusal as { ruleId?: unknown } | undefined)?.ruleId === 'account-not-active');
  } catch {
    // The next command announces it.
  }
}

/**
 * Prompts for what a command line lacks, and returns the words that complete it. Ctrl-C ends the command; nothing has
 * been sent.
 */
export async function askFor(missing: Missing, runtime: Runtime): Promise<string[]> {
  const { registry, outside, palette, lineReader } = runtime;
  const { variables } = outside;
  const inUse = await simulationInUse(variables, true);
  const settings = settingsOf(missing.globals, variables, readConfig(variables), inUse);
  const interruption = interruptible();
  const parts = { settings, registry, lineReader, outside, interruption: interruption.signal, palette };
  const console = new Console(parts);
  try {
    const { wordsFor } = await import('./ask.ts');
    const { marketPrices } = await import('../../desk/reading/market-prices.ts');
    return await wordsFor(console, missing, (markets) => marketPrices(console, markets));
  } finally {
    await console.close();
    interruption.stop();
  }
}

function settingsFor(spec: CommandSpec, globals: GlobalInput, variables: Variables, inUse: InUse): Settings {
  try {
    return settingsOf(globals, variables, readConfig(variables), inUse, spec.ignoresProfile);
  } catch (error) {
    if (spec.toleratesBadConfig !== true) throw error;
    return settingsWithoutProfile(globals, variables, inUse);
  }
}

function settingsWithoutProfile(globals: GlobalInput, variables: Variables, inUse: InUse): Settings {
  let config: ConfigValues = {};
  try {
    config = readConfig(variables);
  } catch {
    // Its values are left out, too.
  }
  return settingsOf(globals, variables, config, inUse, true);
}

/** How long stopped work may take to end, ms. */
const stopsWithinMs = 1_800;

/**
 * The first Ctrl-C stops the work cleanly; the second, or work that does not end, stops the process at once. Listens
 * from the first time the signal is requested.
 */
function interruptible(): { signal: () => AbortSignal; stop(): void } {
  let controller: AbortController | undefined;
  let deadline: NodeJS.Timeout | undefined;
  let isStopped = false;
  const interrupt = (signal: NodeJS.Signals) => {
    if (signal === 'SIGINT') receivedSignal(signal);
    if (controller?.signal.aborted === true) endProcess(exitCodes.interrupted);
    deadline = setTimeout(() => endProcess(unfinishedStatus()), stopsWithinMs).unref();
    controller?.abort(interruptedFailure(signal === 'SIGTERM' ? 'Terminated.' : 'Interrupted.', signal));
  };
  return {
    signal() {
      if (controller === undefined) {
        controller = new AbortController();
        // Reads that a command leaves running in the background must not keep listening.
        if (!isStopped) process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
      }
      return controller.signal;
    },
    stop() {
      isStopped = true;
      clearTimeout(deadline);
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    },
  };
}

/** Prints an error on stderr, as JSON if results would be JSON, and returns the exit status. */
export function report(error: unknown, argv: readonly string[], { io, variables }: Outside): ExitCode {
  const facts = factsOf(error);
  io.err(failureReport(facts, wantsJson(argv, variables), io.stderrColumns));
  if (argv.includes('--debug') && error instanceof Error) io.err(`${plainLines(sourceStack(error))}\n`);
  return facts.exit;
}

/** Things the user must know about this machine before any result: sentences, usually none. */
export function surroundings(variables: Variables): string[] {
  return [openFolder(stateFolder(variables)), unknownZone(variables)].filter((text) => text !== undefined);
}

/** A state folder whose contents another user can replace: simulations, kept writes, mandates. */
function openFolder(folder: string): string | undefined {
  const own = process.getuid?.();
  if (own === undefined) return undefined;
  try {
    const { uid, mode } = statSync(folder);
    if (uid !== own && uid !== 0)
      return `${folder} belongs to another user, who can change perp's data there. Set PERP_STATE_DIR to a folder that you own.`;
    return (mode & 0o022) === 0
      ? undefined
      : `Other users can write to ${folder}and change perp's data there: chmod 700 ${folder}`;
  } catch {
    // It is not there yet.
    return undefined;
  }
}

/** A POSIX time zone rule is unknown here, so times are in UTC. */
function unknownZone(variables: Variables): string | undefined {
  const zone = variable(variables, 'TZ')?.replace(/^:/, '');
  // Names such as Europe/Berlin contain no digits, except Etc/GMT+3 and EST5EDT, which are known.
  if (zone === undefined || !/[\d,<]/.test(zone)) return undefined;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return undefined;
  } catch {
    return `TZ is ${quoted(zone)}, which perp does not know, so times are in UTC. Name a place, as in TZ=Europe/Berlin.`;
  }
}
