import type { Outside } from './context.ts';
import type { ExitCode } from './exit-codes.ts';
import { helpText } from './help.ts';
import { processIo } from './io.ts';
import { variable } from './places.ts';
import type { Registry } from './registry.ts';
import { route } from './route.ts';
import { hideSecret } from './secrets.ts';

/**
 * The command line: arguments in, exit status out. Help, version and completion need nothing but the registry's specs;
 * everything else is loaded by the command that uses it.
 */
export async function main(
  argv: readonly string[],
  registry: Registry,
  outside: Outside = processOutside(),
): Promise<ExitCode> {
  const { io, variables } = outside;
  // Before anything can be printed: the key may stand where an argument should.
  hideSecret(variable(variables, 'PERP_API_KEY')?.trim() ?? '');
  try {
    if (argv[0] === '__complete') {
      const { complete } = await import('./completion/complete.ts');
      io.out(complete(argv.slice(1), variables));
      return 0;
    }
    const chosen = route(argv, registry);
    if (chosen.kind === 'version') {
      io.out(`perp ${registry.version}\n`);
      return 0;
    }
    if (chosen.kind === 'help') {
      io.out(helpText(chosen.path, registry, Number.isFinite(io.columns) ? io.columns : 80));
      return 0;
    }
    const { runCommand } = await import('./work.ts');
    return await runCommand(chosen.path, chosen.tokens, registry, outside);
  } catch (error) {
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
