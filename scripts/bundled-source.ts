/** esbuild plugins that make commands start sooner, and one that makes them need no installed package. */
import { readFileSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

/**
 * Slow to load and used by few commands: loaded when one of their imports, which are all functions, is first called.
 */
const loadedWhenCalled = new Set(['node:child_process', 'node:crypto', 'node:os', 'node:readline', 'node:tty']);

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
        if (kind !== 'import-statement' || !/[\\/](src|node_modules[\\/](commander|chalk))[\\/]/.test(importer))
          return undefined;
        return { path: `${path} for ${relative(root, importer)}`, namespace: 'builtin', sideEffects: false };
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
      const entry = import.meta.resolve('lightweight-charts');
      const script = fileURLToPath(new URL('lightweight-charts.standalone.production.js', entry));
      const contents = `import text from ${JSON.stringify(script)} with { type: 'text' };
export const chartLibrary = () => text;`;
      return { contents, loader: 'js', resolveDir: dirname(script) };
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

/** What perp takes from undici's index; its mocks, caches and interceptors would be a third of a megabyte more. */
export const partsOfUndici: Plugin = {
  name: 'parts-of-undici',
  setup({ onLoad }) {
    onLoad({ filter: /undici[\\/]index\.js$/ }, () => ({
      // fetch defines what a request's body may be before a WebSocket needs requests, as in undici's own order.
      contents: `
const { fetch } = require('./lib/web/fetch');
module.exports = {
  Agent: require('./lib/dispatcher/agent'),
  EnvHttpProxyAgent: require('./lib/dispatcher/env-http-proxy-agent'),
  WebSocket: require('./lib/web/websocket/websocket').WebSocket,
  fetch,
};`,
      loader: 'js',
    }));
  },
};

/**
 * The protocol library can check data by JSON Schema with a copy of Ajv, a third of its size. perp's own contract checks
 * what tools are given.
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

/** undici takes two small things from node:http, which is slow to start: a class that perp never gives it, and a default. */
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
