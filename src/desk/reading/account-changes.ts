import type { AccountFollowerOptions } from '../../client/streams/account-follower.ts';
import { StreamTable } from '../../client/streams/stream-table.ts';
import type { AccountFrame } from '../../contract/streams.ts';
import { exitCodes, Failure } from '../../ground/failure/failure.ts';
import type { Session, StreamHosts } from '../session/session.ts';

type Listener = Pick<AccountFollowerOptions, 'onFrame' | 'onState' | 'onEnd'>;

/** Follows the account stream; returns a function that stops it. A refused connection is checked over REST. */
export async function followAccounts(
  session: Session,
  host: NonNullable<StreamHosts['account']>,
  listener: Listener,
): Promise<() => void> {
  const { AccountFollower } = await import('../../client/streams/account-follower.ts');
  const probe = async () => {
    await session.call('listAccounts', {}).catch((error: Error & { retryable?: boolean }) => {
      if (error.name === 'ApiError' && error.retryable !== true) throw error;
      // Without a credential there is nothing to wait for.
      if (error instanceof Failure && error.facts.exit === exitCodes.notAllowed) throw error;
    });
  };
  const timing = session.machine.stage?.timers;
  const follower = new AccountFollower({ ...host, ...listener, probe, timing });
  return () => follower.close();
}

/** Waits for account changes if the host reports them; otherwise only for time to pass. */
export interface Changes extends AsyncDisposable {
  /** Whether the host reports changes. */
  readonly areTold: boolean;
  /** Resolves with the next matching change, or after this time; rejects on Ctrl-C. */
  wait(ms: number, isIt?: (frame: AccountFrame) => boolean): Promise<void>;
}

/** Without a working stream, changes are found by polling. */
export async function accountChanges(session: Session): Promise<Changes> {
  const { account } = await (await session.access()).streams();
  const table = new StreamTable();
  let onFrame = (_frame: AccountFrame) => {};
  const stop =
    account === undefined
      ? () => {}
      : await followAccounts(session, account, {
          onFrame: (frame) => onFrame(frame),
          onState: (state) => table.took('account', state),
          onEnd: ({ message }) => table.took('account', { kind: 'ended', reason: message }),
        });
  return {
    get areTold() {
      return table.isLive('account');
    },
    async wait(ms, isIt = isChange) {
      const changed = new AbortController();
      onFrame = (frame) => {
        if (isIt(frame)) changed.abort();
      };
      const { setTimeout: delay } = await import('node:timers/promises');
      const signal = AbortSignal.any([session.signal, changed.signal]);
      await delay(ms, undefined, { signal }).catch((error) => {
        if (!changed.signal.aborted || session.signal.aborted) throw error;
      });
      onFrame = () => {};
    },
    async [Symbol.asyncDispose]() {
      stop();
    },
  };
}

function isChange({ type }: AccountFrame): boolean {
  return type === 'order' || type === 'fill' || type === 'position' || type === 'account';
}
