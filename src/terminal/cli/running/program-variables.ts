import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { stateFolder, type Variables, variable } from '../../../base/files/folders.ts';
import { libraryFolder } from '../../../base/self/self.ts';
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

/** Modules that Node and Python programs load before their own code, where no variable has the same effect. */
export interface Preloads {
  /** File of the certificates to trust; undefined: the program's own. */
  trust: string | undefined;
  /**
   * Host names and ports whose connections go to a port of this machine; undefined: the program's network handles that.
   */
  redirect: { hosts: readonly { name: string; port: number }[]; to: number } | undefined;
}

/**
 * Writes a file for Node programs: with it, `perp/client` and the other modules are those of this perp, unless the
 * program has its own perp, and connections to hosts are redirected. Returns the NODE_OPTIONS that load it, after the
 * existing ones.
 */
export function forNode(folder: string, { redirect }: Preloads, variables: Variables): string {
  const library = libraryFolder(stateFolder(variables));
  const options = variable(variables, 'NODE_OPTIONS');
  const root = JSON.stringify(pathToFileURL(join(library, 'package.json')).href);
  const redirecting = redirect === undefined ? '' : redirectInNode(redirect);
  // An old Node has no such hooks but must still start.
  const file = shown(
    join(folder, 'library.cjs'),
    `'use strict';
const { createRequire, registerHooks } = require('module');
if (registerHooks) registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('perp/') || context.parentURL === ${root}) return next(specifier, context);
    try {
      return next(specifier, context);
    } catch (error) {
      if (!/MODULE_NOT_FOUND$/.test(error.code)) throw error;
      const { href } = require('url').pathToFileURL(createRequire(${root}).resolve(specifier));
      return { url: href, shortCircuit: true };
    }
  },
});
${redirecting}`,
  );
  const ours = `--require ${JSON.stringify(file)}`;
  return options === undefined ? ours : `${options} ${ours}`;
}

/** The change to every Node socket: clients without proxy support, such as ws, connect here. */
function redirectInNode({ hosts, to }: NonNullable<Preloads['redirect']>): string {
  const known = JSON.stringify(hosts.map(({ name, port }) => `${name}:${port}`));
  return `
const { Socket } = require('net');
const { connect } = Socket.prototype;
const hosts = new Set(${known});
const isSimulated = (host, port) => typeof host === 'string' && hosts.has(host.toLowerCase() + ':' + port);
const redirected = (options) =>
  options !== null && typeof options === 'object' && isSimulated(options.host, options.port)
    ? Object.assign({}, options, { host: '127.0.0.1', port: ${to} })
    : options;
Socket.prototype.connect = function (...args) {
  if (Array.isArray(args[0])) args[0][0] = redirected(args[0][0]);
  else if (isSimulated(args[1], args[0])) args.splice(0, 2, ${to}, '127.0.0.1');
  else args[0] = redirected(args[0]);
  return connect.apply(this, args);
};
`;
}

/**
 * Writes a module that every Python loads when it starts: the certificates of certifi, which reads no variable, are
 * those of the run, and names are redirected. Returns the PYTHONPATH in which it is found.
 */
export function forPython(folder: string, { trust, redirect }: Preloads, path: string | undefined): string {
  const own = join(folder, 'python');
  mkdirSync(own);
  chmodSync(own, 0o755);
  const hosts = (redirect?.hosts ?? []).map(({ name, port }) => [name, port]);
  shown(
    join(own, 'sitecustomize.py'),
    `TRUST, HOSTS, PORT = ${JSON.stringify(trust ?? '')}, ${JSON.stringify(hosts)}, ${redirect?.to ?? 0}
${python}`,
  );
  return path === undefined || path === '' ? own : `${own}${delimiter}${path}`;
}

const python = `

def certifi(module):
    def where():
        return TRUST

    def contents():
        with open(TRUST, encoding="ascii") as file:
            return file.read()

    for one in (module, getattr(module, "core", module)):
        one.where, one.contents = where, contents


def socket(module):
    def getaddrinfo(host, port, *args, **options):
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
        number = int(port) if isinstance(port, str) and port.isdigit() else {"https": 443, "http": 80}.get(port, port)
        if isinstance(name, str) and [name.lower(), number] in HOSTS:
            host, port = "127.0.0.1", PORT
        return known(host, port, *args, **options)

    known, module.getaddrinfo = module.getaddrinfo, getaddrinfo


def load():
    import importlib.machinery
    import importlib.util
    import os
    import sys

    changes = {"certifi": certifi} if TRUST else {}
    if HOSTS:
        changes["socket"] = socket

    class Finder:
        @staticmethod
        def find_spec(name, path=None, target=None):
            change = changes.pop(name, None)
            spec = None if change is None else importlib.util.find_spec(name)
            if spec is None or spec.loader is None or isinstance(spec.loader, type):
                return spec
            run = spec.loader.exec_module

            def exec_module(module):
                run(module)
                change(module)

            spec.loader.exec_module = exec_module
            return spec

    for name in [name for name in changes if name in sys.modules]:
        changes.pop(name)(sys.modules[name])
    sys.meta_path.insert(0, Finder)
    # The module of this name that this one hides.
    here = os.path.dirname(os.path.abspath(__file__))
    others = [path for path in sys.path if os.path.abspath(path) != here]
    hidden = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if hidden is not None:
        hidden.loader.exec_module(importlib.util.module_from_spec(hidden))


# An old Python has no such modules, and must start all the same.
try:
    load()
except ImportError:
    pass
`;

/** The program may give up its privileges but must still be able to read it. */
function shown(file: string, content: string): string {
  writeFileSync(file, content);
  chmodSync(file, 0o644);
  return file;
}
