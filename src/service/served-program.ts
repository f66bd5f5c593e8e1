import type { Environment } from '../exchange/engine/model.ts';
import { hashSecret, newKey } from '../wire/hosting/keys.ts';
import { Origins } from '../wire/hosting/origins.ts';
import { type HostOptions, type ListeningHost, listen } from '../wire/hosting/server.ts';
import { localOwner, type Principal } from './simulation/keys.ts';

/** What one program needs to take a simulation for the service that it was written for. */
export interface ProgramHost {
  environment: Environment;
  /** Of its key; default: `sim_`. */
  keyPrefix?: string | undefined;
  /** Host names that are served with TLS, in lower case; none: no TLS. */
  names: readonly string[];
  /** Ports at which it expects them: connections arrive by `take`, or at the first if that is free. */
  ports: readonly number[];
  /** Called with the reason when it does not accept the certificate. */
  onDistrust?: ((reason: string) => void) | undefined;
}

/** How that program is served. */
export interface ServedProgram {
  /** Valid as long as the service runs; stored nowhere. */
  key: string;
  /** With TLS, under the program's names; absent: it has none. */
  secure: SecureHost | undefined;
}

/** A host with TLS, and the authority (PEM) that its clients have to trust. */
export type SecureHost = ListeningHost & { readonly authority: string };

/** The program with its key, and who it is: the local owner, with trade scope. */
export function keyed(program: ProgramHost): ProgramHost & { key: string; principal: Principal } {
  const { environment, keyPrefix } = program;
  const key = newKey(environment, keyPrefix);
  const principal = {
    owner: localOwner,
    environment,
    scope: 'trade',
    kind: 'key',
    credentialHash: hashSecret(key),
  } as const;
  return { ...program, key, principal };
}

/** A host under other names, on the port at which they are expected if that is free, else on any. */
export async function secureHost(
  { names, ports, onDistrust }: ProgramHost,
  shared: Omit<HostOptions, 'port' | 'secure'>,
): Promise<SecureHost> {
  const { certificateFor } = await import('../wire/hosting/certificates.ts');
  const secure = certificateFor(names, Date.now());
  const host = {
    ...shared,
    secure,
    onDistrust,
    // No page reaches it but the program's own: it has a certificate that nobody else trusts.
    origins: new Origins('any'),
    names: { has: (name: string) => names.includes(name), inWords: names.join(', ') },
  };
  const listening = await listen({ ...host, port: ports[0]! }).catch(() => listen({ ...host, port: 0 }));
  return Object.assign(listening, { authority: secure.authority });
}
