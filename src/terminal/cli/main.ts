import { CommanderError } from 'commander';
import { type ExitCode, exitCodes } from '../../base/failure/failure.ts';
import { type Variables, variable } from '../../base/files/folders.ts';
import { hideSecret } from '../../base/text/plain-text.ts';
import type { Registry } from '../console/console.ts';
import type { LineReader } from '../console/grammar/command-line.ts';
import type { Catalog } from '../console/grammar/spec.ts';
import { colorPalette, plainPalette } from '../console/output/themes.ts';
import { type Io, isColored, processIo } from '../console/terminal/io.ts';
import type { Outside } from '../console/terminal/outside.ts';
import { complete } from './completion/complete.ts';
import { commandTree } from './tree/command-tree.ts';
import { MissingInput } from './tree/missing-input.ts';
import { checkLengths, lineReader, plainLine, reads } from './tree/plain-line.ts';
import { withRepair } from './tree/repairs.ts';

/**
 * The command line: arguments in, exit status out. Help, version and completion need only the command tree; everything
 * else is loaded by the command that uses it.
 */
export async function main(
  argv: readonly string[],
  registry: Registry,
  outside: Outside = processOutside(),
): Promise<ExitCode> {
  const { io, variables } = outside;
  // What follows -- belongs to another program.
  const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  // Hide the key before anything is printed: it may be given where an argument belongs.
  hideSecret(variable(variables, 'PERP_API_KEY')?.trim() ?? '');
  try {
    checkLengths(argv);
    const hasColor = isColored(variables, io.stdoutIsTerminal) && !own.includes('--no-color');
    const palette = hasColor ? await colorPalette() : plainPalette;
    const columns = Number.isFinite(io.columns) ? io.columns : 80;
    const runtime = { registry, outside, palette, lineReader: () => readerOf(registry) };
    const plain = plainLine(argv, registry);
    if (plain !== undefined) return await (await import('./work.ts')).runCommand(plain, runtime);
    let exit: ExitCode = exitCodes.done;
    const program = commandTree({
      catalog: registry,
      write: io.out,
      columns,
      palette,
      async act(chosen) {
        const { runCommand } = await import('./work.ts');
        exit = await runCommand(chosen, runtime);
      },
    });
    const parsed = (words: readonly string[]): Promise<unknown> =>
      program.parseAsync(words, { from: 'user' }).catch(async (error: unknown) => {
        if (!(error instanceof MissingInput) || !canAsk(io, variables)) throw error;
        const { askFor } = await import('./work.ts');
        return program.parseAsync([...words, ...(await askFor(error.missing, runtime))], { from: 'user' });
      });
    if (argv[0] === '__complete') io.out(complete(argv.slice(1), program, variables));
    else await parsed(argv);
    return exit;
  } catch (error) {
    // Help or the version was printed.
    if (error instanceof CommanderError) return exitCodes.done;
    const { report } = await import('./work.ts');
    return report(
      withRepair(error, own, (words) => reads(words, registry)),
      own,
      outside,
    );
  }
}

/** Reads lines with a separate tree for each. */
function readerOf(catalog: Catalog): LineReader {
  return {
    read: lineReader(catalog),
    complete(words, variables) {
      const nothing = () => {};
      const program = commandTree({ catalog, write: nothing, columns: 80, palette: plainPalette, act: nothing });
      return complete(words, program.named(), variables);
    },
  };
}

/** A user is present who sees the questions and can answer. */
function canAsk(io: Io, { TERM }: Variables): boolean {
  return io.stdinIsTerminal && io.stdoutIsTerminal && TERM !== 'dumb';
}

function processOutside(): Outside {
  return {
    io: processIo(process.env),
    variables: process.env,
    now: Date.now,
    prompts: {
      confirm: async (message) => (await import('./work.ts')).terminalPrompts.confirm(message),
      secret: async (message, signal) => (await import('./work.ts')).terminalPrompts.secret(message, signal),
      choose: async (message, choices) => (await import('./work.ts')).terminalPrompts.choose(message, choices),
      line: async (message, problem) => (await import('./work.ts')).terminalPrompts.line(message, problem),
    },
    leavePage: async (server, page) => (await import('../console/terminal/left-page.ts')).leavePage(server, page),
  };
}
