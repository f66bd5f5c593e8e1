import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stateFolder, type Variables, variable } from '../../../base/files/folders.ts';
import { libraryFolder } from '../../../base/self/self.ts';

/** Modules that Node and Python programs load before their own code, where no variable has the same effect. */
export interface Preloads {
  /** File of the certificates to trust; undefined: those of the program. */
  trust: string | undefined;
  /**
   * Host names and ports whose connections go to a port of this machine; undefined: the program's network does that.
   */
  redirect: { hosts: readonly { name: string; port: number }[]; to: number } | undefined;
}

/**
 * Writes a file for programs of Node: with it, `perp/client` and the others are those of this perp, unless the program
 * has its own perp, and connections to hosts are redirected. Returns the NODE_OPTIONS that load it, after those that
 * there are.
 */
export function forNode(folder: string, { redirect }: Preloads, variables: Variables): string {
  const library = libraryFolder(stateFolder(variables));
  const options = variable(variables, 'NODE_OPTIONS');
  const root = JSON.stringify(pathToFileURL(join(library, 'package.json')).href);
  const redirecting = redirect === undefined ? '' : redirectInNode(redirect);
  // An old Node has no such hooks, and must start all the same.
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

/** The program may give up its privileges, and still has to read it. */
function shown(file: string, content: string): string {
  writeFileSync(file, content);
  chmodSync(file, 0o644);
  return file;
}
