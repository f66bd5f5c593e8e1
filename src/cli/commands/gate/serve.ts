import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf, tableOf } from '../../../console/output/result.ts';
import { rateLimitGiven } from '../../../console/settings/serving.ts';
import { botColumns } from '../../../console/views/gate-view.ts';
import { exitCodes, Failure, usageFailure } from '../../../ground/failure/failure.ts';
import { plainLines } from '../../../ground/text/plain-text.ts';

type Served = Awaited<ReturnType<typeof import('../../../gate/serve.ts').serveGate>>;

export const command = defineCommand({
  summary: 'Serve the API to bots, each with a key and a signed mandate of its own',
  description:
    "Runs until Ctrl-C and listens only on this machine. Bots use its address and their own keys (perp gate key add); the credential stays here. What a mandate does not allow is refused, whatever the bot sends. Run it as another user than the bots, or on another machine: whoever can read this user's files can read the credential.",
  options: {
    mandate: {
      value: 'FILE',
      kind: 'file',
      repeat: true,
      summary:
        'a mandate that a person signed (perp mandate sign): its file, or the name of its bot; once for each bot',
    },
    port: { value: 'PORT', kind: 'port', summary: 'port for bots (default 7450)' },
    'rate-limit': {
      value: 'COUNT|off',
      summary:
        'requests per minute that the service allows, shared by the bots (default 300; less once it refuses some)',
    },
  },
  examples: [
    ['perp gate serve --mandate scalper', 'one bot, in the simulation'],
    ['perp gate serve --env live --mandate scalper --mandate grid', 'two bots'],
  ],
  changesMore: true,
});

const defaultPort = 7450;
/** As many as the simulation allows by default. */
const defaultLimit = 300;

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { settings, io, signal } = console;
  if (settings.dryRun) throw usageFailure("perp gate serve can't be combined with --dry-run.", 'Omit --dry-run.');
  if (input.mandate.length === 0)
    throw usageFailure('--mandate is missing.', 'perp mandate new BOT writes one; perp mandate sign FILE signs it.');
  const { serveGate } = await import('../../../gate/serve.ts');
  const port = input.port ?? defaultPort;
  const limit = rateLimitGiven(input.rateLimit) ?? defaultLimit;
  const say = (text: string) => io.err(`${plainLines(text)}\n`);
  const serving = serveGate({
    session: console,
    mandates: input.mandate,
    port,
    rateLimit: limit === 'off' ? undefined : limit,
    note: (text) => console.note(text),
    log: settings.debug
      ? ({ method, path, status, durationMs, requestId }) =>
          say(`${method} ${path} ${status} ${durationMs.toFixed(1)} ms ${requestId}`)
      : null,
  });
  const served = await serving.catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? portTaken(port) : error;
  });
  try {
    await console.show(servedRecord(served));
    if (!signal.aborted)
      await new Promise<void>((end) => signal.addEventListener('abort', () => end(), { once: true }));
  } finally {
    await served[Symbol.asyncDispose]();
  }
  console.note('Stopped.');
  const { reason } = signal;
  const asked = reason instanceof Failure && reason.facts.code === 'terminated';
  return { kind: 'text', text: '', exit: asked ? exitCodes.done : exitCodes.interrupted };
}

function servedRecord({ url, status }: Served): Result {
  const { destination, bots } = status();
  return recordOf({ url, pid: process.pid, destination, bots }, () => [
    line({ text: url, tone: 'strong' }, ` leads to ${destination}, for these bots:`),
    tableOf(bots, botColumns),
    ...(bots.some(({ key_expires_at: expires }) => expires === null)
      ? [line({ text: 'A bot without a key gets one with perp gate key add BOT.', tone: 'warn' })]
      : []),
    line({ text: 'Ctrl-C stops it.', tone: 'faint' }),
  ]);
}

function portTaken(port: number): Failure {
  return new Failure({
    exit: exitCodes.conflict,
    code: 'port_taken',
    message: `Port ${port} is taken.`,
    hint: 'Choose another one with --port, or stop what uses it.',
  });
}
