import { closeCodes, streamPaths } from '../../contract/streams.ts';
import type { OpenedStream, StreamEvents } from '../../contract/wire.ts';
import type { Principal } from '../keys.ts';
import { resumeOf } from './account-stream.ts';
import type { Outlet } from './outlet.ts';
import type { Streams } from './streams.ts';

/** Opens a stream for a reader in this process: the same frames as over a WebSocket, without one. */
export function openInProcess(
  streams: Promise<Streams>,
  principal: Principal,
  target: string,
  events: StreamEvents,
): OpenedStream {
  let isOver = false;
  let receive = (_text: string) => {};
  let end = () => {};
  const closed = (code: number, reason: string) => {
    if (isOver) return;
    isOver = true;
    end();
    events.closed({ code, reason });
  };
  const outlet: Outlet = {
    send: (text) => {
      if (!isOver) events.text(text);
    },
    buffered: 0,
    close: closed,
  };
  streams
    .then((opened) => {
      if (isOver) return;
      if (opened.isStopping) return closed(closeCodes.goingAway, 'the simulation was closed');
      const [path = '', query = ''] = target.split('?');
      if (path === streamPaths.marketData) {
        const session = opened.openMarket(outlet);
        ({ receive, end } = session);
        events.opened();
        return;
      }
      events.opened();
      end = opened.openAccount(principal, outlet, resumeOf(new URLSearchParams(query)), () => true);
    })
    .catch((error: Error) => closed(1011, error.message));
  return {
    send(text) {
      // An answer never arrives before the request was sent, as over a network.
      queueMicrotask(() => {
        if (!isOver) receive(text);
      });
    },
    close() {
      isOver = true;
      end();
    },
  };
}
