/** esbuild plugins that make commands start sooner, and one that makes them need no installed package. */
import { readFileSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Slow to load and used by few commands: loaded when one of their imports, which are all functions, is first called.
 */
const loadedWhenCalled = new Set([
  'node:child_process',
  'node:crypto',
  'node:os',
  'node:readline',
  'node:sea',
  'node:tty',
]);

/**
 * Loads Node's own modules with `process.getBuiltinModule`, in our sources, commander and chalk: for an import
 * statement, Node reads every property of the module, which loads code that nobody uses. Each importer gets its own
 * module that exports what it uses, so no two parts of the bundle share one and are split for it.
 */
export function builtins(root: string): Plugin {
  return {
    name: 'builtins',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^node:/ }, ({ path, importer, kind }) => {
        // A folder above this one may also be called src.
        const file = relative(root, importer);
        if (kind !== 'import-statement' || !/^(src|node_modules[\\/](commander|chalk))[\\/]/.test(file))
          return undefined;
        return { path: `${path} for ${file}`, namespace: 'builtin', sideEffects: false };
      });
      onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
        const [name, importer] = path.split(' for ') as [string, string];
        return { contents: builtin(name, importer), loader: 'js' };
      });
    },
  };
}

/** A module that exports everything the built-in one does; the bundler drops unused exports. */
function builtin(name: string, importer: string): string {
  // Commander starts a process for commands that are programs of their own; perp has none.
  if (name === 'node:child_process' && importer.includes('commander')) return 'export default {};';
  const module = `process.getBuiltinModule(${JSON.stringify(name)})`;
  const names = Object.keys(process.getBuiltinModule(name)!).filter((key) => /^[A-Za-z]\w*$/.test(key));
  const exported = names
    .filter((key) => key !== 'default')
    .map((key) =>
      loadedWhenCalled.has(name)
        ? `export const ${key} = (...given) => loaded().${key}(...given);`
        : `export const ${key} = /* @__PURE__ */ property(${JSON.stringify(key)});`,
    );
  return [
    'let module;',
    `const loaded = () => (module ??= ${module});`,
    'const property = (name) => loaded()[name];',
    ...exported,
    `export default /* @__PURE__ */ loaded();`,
  ].join('\n');
}

/** Makes each lazy part import what is always loaded before it (see loaded-together.ts). */
export function together(before: ReadonlyMap<string, readonly string[]>): Plugin {
  return {
    name: 'together',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const there = before.get(path);
        if (there === undefined) return undefined;
        const imports = there.map((file) => `import ${JSON.stringify(file)};`);
        return { contents: [readFileSync(path, 'utf8'), ...imports].join('\n'), loader: 'ts' };
      });
    },
  };
}

/** The chart library is read as text: its text becomes part of the bundle. */
export const chartLibraryInside: Plugin = {
  name: 'chart-library',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /[\\/]chart-library\.ts$/ }, () => ({ path: 'chart-library', namespace: 'chart-library' }));
    onLoad({ filter: /.*/, namespace: 'chart-library' }, () => {
      const contents = `import text from './lightweight-charts.standalone.production.js' with { type: 'text' };
export const chartLibrary = () => text;`;
      const resolveDir = join(import.meta.dirname, '../node_modules/lightweight-charts/dist');
      return { contents, loader: 'js', resolveDir };
    });
  },
};

/** undici supports HTTP/2, which perp turns off; leaving it out saves startup time. */
export const withoutHttp2: Plugin = {
  name: 'without-http2',
  setup({ onLoad }) {
    onLoad({ filter: /undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/ }, () => ({
      contents: "module.exports = () => { throw new Error('HTTP/2 is off'); };",
      loader: 'js',
    }));
  },
};

/**
 * What perp takes from undici's index, each part loaded when it is first used; its mocks, caches and interceptors would
 * be a third of a megabyte more.
 */
export const partsOfUndici: Plugin = {
  name: 'parts-of-undici',
  setup({ onLoad }) {
    onLoad({ filter: /undici[\\/]index\.js$/ }, () => ({
      // The index gives all dispatchers the methods of its interface, of which a proxy's connections need connect; and
      // fetch defines what a request's body may be before a WebSocket needs requests.
      contents: `
module.exports = {
  get buildConnector() { return require('./lib/core/connect'); },
  get Client() { return require('./lib/dispatcher/client'); },
  get Agent() { return require('./lib/dispatcher/agent'); },
  get Pool() {
    require('./lib/dispatcher/dispatcher').prototype.connect = require('./lib/api/api-connect');
    return require('./lib/dispatcher/pool');
  },
  get ProxyAgent() { return require('./lib/dispatcher/proxy-agent'); },
  get WebSocket() {
    require('./lib/web/fetch');
    return require('./lib/web/websocket/websocket').WebSocket;
  },
  get ping() { return require('./lib/web/websocket/websocket').ping; },
  get fetch() { return require('./lib/web/fetch').fetch; },
};`,
      loader: 'js',
    }));
  },
};

/**
 * undici's HTTP parser is WebAssembly, one large function of which V8 compiles again, optimized, after three answers: a
 * tenth of a second of another core, for which a process that ends has to wait. With this budget it does after
 * hundreds, so commands do without, and what runs longer gets it. V8 reads its budget when a module is made; it is put
 * back then, because compiled code is only used under the flags it was compiled under. Where V8's own budget is not
 * known, nothing is changed.
 */
export const patientParser: Plugin = {
  name: 'patient-parser',
  setup({ onLoad }) {
    onLoad({ filter: /undici[\\/]lib[\\/]dispatcher[\\/]client-h1\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replaceAll('new WebAssembly.Module(', 'patientModule(');
      if (contents === text) throw new Error(`${path} makes no WebAssembly module`);
      return {
        contents: `${contents}
function patientModule(bytes) {
  if (!/^1(?:3\\.6|4\\.6)\\./.test(process.versions.v8)) return new WebAssembly.Module(bytes);
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString('--wasm-tiering-budget=1000000000');
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    setFlagsFromString('--wasm-tiering-budget=13000000');
  }
}`,
        loader: 'js',
      };
    });
  },
};

/**
 * Commander looks for letters of any script before the dots of an option, which takes longer than reading all options:
 * perp's are ASCII.
 */
export const asciiOptions: Plugin = {
  name: 'ascii-options',
  setup({ onLoad }) {
    onLoad({ filter: /commander[\\/]lib[\\/]option\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replace('/\\p{ID_Continue}\\.\\.\\.[>\\]]$/u', '/\\w\\.\\.\\.[>\\]]$/');
      if (contents === text) throw new Error(`${path} reads options in another way`);
      return { contents, loader: 'js' };
    });
  },
};

/** undici knows proxies of SOCKS, which perp refuses. */
export const withoutSocks: Plugin = {
  name: 'without-socks',
  setup({ onLoad }) {
    onLoad({ filter: /undici[\\/]lib[\\/]dispatcher[\\/]socks5-proxy-agent\.js$/ }, () => ({
      contents: "module.exports = class { constructor() { throw new Error('SOCKS is off'); } };",
      loader: 'js',
    }));
  },
};

/**
 * The protocol library can check data by JSON Schema with a copy of Ajv, a third of its size. perp's own contract
 * checks what tools are given.
 */
export const withoutAjv: Plugin = {
  name: 'without-ajv',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({
      path,
      namespace: 'without-ajv',
    }));
    onLoad({ filter: /.*/, namespace: 'without-ajv' }, () => ({
      contents: `export { default as process } from 'node:process';
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('no schema is checked by the protocol library');
  }
}`,
      loader: 'js',
    }));
  },
};

/** undici uses assertions; node:assert, loaded only for that, is slow to start. */
export const plainAssertions: Plugin = {
  name: 'plain-assertions',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:assert$/ }, ({ path, importer }) =>
      /[\\/]undici[\\/]/.test(importer) ? { path, namespace: 'plain-assertion' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'plain-assertion' }, () => ({
      contents:
        "module.exports = (holds, why = 'undici: an assertion failed') => { if (!holds) throw why instanceof Error ? why : new Error(why); };",
      loader: 'js',
    }));
  },
};

/**
 * undici takes two small things from node:http, which is slow to start: a class that perp never gives it, and a
 * default.
 */
export const withoutNodeHttp: Plugin = {
  name: 'without-node-http',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:http$/ }, ({ path, importer }) =>
      /[\\/]undici[\\/]lib[\\/](core[\\/]util|dispatcher[\\/]client)\.js$/.test(importer)
        ? { path, namespace: 'without-node-http' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'without-node-http' }, () => ({
      contents: `module.exports = { IncomingMessage: class {}, maxHeaderSize: ${maxHeaderSize} };`,
      loader: 'js',
    }));
  },
};
