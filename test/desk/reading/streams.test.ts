import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accountChanges } from '../../../src/desk/reading/account-changes.ts';
import { byProvider, stateNotes } from '../../../src/desk/reading/streams.ts';
import type { Session } from '../../../src/desk/session/session.ts';
import { type StreamState, StreamTable } from '../../../src/wire/client/streams/stream-state.ts';
import type { Market } from '../../../src/wire/contract/markets.ts';

const live: StreamState = { kind: 'live' };
const lost = (inMs: number) =>
  ({ kind: 'reconnecting', inMs, reason: 'the server closed it.', end: { code: 1006, reason: '' } }) as StreamState;

describe('notes about a stream', () => {
  /** What is said on stderr while a stream goes through these states. */
  const said = (...states: StreamState[]) => {
    const notes: string[] = [];
    const table = new StreamTable(() => 0);
    const tell = stateNotes({ note: (text: string) => notes.push(text) } as unknown as Session, 'market', table);
    for (const state of states) {
      tell(state);
      table.took('market', state);
    }
    return notes;
  };

  it('say nothing while it works', () => {
    assert.deepEqual(said(live, live), []);
  });

  it('say that there is none yet, or that it was lost, when it is tried again, and that it has recovered, once', () => {
    assert.deepEqual(said(lost(200), live, live), [
      'No stream: the server closed it. Trying again in 1s.',
      'The stream has recovered.',
    ]);
    assert.deepEqual(said(live, lost(4_000), live), [
      'Lost the stream: the server closed it. Reconnecting in 4s.',
      'The stream has recovered.',
    ]);
  });

  it('say for how long it has been silent', () => {
    assert.deepEqual(said(live, { kind: 'stale', silentMs: 30_000 }, live), [
      'The stream has been silent for 30s.',
      'The stream has recovered.',
    ]);
  });
});

describe('subscriptions', () => {
  it('name the markets of one provider together, each once, in groups that the service takes', () => {
    const market = (provider: string, coin: string) => ({ provider, coin }) as Market;
    const many = Array.from({ length: 250 }, (_, at) => market('binance', `C${at}`));
    const groups = byProvider([market('bybit', 'BTC'), ...many, market('bybit', 'ETH'), market('bybit', 'BTC')]);
    assert.deepEqual(groups[0], { provider: 'bybit', symbols: ['BTC', 'ETH'] });
    const binance = groups.filter(({ provider }) => provider === 'binance').map(({ symbols }) => symbols);
    assert.deepEqual([...new Set(binance.flat())].length, 250);
    assert.ok(binance.length > 1 && binance.slice(0, -1).every(({ length }) => length === binance[0]!.length));
  });
});

describe('changes of an account', () => {
  it('are waited for no longer than somebody listens', { timeout: 60_000 }, async () => {
    const access = async () => ({ streams: async () => ({ account: undefined }) });
    const session = { access, signal: new AbortController().signal } as unknown as Session;
    const changes = await accountChanges(session);
    const waiting = changes.wait(3_600_000);
    await changes[Symbol.asyncDispose]();
    await waiting;
    assert.equal(changes.areTold, false);
  });
});
