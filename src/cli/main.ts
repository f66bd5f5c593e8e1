import { CommanderError } from 'commander';
import { complete } from './completion/complete.ts';
import type { Registry } from './context/context.ts';
import { type ExitCode, exitCodes } from './failure/exit-codes.ts';
import { variable } from './files/folders.ts';
import { colorPalette, plainPalette } from './output/palette.ts';
import { isColored } from './terminal/color.ts';
import { processIo } from './terminal/io.ts';
import type { Outside } from './terminal/outside.ts';
import { hideSecret } from './text/secrets.ts';
import { checkLengths, commandTree, lineReader } from './tree/command-tree.ts';

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
  // Hide the key before anything is printed: it may be given where an argument belongs.
  hideSecret(variable(variables, 'PERP_API_KEY')?.trim() ?? '');
  try {
    checkLengths(argv);
    const hasColor = isColored(variables, io.stdoutIsTerminal) && !argv.includes('--no-color');
    const palette = hasColor ? await colorPalette() : plainPalette;
    const columns = Number.isFinite(io.columns) ? io.columns : 80;
    let exit: ExitCode = exitCodes.done;
    const program = commandTree({
      catalog: registry,
      write: io.out,
      columns,
      palette,
      async act(chosen) {
        const { runCommand } = await import('./work.ts');
        exit = await runCommand(chosen, { registry, outside, palette, lineReader: () => lineReader(registry) });
      },
    });
    if (argv[0] === '__complete') io.out(complete(argv.slice(1), program, variables));
    else await program.parseAsync(argv, { from: 'user' });
    return exit;
  } catch (error) {
    // Help or the version was printed.
    if (error instanceof CommanderError) return exitCodes.done;
    const { report } = await import('./work.ts');
    return report(error, argv, outside);
  }
}

function processOutside(): Outside {
  return {
    io: processIo(process.env),
    variables: process.env,
    now: Date.now,
    prompts: {
      confirm: async (message) => (await import('./work.ts')).terminalPrompts.confirm(message),
      secret: async (message, signal) => (await import('./work.ts')).terminalPrompts.secret(message, signal),
    },
  };
}
