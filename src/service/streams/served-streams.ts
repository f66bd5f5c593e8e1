import { jsonObjectIn } from '../../base/terms/json-object.ts';
import type { Environment } from '../../exchange/engine/model.ts';
import { closeCodes, streamPaths } from '../../wire/contract/streams.ts';
import { resumeOf } from '../../wire/hosting/account-stream.ts';
import { Failure } from '../../wire/hosting/failure.ts';
import { newRequestId } from '../../wire/hosting/read-request.ts';
import type { Outlet, StreamConnection, StreamHost, StreamRequest } from '../../wire/hosting/stream-host.ts';
import type { Service } from '../handlers/service.ts';
import { observedByOwner } from '../present/presenters.ts';
import { localPrincipal } from '../simulation/keys.ts';
import type { Streams } from './streams.ts';

/** The streams of a simulation on the host of an environment. */
export function servedStreams(service: Service, streams: Streams, environment: Environment): StreamHost {
  return {
    get isStopping() {
      return streams.isStopping;
    },
    get headers() {
      return service.ownHeaders;
    },
    failureOf: (error, requestId) => service.failureOf(error, requestId),
    async admit(request) {
      await service.simulation.passage?.catchUp();
      if (request.path === streamPaths.marketData)
        return (outlet) => streams.openMarket(outlet, () => doPingsCount(service, environment));
      return accountStream(service, streams, request);
    },
  };
}

/** The market stream has no credential, so it is the local user's accounts on this host that decide. */
function doPingsCount(service: Service, environment: Environment): boolean {
  const principal = localPrincipal(environment);
  return service.simulation.read((turn) => observedByOwner(principal, turn).pingsKeepStream ?? false);
}

function accountStream(
  service: Service,
  streams: Streams,
  { path, search, authorization }: StreamRequest,
): (outlet: Outlet) => StreamConnection {
  const principal = service.principal(authorization, path === streamPaths.live ? 'live' : 'test');
  const isStillAllowed = () => {
    try {
      return service.principal(authorization, principal.environment) !== null;
    } catch (error) {
      return !(error instanceof Failure);
    }
  };
  return (outlet) => {
    // A client has nothing to say here; one JSON object, such as its own ping, is ignored.
    const receive = (text: string) => {
      if (jsonObjectIn(text) === null) outlet.close(closeCodes.policy, 'a client sends nothing on this stream');
    };
    const connection = { receive, pinged: () => {}, waiting: 0 };
    try {
      return { ...connection, end: streams.openAccount(principal, outlet, resumeOf(search), isStillAllowed) };
    } catch (error) {
      const { code, message } = service.failureOf(error, newRequestId());
      outlet.send(JSON.stringify({ type: 'error', code, message }));
      outlet.close(1011, 'the state could not be read; try again');
      return { ...connection, end: () => {} };
    }
  };
}
