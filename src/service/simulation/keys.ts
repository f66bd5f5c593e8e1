import type { Environment } from '../../exchange/engine/model.ts';

/** The identity behind a request: the owner of a credential, where it is valid, and its scope (API 5). */
export interface Principal {
  owner: string;
  environment: Environment;
  scope: 'read' | 'trade';
  /** `local`: the local user, in process or with the service file's key; may use `/sim/`. */
  kind: 'key' | 'session' | 'local';
  /** Hash of the credential; absent for `local`. */
  credentialHash?: string;
}

/** Owner of everything the local user creates. */
export const localOwner = 'local';

/** The principal of in-process use: no key, trade scope (simulation 8.1). */
export function localPrincipal(environment: Environment): Principal {
  return { owner: localOwner, environment, scope: 'trade', kind: 'local' };
}

/** The principal of an operation that needs no credential. */
export function anonymous(environment: Environment): Principal {
  return { owner: '', environment, scope: 'read', kind: 'key' };
}
