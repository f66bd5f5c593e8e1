import { addAbortSignal } from 'node:stream';
import { usageFailure } from '../../../base/failure/failure.ts';
import { type Console, defineCommand, type InputOf } from '../../console/console.ts';
import type { Result } from '../../console/output/result.ts';

export const command = defineCommand({
  summary: 'Serve tools to an AI agent over MCP (stdin and stdout)',
  description:
    'Without a mandate, the tools only read. They use the simulation unless --env or --profile is on this command line: a variable or the config file does not suffice. docs/agents.md shows how to connect agents.',
  options: {
    mandate: {
      value: 'FILE',
      kind: 'file',
      summary: 'also trade, within this signed mandate: its file, or the name of its bot',
    },
    gate: { summary: 'also trade, through the gate at the address of the environment (perp gate serve)' },
  },
  examples: [
    ['perp mcp', 'tools that read the simulation'],
    ['perp mcp --mandate grid', 'tools that trade within a mandate'],
    ['perp --env live mcp --gate', 'tools that trade through a gate of another user'],
  ],
  changesMore: true,
  async run(console, input): Promise<Result> {
    const { environment, lookup, dryRun } = console.settings;
    if (dryRun) throw usageFailure("perp mcp can't be combined with --dry-run.", 'Omit --dry-run.');
    const from = lookup.find('env')?.from;
    const isTold = from === '--env' || (lookup.profile !== undefined && lookup.find('profile')?.from === '--profile');
    if (environment !== 'sim' && !isTold) {
      throw usageFailure(
        `The environment is ${environment} because of ${from}, which does not suffice for an agent.`,
        `Add --env ${environment}, --env sim or --profile NAME to the command line of perp mcp.`,
      );
    }
    const { serveTools } = await import('../../mcp/server.ts');
    const { io } = console;
    await using ending = new AsyncDisposableStack();
    const desk = await deskOf(console, input, ending);
    if (io.stdinIsTerminal)
      console.note("This command is for an agent's program, which sends lines of JSON-RPC. Ctrl-C ends it.");
    const serving = serveTools({
      desk,
      version: console.registry.version,
      input: addAbortSignal(console.signal, io.input()),
      write: (line) => io.out(line),
      note(text) {
        if (!console.signal.aborted) console.note(text);
      },
    });
    const stop = () => void serving.close();
    console.signal.addEventListener('abort', stop, { once: true });
    await serving.closed;
    return { kind: 'text', text: '' };
  },
});

async function deskOf(console: Console, { mandate, gate }: InputOf<typeof command>, ending: AsyncDisposableStack) {
  const { gatedDesk, readingDesk, tradingDesk } = await import('../../mcp/agent-console.ts');
  if (mandate !== undefined && gate)
    throw usageFailure("--mandate and --gate can't be combined.", 'With a gate, its owner sets the mandate.');
  if (mandate !== undefined) return ending.use(await tradingDesk(console, mandate));
  return gate ? await gatedDesk(console) : readingDesk(console);
}
