import { resolve } from 'node:path';
import { makePrivateFolder } from '../../../base/files/private-files.ts';
import { intentFolder, unsettledWrites } from '../../../desk/intents/intent-files.ts';
import { WriteKeeper } from '../../../desk/intents/keeper.ts';
import { type Destination, isSameLogin } from '../../../desk/intents/note.ts';
import { placesOf } from '../../../desk/intents/places.ts';
import { exposureProof } from '../../../desk/lock/trading-lock.ts';
import { recordOfWrite, Settler } from '../../../desk/writes/settlement.ts';
import { type Client as ApiClient, createClient } from '../../../wire/client/client.ts';
import { httpTransport } from '../../../wire/client/http-transport.ts';
import type { Intent } from '../../../wire/client/intent.ts';
import { defaultArrivalMs } from '../../../wire/client/retry.ts';
import { webSocketTransport } from '../../../wire/client/streams/web-socket.ts';
import { streamPaths } from '../../../wire/contract/streams.ts';
import type { Client, ConnectOptions, PendingWrite, SettledWrite } from './client-types.ts';
import { usable } from './errors.ts';
import { type Call, finisher, makeClient } from './make-client.ts';
import { aFunction, aText, attemptMs, checkOptions, type OptionCheck, oneOf } from './options.ts';

/**
 * Connects to a host of the API. Nothing is sent before the first call. Throws a {@link PerpError} for an address that
 * can't be used: without TLS to another machine, or with a user or query.
 */
export function connect(options: ConnectOptions): Client {
  checkOptions("The client can't be created:", options, connectOptions, ['baseUrl']);
  const { baseUrl, key, environment = 'live', timeoutMs = 15_000, onNote: note = () => {} } = options;
  const transport = usable('baseUrl', () => httpTransport(baseUrl));
  const credential = once(typeof key === 'function' ? key : () => key);
  const destination: Destination = { environment, baseUrl };
  [destination.place] = placesOf(process.env, destination);
  const journal = journalOf(options, destination, note);
  const client = createClient({
    transport,
    credential,
    timeoutMs,
    userAgent: 'perp',
    ...(journal !== undefined && { intents: journal.intents, prove: journal.prove }),
  });
  journal?.attach(client);
  const stream = (name: 'marketStreamUrl' | 'accountStreamUrl', withKey: boolean) => {
    const address = options[name];
    if (address === undefined) return undefined;
    return usable(name, () => webSocketTransport(address, withKey ? { credential } : {}));
  };
  const market = stream('marketStreamUrl', false);
  const account = stream('accountStreamUrl', true);
  const path = environment === 'live' ? streamPaths.live : streamPaths.test;
  return makeClient({
    call: client.call.bind(client),
    runBulk: client.runBulk.bind(client) as Call,
    finish: finisher(client, { timeoutMs, note, beforeOf: (intent) => journal?.keeper.beforeOf(intent) }),
    shown: () => journal?.keeper.shown(),
    streams: async () => ({ market, account: account === undefined ? undefined : { transport: account, path } }),
    underWay: journal?.underWay,
    pending: async () => journal?.pending() ?? [],
    settle: async (idle) => (await journal?.settle(client, idle)) ?? [],
    async close() {
      journal?.end();
      await transport.close();
    },
  });
}

const connectOptions: Readonly<Record<keyof ConnectOptions, OptionCheck>> = {
  baseUrl: aText,
  key: (value) => (typeof value === 'function' ? null : aText(value)),
  environment: oneOf('live', 'sandbox'),
  marketStreamUrl: aText,
  accountStreamUrl: aText,
  journal: (value) => (value === null ? null : aText(value)),
  timeoutMs: attemptMs,
  onNote: aFunction,
};

/** Stores a client's writes in a folder before they are sent; undefined: they are stored nowhere. */
function journalOf(
  { journal, timeoutMs = 15_000 }: ConnectOptions,
  destination: Destination,
  note: (text: string) => void,
) {
  if (journal === null) return undefined;
  const folder = journal ?? intentFolder(process.env);
  const now = Date.now;
  const keeper = new WriteKeeper({ folder, destination, timeoutMs, note, now });
  const sharing = sharingOf(folder);
  sharing.keepers.add(keeper);
  let client: ApiClient | undefined;
  const intents = {
    async beforeSend(intent: Intent) {
      makePrivateFolder(folder);
      return keeper.beforeSend(intent);
    },
    afterAnswer: keeper.afterAnswer.bind(keeper),
    waits: keeper.waits.bind(keeper),
  };
  // Beside perp's own folder, the guard stores its locks.
  const prove =
    journal === undefined
      ? (intent: Intent) => exposureProof(intent, { variables: process.env, destination, client: client!, now })
      : undefined;
  const kept = () => {
    for (const one of sharing.keepers) one.flush();
    return unsettledWrites(folder).writes.filter(({ note: written }) => isSameLogin(written, destination));
  };
  return {
    keeper,
    intents,
    prove,
    underWay: sharing.underWay,
    end() {
      keeper.end();
      sharing.keepers.delete(keeper);
    },
    attach(attached: ApiClient) {
      client = attached;
      keeper.attach(attached);
    },
    pending: () => kept().map((one): PendingWrite => recordFor(recordOfWrite(one.note))),
    async settle(through: ApiClient, idle: Promise<unknown>): Promise<SettledWrite[]> {
      // Two clients that look up the same write could both send it.
      const sent = new Set(kept().map((one) => one.note.id));
      await idle;
      const access = { client: through, intents: keeper, arrivalMs: defaultArrivalMs, close: async () => {} };
      const ways = { connect: async () => access, ask: async () => {}, isUnattended: true };
      const settler = new Settler({ signal: new AbortController().signal, machine: { now } }, ways);
      const settled: SettledWrite[] = [];
      for (const one of kept().filter((write) => sent.has(write.note.id))) {
        const { outcome, reason, ...record } = await settler.settle(one);
        const isKnown = outcome === 'done' || outcome === 'not_done';
        settled.push({ ...recordFor(record), outcome: isKnown ? outcome : 'unknown', reason });
      }
      return settled;
    },
  };
}

interface Sharing {
  readonly underWay: Set<Promise<unknown>>;
  readonly keepers: Set<WriteKeeper>;
}

const shared = new Map<string, Sharing>();

/**
 * The clients of this process that store their writes in the same folder: none settles a write that another has in
 * progress.
 */
function sharingOf(folder: string): Sharing {
  const path = resolve(folder);
  const known = shared.get(path) ?? { underWay: new Set(), keepers: new Set() };
  shared.set(path, known);
  return known;
}

function recordFor(record: ReturnType<typeof recordOfWrite>): PendingWrite {
  const { key, operation, account_id: accountId, client_order_id: clientOrderId, sent_at: sentAt } = record;
  return { key, operation, accountId, clientOrderId, sentAt };
}

function once<T>(ask: () => T | Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= Promise.resolve()
      .then(ask)
      .catch((error: unknown) => {
        asked = undefined;
        throw error;
      });
    return asked;
  };
}
