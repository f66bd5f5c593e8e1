import { type ExitCode, Failure } from '../../base/failure/failure.ts';
import { type Variables, variable } from '../../base/files/folders.ts';
import { hideSecret } from '../../base/text/plain-text.ts';
import type { Registry } from '../console/console.ts';
import { colorPalette, plainPalette } from '../console/output/themes.ts';
import { type Io, isColored, processIo } from '../console/terminal/io.ts';
import type { Outside } from '../console/terminal/outside.ts';
import { checkLengths, plainLine } from './tree/plain-line.ts';

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
  // Arguments after -- belong to another program.
  const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  // Hide the key before anything is printed: it may be given in place of an argument.
  hideSecret(variable(variables, 'PERP_API_KEY')?.trim() ?? '');
  try {
    checkLengths(argv);
    const hasColor = isColored(variables, io.stdoutIsTerminal) && !own.includes('--no-color');
    const runtime = {
      registry,
      outside,
      palette: hasColor ? await colorPalette() : plainPalette,
      lineReader: async () => (await import('./whole-line.ts')).readerOf(registry),
    };
    const plain = plainLine(argv, registry);
    if (plain !== undefined) return await (await import('./work.ts')).runCommand(plain, runtime);
    const { readWhole } = await import('./whole-line.ts');
    return await readWhole(argv, runtime, {
      run: async (chosen) => (await import('./work.ts')).runCommand(chosen, runtime),
      ask: canAsk(io, variables) ? async (missing) => (await import('./work.ts')).askFor(missing, runtime) : undefined,
    });
  } catch (error) {
    const { report } = await import('./work.ts');
    const isUsage = error instanceof Failure && error.facts.code === 'usage';
    const shown = isUsage ? (await import('./whole-line.ts')).repaired(error, own, registry) : error;
    return report(shown, own, outside);
  }
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
