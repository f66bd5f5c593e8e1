import { pathEnd } from '../../../base/files/folders.ts';
import { withoutEnd } from '../../../base/text/plain-text.ts';
import { createClient } from '../../../wire/client/client.ts';
import { httpTransport } from '../../../wire/client/http-transport.ts';
import { webSocketTransport } from '../../../wire/client/streams/web-socket.ts';
import { streamPaths } from '../../../wire/contract/streams.ts';
import { usable } from '../client/errors.ts';
import { type Call, finisher, makeClient } from '../client/make-client.ts';
import { aText, checkOptions } from '../client/options.ts';
import { nothingKept, simulationOf } from './simulation.ts';
import type { OpenedSimulation, ServedSimulation } from './simulation-types.ts';

/** Connects to a simulation that another process serves. Nothing is sent before the first call. */
export function connectSimulation(served: ServedSimulation): OpenedSimulation {
  const { baseUrl, key } = served;
  // A service file has more than these.
  checkOptions("The client can't be created:", { baseUrl, key }, { baseUrl: aText, key: aText }, ['baseUrl', 'key']);
  const transport = usable('baseUrl', () => httpTransport(baseUrl));
  const origin = withoutEnd(baseUrl.replace(/^http/, 'ws').replace(pathEnd, ''), '/');
  const credential = async () => key;
  const api = createClient({ transport, credential, keepsKeys: true });
  const call = api.call.bind(api);
  const market = webSocketTransport(origin);
  const account = { transport: webSocketTransport(origin, { credential }), path: streamPaths.live };
  const client = makeClient({
    ...nothingKept,
    call,
    runBulk: api.runBulk.bind(api) as Call,
    finish: finisher(api),
    streams: async () => ({ market, account }),
    close: () => transport.close(),
  });
  return simulationOf(client, call, async () => {});
}
