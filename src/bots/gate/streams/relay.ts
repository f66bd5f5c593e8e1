import { closeCodes } from '../../../wire/contract/streams.ts';
import type { StreamTransport } from '../../../wire/contract/wire.ts';
import {
  maxBufferedBytes,
  type Outlet,
  type StreamConnection,
  tooSlowReason,
} from '../../../wire/hosting/stream-host.ts';

/** Close codes that say that there was none, and can't be sent. */
const unsendable: readonly number[] = [1004, 1005, 1006, 1015];
/** Frames of a client that may wait until the stream is open. */
const mostHeld = 256;

/** Passes a stream of the service through as it is, in both directions; `ended` is called once. */
export function relay(transport: StreamTransport, target: string, outlet: Outlet, ended: () => void): StreamConnection {
  let held: string[] | undefined = [];
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    stream.close();
    ended();
  };
  const refuse = (code: number, reason: string) => {
    end();
    outlet.close(code, reason);
  };
  const stream = transport(target, {
    opened() {
      for (const text of held ?? []) stream.send(text);
      held = undefined;
    },
    text(text) {
      if (isOver) return;
      if (outlet.buffered > maxBufferedBytes) refuse(closeCodes.tooSlow, tooSlowReason);
      else outlet.send(text);
    },
    closed({ code, reason }) {
      if (isOver) return;
      isOver = true;
      ended();
      outlet.close(unsendable.includes(code) ? 1012 : code, reason.slice(0, 100) || 'the service ended the stream');
    },
  });
  return {
    receive(text) {
      if (held === undefined) stream.send(text);
      else if (held.push(text) > mostHeld) refuse(closeCodes.policy, 'too many frames before the stream was open');
    },
    pinged() {},
    waiting: 0,
    end,
  };
}
