import { Failure, usageFailure } from '../../base/failure/failure.ts';
import { streamAddresses } from '../../base/files/folders.ts';
import { stretch } from '../../base/text/format.ts';
import type { MarketFollower } from '../../wire/client/streams/market-follower.ts';
import {
  anotherRun,
  isRefusedForGood,
  StreamEndError,
  type StreamState,
  StreamTable,
  type Subject,
  unaddressed,
} from '../../wire/client/streams/stream-state.ts';
import type { Market } from '../../wire/contract/markets.ts';
import { maxSymbols } from '../../wire/contract/streams.ts';
import type { Session, StreamHosts } from '../session/session.ts';

/** The account stream of the environment; a usage failure if its address is not set. */
export async function accountHost(session: Session): Promise<NonNullable<StreamHosts['account']>> {
  const { account } = await (await session.access()).streams();
  return account ?? missing(session, 'account');
}

/** The market-data stream; a usage failure if its address is not set. */
export async function marketHost(session: Session): Promise<NonNullable<StreamHosts['market']>> {
  const { market } = await (await session.access()).streams();
  return market ?? missing(session, 'market');
}

/**
 * Reads something from the market-data stream, and closes it. `stopped` rejects if the stream is refused, and on Ctrl-C.
 * Quiet: says nothing about the stream.
 */
export async function readMarketStream<T>(
  session: Session,
  read: (follower: MarketFollower, stopped: Promise<never>) => Promise<T>,
  isQuiet = false,
): Promise<T> {
  const transport = await marketHost(session);
  const { MarketFollower } = await import('../../wire/client/streams/market-follower.ts');
  const refused = Promise.withResolvers<never>();
  const stopped = Promise.race([refused.promise, aborted(session.signal)]);
  stopped.catch(() => {});
  const onState = isQuiet ? () => {} : stateReporter(session, 'market', new StreamTable(), refused.reject);
  const follower = new MarketFollower({ transport, onState });
  try {
    return await read(follower, stopped);
  } finally {
    follower.close();
  }
}

/** Rejects with the signal's reason once it is aborted. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function missing(session: Session, which: Subject): never {
  const { environment, profile } = session.settings;
  const [name, key] = streamAddresses[environment as 'live' | 'sandbox'][which];
  throw usageFailure(
    unaddressed(streamNames[which]),
    profile === undefined
      ? `Set ${name}, or run: perp config set ${key} wss://...`
      : `Run: perp config set profiles.${profile}.${which}_stream_url wss://...`,
  );
}

/**
 * Keeps the table current, and prints stream problems on stderr. A first handshake that would be refused again goes to
 * `refused`.
 */
export function stateReporter(
  session: Session,
  subject: Subject,
  table: StreamTable,
  refused: (error: StreamEndError) => void,
): (state: StreamState) => void {
  const tell = stateNotes(session, subject, table);
  return (state) => {
    table.took(subject, state);
    if (state.kind !== 'reconnecting' || table.of(subject).wasAccepted || !isRefusedForGood(state.end)) tell(state);
    else
      refused(new StreamEndError(`The ${streamNames[subject]} stream is not available: ${state.reason}.`, state.end));
  };
}

/** Prints stream problems on stderr; the table already knows them. */
export function stateNotes(session: Session, subject: Subject, table: StreamTable): (state: StreamState) => void {
  let isTold = false;
  return (state) => {
    const { wasAccepted } = table.of(subject);
    if (state.kind === 'reconnecting')
      session.note(
        `${wasAccepted ? 'Lost the' : 'No'} stream: ${state.reason.replace(/\.$/, '')}. ${wasAccepted ? 'Reconnecting' : 'Trying again'} in ${stretch(Math.max(1000, state.inMs))}.`,
      );
    else if (state.kind === 'stale') session.note(`The stream has been silent for ${stretch(state.silentMs)}.`);
    else if (isTold) session.note('The stream has recovered.');
    isTold = state.kind !== 'live';
  };
}

/** The name of each stream. */
export const streamNames: Readonly<Record<Subject, string>> = { market: 'market-data', account: 'account' };

/** Maximum number of symbols of one provider per subscription. */
export function byProvider(markets: readonly Market[]): { provider: string; symbols: string[] }[] {
  const groups: { provider: string; symbols: string[] }[] = [];
  for (const { provider, coin } of markets) {
    let group = groups.findLast((one) => one.provider === provider && one.symbols.length < maxSymbols);
    if (group === undefined) {
      group = { provider, symbols: [] };
      groups.push(group);
    }
    if (!group.symbols.includes(coin)) group.symbols.push(coin);
  }
  return groups;
}

/** The failure for a subscription that the stream refuses. */
export function streamRefusal(message: string): Failure {
  return new Failure({
    code: 'stream_refused',
    message: `The stream refused the subscription: ${message}.`,
    hint: 'perp markets lists the markets.',
  });
}

/** How often a simulation in this process is asked which run it is, ms: another process may have reset it. */
const runMs = 1_000;

/**
 * Ends work that belongs to one run of a simulation when another one begins; returns a function that stops watching.
 */
export function untilAnotherRun(session: Session, ended: (error: Failure) => void): () => void {
  const forget = session.memory.onRun((_, before) => {
    if (before === undefined) return;
    ended(
      new Failure({
        code: 'another_run',
        message: anotherRun,
        hint: 'Start the command again; its run of the simulation has ended.',
      }),
    );
  });
  if (session.settings.environment !== 'sim') return forget;
  // A missing one may be served elsewhere, under another key, or not at all.
  const look = () =>
    void session.call('simStatus', {}).catch(async (error: { code?: unknown; status?: unknown }) => {
      if (error.code === 'no_connection' || error.status === 401) await session.access('again').catch(() => {});
    });
  look();
  const timer = setInterval(look, runMs);
  return () => {
    forget();
    clearInterval(timer);
  };
}
