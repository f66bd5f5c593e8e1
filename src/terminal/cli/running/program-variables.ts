import { existsSync, readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { type Variables, variable } from '../../../base/files/folders.ts';
import { noProfile } from '../../console/settings/config-keys.ts';
import { trustFiles } from './network.ts';

/** The values of a program's variables. */
interface ProgramFacts {
  key: string;
  /** Base URLs of live and the sandbox, and which of them the program's own variables get. */
  urls: { live: string; test: string };
  environment: 'live' | 'test';
  keyVariables: readonly string[];
  urlVariables: readonly string[];
  state: string;
  stateDir: string;
  /** Options of Node, for programs that import perp. */
  nodeOptions: string;
  /** The first place where Python looks for modules; undefined: unchanged. */
  pythonPath: string | undefined;
  /** File of the certificates to trust; undefined: no file. */
  trust: string | undefined;
  /** Address of its proxy; undefined if none. */
  proxy: string | undefined;
  /** Hosts that it reaches without its proxy. */
  direct: readonly string[];
}

/** Where programs look for the certificates that they trust. */
const trustVariables = [
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'NODE_EXTRA_CA_CERTS',
  'WEBSOCKET_CLIENT_CA_BUNDLE',
  'HTTPLIB2_CA_CERTS',
  'DENO_CERT',
  'NIX_SSL_CERT_FILE',
];

/** The variables of a program that takes the simulation for its service. */
export function programVariables(own: Variables, facts: ProgramFacts): NodeJS.ProcessEnv {
  const { key, urls, environment, state, stateDir, nodeOptions, trust, proxy } = facts;
  const ws = (url: string) => url.replace(/^http/, 'ws');
  const named = (names: readonly string[], value: string) => Object.fromEntries(names.map((name) => [name, value]));
  return {
    ...own,
    // A perp in it means this simulation.
    PERP_ENV: 'sim',
    PERP_PROFILE: noProfile,
    PERP_STATE: state,
    PERP_STATE_DIR: stateDir,
    PERP_API_KEY: key,
    PERP_BASE_URL: urls.live,
    PERP_SANDBOX_URL: urls.test,
    PERP_MARKET_STREAM_URL: ws(urls[environment]),
    PERP_ACCOUNT_STREAM_URL: ws(urls.live),
    PERP_SANDBOX_ACCOUNT_STREAM_URL: ws(urls.test),
    NODE_OPTIONS: nodeOptions,
    ...(facts.pythonPath !== undefined && { PYTHONPATH: facts.pythonPath }),
    ...(trust !== undefined && { ...named(trustVariables, trust), JAVA_TOOL_OPTIONS: javaOptions(own, trust) }),
    ...(proxy !== undefined && proxied(own, proxy, facts.direct)),
    ...named(facts.keyVariables, key),
    ...named(facts.urlVariables, urls[environment]),
  };
}

/** The Java trust store beside a file of certificates. */
export function javaTrustFile(trust: string): string {
  return trust.replace(/\.pem$/, '.jks');
}

function javaOptions(own: Variables, trust: string): string {
  const before = variable(own, 'JAVA_TOOL_OPTIONS');
  const ours = `"-Djavax.net.ssl.trustStore=${javaTrustFile(trust)}" -Djavax.net.ssl.trustStoreType=JKS`;
  return before === undefined ? ours : `${ours} ${before}`;
}

function proxied(own: Variables, proxy: string, direct: readonly string[]): NodeJS.ProcessEnv {
  const known = variable(own, 'no_proxy') ?? variable(own, 'NO_PROXY');
  const none = [...(known === undefined ? [] : [known]), ...direct].join(',');
  // Node's own fetch and http use the others only with the last.
  return { HTTPS_PROXY: proxy, https_proxy: proxy, NO_PROXY: none, no_proxy: none, NODE_USE_ENV_PROXY: '1' };
}

/** The certificates that programs here already trust, plus one more (PEM). */
export function trusting(own: Variables, authority: string): string {
  const files = [variable(own, 'SSL_CERT_FILE'), ...trustFiles];
  const file = files.find((name) => name !== undefined && existsSync(name));
  const known = file === undefined ? rootCertificates.join('\n') : readFileSync(file, 'utf8');
  return `${known.trimEnd()}\n${authority}`;
}
