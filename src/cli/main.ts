import type { Outside } from './context.ts';
import type { ExitCode } from './exit-codes.ts';
import { processIo } from './io.ts';
import type { Registry } from './registry.ts';
import { route } from './route.ts';

/**
 * The command line: arguments in, exit status out. Help, version and completion need nothing but the registry's specs;
 * everything else is loaded by the command that uses it.
 */
export async function main(argv: readonly string[], registry: Registry, outside: Outside = processOutside()): Promise<ExitCode> {
  const { io, variables } = outside;
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
      const { helpText } = await import('./help.ts');
      io.out(helpText(chosen.path, registry, Number.isFinite(io.columns) ? io.columns : 80));
      return 0;
    }
    const { runCommand } = await import('./run.ts');
    return await runCommand(chosen.path, chosen.tokens, registry, outside);
  } catch (error) {
    return report(error, argv, outside);
  }
}

function processOutside(): Outside {
  return {
    io: processIo(process.env),
    variables: process.env,
    now: Date.now,
    prompts: {
      async confirm(message) {
        const { confirmOnTerminal } = await import('./terminal-prompts.ts');
        return confirmOnTerminal(message);
      },
    },
  };
}

async function report(error: unknown, argv: readonly string[], { io, variables }: Outside): Promise<ExitCode> {
  const { factsOf, failureReport } = await import('./failure-report.ts');
  const { wantsJson } = await import('./wants-json.ts');
  const facts = factsOf(error);
  io.err(failureReport(facts, wantsJson(argv, variables)));
  if (argv.includes('--debug') && error instanceof Error) io.err(`${error.stack}\n`);
  return facts.exit;
}
