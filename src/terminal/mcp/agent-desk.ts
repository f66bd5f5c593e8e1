import { Failure } from '../../base/failure/failure.ts';
import type { Mandate } from '../../desk/mandate/mandate.ts';
import { createClient } from '../../wire/client/client.ts';
import { streamPaths } from '../../wire/contract/streams.ts';
import type { StreamTransport } from '../../wire/contract/wire.ts';
import type { Console } from '../console/console.ts';
import type { OpenedAccess } from '../console/open-access.ts';
import { type AgentDesk, SharedRead } from './agent-console.ts';

/** The desk of a connection that may only read. */
export function readingDesk(console: Console): AgentDesk {
  const access = () => console.access();
  const markets = new SharedRead();
  let reopening: Promise<void> | undefined;
  return {
    ...{ console, markets, mandate: undefined, terms: () => undefined, access },
    /** A simulation that was reset, restored or served again has another key, address and accounts. */
    async reopened(used, error) {
      const { status, code } = error as { status?: unknown; code?: unknown };
      const mayBeAnother = status === 401 || status === 409 || code === 'no_connection';
      if (console.settings.environment !== 'sim') return false;
      if (reopening === undefined && (await access()) !== used) return true;
      if (reopening === undefined && !mayBeAnother) return false;
      reopening ??= console.reopen().finally(() => {
        reopening = undefined;
        markets.forget();
      });
      await reopening;
      return true;
    },
  };
}

/**
 * The desk of a connection to a gate that another user or host serves: the mandate and its enforcement are there.
 * Throws a failure for a host that is not a gate.
 */
export async function gatedDesk(console: Console): Promise<AgentDesk> {
  const upstream = await console.access();
  const credential = await upstream.credential?.();
  // Only a gate accepts its keys, and the list of accounts shows that this one does.
  if (credential === undefined || !/^gate_(live|test)_/.test(credential.text))
    throw new Failure({
      code: 'not_a_gate',
      message: 'The credential is not the key of a gate, so nothing would limit an agent there.',
      hint: 'Set the address of perp gate serve and a key of perp gate key add, or use --mandate FILE.',
    });
  await upstream.client.call('listAccounts', {});
  // One attempt: an order that waits for a person is reported at once.
  const access: OpenedAccess = { ...upstream, client: upstream.once };
  return { console, markets: new SharedRead(), mandate: atTheGate, terms: () => undefined, access: async () => access };
}

/** The placeholder for the name of a mandate at a gate. */
const atTheGate = 'of the gate';

/**
 * The desk of a connection with a mandate: all its requests pass a gate in this process, which judges, sends and
 * records them. Throws a failure for an unsigned mandate, and while another gate has its accounts.
 */
export async function tradingDesk(console: Console, file: string): Promise<AgentDesk & AsyncDisposable> {
  const { Gate } = await import('../../bots/gate/gate.ts');
  const { gateFolder } = await import('../../bots/gate/bots-file.ts');
  const { MandateFiles, takeAccounts } = await import('../../bots/gate/mandate-files.ts');
  const { mandateText } = await import('../../desk/mandate/mandate-file.ts');
  const { variables } = console;
  const note = (text: string) => console.note(text);
  await using ending = new AsyncDisposableStack();
  const files = ending.use(new MandateFiles([file], variables, note));
  const [[name, { accounts }]] = [...files.inForce] as unknown as [[string, Mandate]];
  const upstream = await console.access();
  ending.use(takeAccounts(variables, upstream.destination, accounts));
  const gate = ending.use(
    await Gate.open({
      session: console,
      mandates: () => files.inForce,
      folder: gateFolder(variables),
      // Nobody decides during a call; the agent can inform its person immediately.
      approvalHoldMs: 0,
      note,
    }),
  );
  // One attempt: the gate itself repeats requests that are safe to repeat, and finds the outcome of unanswered ones.
  const transport = gate.transport(name);
  const { timeoutMs } = console.settings;
  const client = createClient({ transport, retry: { attempts: 1, arrivalMs: 0 }, timeoutMs, keepsKeys: true });
  const open: StreamTransport = (target, events) => gate.stream(name, target, events);
  const access: OpenedAccess = {
    ...upstream,
    carrier: { transport },
    client,
    urgent: client,
    once: client,
    isInProcess: true,
    streams: async () => ({ market: open, account: { transport: open, path: streamPaths.live } }),
  };
  const end = ending.move();
  return {
    console,
    markets: new SharedRead(),
    mandate: name,
    accounts: () => files.inForce.get(name)?.accounts ?? [],
    terms() {
      const mandate = files.inForce.get(name);
      return mandate && mandateText(mandate).trimEnd().split('\n');
    },
    access: async () => access,
    [Symbol.asyncDispose]: () => end.disposeAsync(),
  };
}
