import type { AccountFollowerOptions } from '../../client/streams/account-follower.ts';
import type { AccountFrame } from '../../contract/streams.ts';
import type { StreamHosts } from '../context/connection.ts';
import type { Context } from '../context/context.ts';

type Hearing = Pick<AccountFollowerOptions, 'onFrame' | 'onState' | 'onEnd'>;

/** Follows the account stream; returns how to stop. A connection that is refused is asked about over REST. */
export async function followAccounts(
  context: Context,
  host: NonNullable<StreamHosts['account']>,
  hearing: Hearing,
): Promise<() => void> {
  const { AccountFollower } = await import('../../client/streams/account-follower.ts');
  const probe = async () => {
    await context.call('listAccounts', {}).catch((error: Error & { retryable?: boolean }) => {
      if (error.name === 'ApiError' && error.retryable !== true) throw error;
    });
  };
  const follower = new AccountFollower({ ...host, ...hearing, probe });
  return () => follower.close();
}

/** Waits for changes of the accounts, where the host tells of them; elsewhere only time passes. */
export interface Changes extends AsyncDisposable {
  /** Whether the host tells. */
  readonly areTold: boolean;
  /** Resolves with the next change that is asked for, or after so long; rejects at Ctrl-C. */
  wait(ms: number, isIt?: (frame: AccountFrame) => boolean): Promise<void>;
}

/** What comes of a host without a stream, or whose stream does not answer, is found by looking again and again. */
export async function accountChanges(context: Context): Promise<Changes> {
  const { account } = await (await context.connection()).streams();
  let areTold = false;
  let onFrame = (_frame: AccountFrame) => {};
  const stop =
    account === undefined
      ? () => {}
      : await followAccounts(context, account, {
          onFrame: (frame) => onFrame(frame),
          onState: ({ kind }) => {
            areTold = kind === 'live';
          },
          onEnd: () => {
            areTold = false;
          },
        });
  return {
    get areTold() {
      return areTold;
    },
    async wait(ms, isIt = isChange) {
      const changed = new AbortController();
      onFrame = (frame) => {
        if (isIt(frame)) changed.abort();
      };
      const { setTimeout: delay } = await import('node:timers/promises');
      const signal = AbortSignal.any([context.signal, changed.signal]);
      await delay(ms, undefined, { signal }).catch((error) => {
        if (!changed.signal.aborted || context.signal.aborted) throw error;
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
