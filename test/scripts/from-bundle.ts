/**
 * For tests of the network that run again with the code that is shipped: instead of these sources, their parts of the
 * bundle in the folder PERP_BUNDLE are loaded. Errors are known by their names, because the bundle has classes of its
 * own.
 *
 *   PERP_BUNDLE=/folder/of/perp node --import ./test/scripts/from-bundle.ts --test FILE ...
 */
import { readdirSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { basename, join } from 'node:path';

const folder = process.env.PERP_BUNDLE!;
const bundle: { use(file: string): Record<string, unknown> } = createRequire(import.meta.url)(
  join(folder, 'bin/start.js'),
);

const parts: Readonly<Record<string, string>> = {
  'wire/client/http-transport.ts': 'httpTransport',
  'wire/client/streams/web-socket.ts': 'webSocketTransport',
  'venues/live/open-network.ts': 'openNetwork',
};
const errors = ['ConnectionError', 'NoAnswerError'];

/** What a part of the bundle exports under this name. */
function exported(file: string, name: string): unknown {
  const [found] = readdirSync(join(folder, 'dist')).filter((one) => new RegExp(`^${file}-[A-Z0-9]+\\.js$`).test(one));
  if (found === undefined) throw new Error(`the bundle has no part ${file}`);
  const value = bundle.use(found)[name];
  if (typeof value !== 'function') throw new Error(`${found} exports no ${name}`);
  return value;
}

Object.assign(globalThis, { fromBundle: exported });

registerHooks({
  load(url, context, next) {
    const [part] = Object.keys(parts).filter((one) => url.endsWith(`/${one}`));
    const source =
      part !== undefined
        ? `export const ${parts[part]} = globalThis.fromBundle(${JSON.stringify(basename(part, '.ts'))}, '${parts[part]}');`
        : url.endsWith('/wire/client/client-errors.ts')
          ? errors
              .map(
                (name) =>
                  `export class ${name} { static [Symbol.hasInstance](error) { return error?.name === '${name}'; } }`,
              )
              .join('\n')
          : undefined;
    return source === undefined ? next(url, context) : { source, format: 'module', shortCircuit: true };
  },
});
