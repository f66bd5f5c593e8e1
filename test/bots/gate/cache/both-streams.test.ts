import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { BothStreams } from '../../../../src/bots/gate/cache/both-streams.ts';
import type { Session } from '../../../../src/desk/session/session.ts';
import { inProcessTransport } from '../../../../src/service/public.ts';
import { closeCodes, streamPaths } from '../../../../src/wire/contract/streams.ts';
import { temporaryDirectory } from '../../../service/temporary-directory.ts';
import { HandHeldStream, HandHeldTime, sessionOver } from '../hand-held.ts';

/** Both streams of a simulation, and how often its access was opened again. */
async function open(t: TestContext, environment: 'sim' | 'live') {
  const desk = await inProcessTransport({ stateDir: temporaryDirectory(t), seed: 7, clock: 'manual' });
  const time = new HandHeldTime();
  const upstream = new HandHeldStream(desk.stream, time);
  const parts = { transport: desk.transport, streams: { account: upstream.transport, market: desk.stream } };
  const inner = sessionOver({ ...parts, accountPath: streamPaths.live, time });
  const said: string[] = [];
  let again = 0;
  const session: Session = {
    ...inner,
    settings: { ...inner.settings, environment },
    access: (how) => {
      if (how === 'again') again += 1;
      return inner.access();
    },
  };
  const streams = new BothStreams(session, time, {
    frame() {},
    mark() {},
    time() {},
    live: () => said.push('live'),
    lost: () => said.push('lost'),
    note: (text) => said.push(text),
  });
  t.after(() => {
    streams.close();
    desk.close();
  });
  const arrive = async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      upstream.deliver(Number.POSITIVE_INFINITY);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await streams.open();
  await arrive();
  assert.deepEqual(said.splice(0), ['live']);
  return { streams, upstream, time, said, arrive, again: () => again };
}

const ended =
  'The account stream has ended, and the gate is opening it again: The service closed the account stream: cut.';

describe('both streams of a gate', () => {
  it('of a simulation that was lost or has another key are opened again, by a new access', async (t) => {
    const { streams, upstream, time, said, arrive, again } = await open(t, 'sim');
    upstream.break(closeCodes.unauthorized);
    assert.deepEqual([said.splice(0), streams.isAccountLive], [['lost', ended], false]);
    time.pass(1_000);
    await arrive();
    assert.deepEqual([said.splice(0), streams.isAccountLive, again()], [['live'], true, 1]);
  });

  it('of a host that no longer accepts the credential are tried again with it, less often', async (t) => {
    const { streams, upstream, time, said, arrive, again } = await open(t, 'live');
    upstream.break(closeCodes.unauthorized);
    time.pass(29_000);
    await arrive();
    assert.deepEqual([said.splice(0), streams.isAccountLive], [['lost', ended], false]);
    time.pass(1_000);
    await arrive();
    assert.deepEqual([said.splice(0), streams.isAccountLive, again()], [['live'], true, 0]);
  });

  it('are not opened again once they are closed', async (t) => {
    const { streams, upstream, time, said, arrive, again } = await open(t, 'sim');
    upstream.break(closeCodes.unauthorized);
    streams.close();
    time.pass(60_000);
    await arrive();
    assert.deepEqual([said, again()], [['lost', ended], 0]);
  });
});
