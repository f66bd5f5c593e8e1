import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';

const source = resolve(import.meta.dirname, '../src');

/** Who may import whom; docs/architecture.md shows the same table. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  terms: [],
  sockets: [],
  ground: ['terms'],
  contract: ['terms'],
  hosting: ['contract'],
  margin: ['terms'],
  engine: ['margin', 'terms'],
  client: ['contract', 'sockets', 'terms'],
  markets: ['engine', 'sockets', 'terms'],
  store: ['engine', 'terms'],
  service: ['contract', 'engine', 'hosting', 'markets', 'store', 'terms'],
  desk: ['client', 'contract', 'ground', 'margin', 'sockets', 'terms'],
  gate: ['client', 'contract', 'desk', 'ground', 'hosting', 'sockets', 'terms'],
  sdk: ['client', 'contract', 'desk', 'engine', 'ground', 'markets', 'service', 'terms'],
  lab: ['desk', 'engine', 'ground', 'markets', 'sdk', 'service'],
  console: ['client', 'contract', 'desk', 'ground', 'sockets', 'terms'],
  screen: ['client', 'console', 'contract', 'desk', 'ground', 'margin', 'sockets', 'terms'],
  mcp: ['client', 'console', 'contract', 'desk', 'ground', 'terms'],
  cli: ['client', 'console', 'contract', 'desk', 'ground', 'margin', 'sockets', 'terms'],
};
/** Loaded only where it is needed, so that nothing else pays for it. */
const mayAwait: Readonly<Record<string, readonly string[]>> = {
  console: ['gate', 'service'],
  screen: ['gate', 'service'],
  mcp: ['gate'],
  cli: ['gate', 'lab', 'mcp', 'screen', 'service'],
};
/**
 * Import by a computed name: the registry what its own folder holds, the keychain's process the native package whose
 * place it is told.
 */
const computed = [join('desk', 'credentials', 'keychain.ts'), join('cli', 'source-registry.ts')];
/** The wire and the exchange are pure: no package, no module of Node's. */
const pure = ['contract', 'engine', 'margin', 'terms'];

interface Import {
  readonly file: string;
  readonly layer: string;
  readonly specifier: string;
  readonly isAwaited: boolean;
  /** The layer it leads to; null: a package or one of Node's own modules. */
  readonly target: string | null;
}

const statement = /(?:^|[;\n])\s*(?:import|export)\b(?:[^'";]*?\bfrom)?\s*['"]([^'"]+)['"]/g;
const expression = /\bimport\s*\(\s*(?:['"`]([^'"`]+)['"`])?/g;

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  const written =
    (isAwaited: boolean) =>
    ({ 1: specifier = '(computed)' }: RegExpMatchArray) => ({
      file: relative(source, file),
      layer: layerOf(file),
      specifier,
      isAwaited,
      target: specifier.startsWith('.') ? layerOf(resolve(dirname(file), specifier)) : null,
    });
  return [...[...text.matchAll(statement)].map(written(false)), ...[...text.matchAll(expression)].map(written(true))];
}

/** What the import statements of a file load: `src/...` for our own files, else the name of the package. */
function loadedAtOnce(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  const withoutTypes = text.replaceAll(/(?<=^|\n)\s*(?:import|export)\s+type\b[^;]*;/g, '');
  return [...withoutTypes.matchAll(statement)].map(({ 1: specifier = '' }) =>
    specifier.startsWith('.') ? join('src', relative(source, resolve(dirname(file), specifier))) : specifier,
  );
}

function layerOf(file: string): string {
  return relative(source, file).split(/[\\/]/)[0]!;
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const imports = files.flatMap((name) => importsOf(join(source, name)));

const offences = (isOffence: (one: Import) => boolean) =>
  imports.filter(isOffence).map(({ file, specifier }) => `${file} imports ${specifier}`);

describe('the layers', () => {
  it('are the folders of src', () => {
    const folders = readdirSync(source, { withFileTypes: true }).map(({ name }) => name);
    assert.deepEqual(folders.sort(), Object.keys(mayImport).sort());
  });

  it('are as docs/architecture.md shows them', () => {
    const document = readFileSync(resolve(source, '../docs/architecture.md'), 'utf8');
    for (const [layer, others] of Object.entries(mayImport)) {
      const row = document.match(new RegExp(`^\\| \`src/${layer}\` \\|.*\\| (.*) \\|$`, 'm'));
      const shown = row?.[1]?.split(';')[0];
      assert.equal(shown, others.length > 0 ? others.join(', ') : 'nothing of ours', layer);
      const late = / ([^;]*) only by `await import`/.exec(row?.[1]?.split(';')[1] ?? '')?.[1];
      assert.deepEqual(late?.split(/, | and /) ?? [], mayAwait[layer] ?? [], `${layer}, by await import`);
    }
  });

  it('take at most 1,000 words there, with the picture', () => {
    const words = readFileSync(resolve(source, '../docs/architecture.md'), 'utf8').match(/\S+/g)!;
    assert.ok(words.length <= 1_000, `${words.length} words: put details into the README of their room`);
  });

  it('import only what the table allows', () => {
    const isForbidden = ({ layer, target, isAwaited }: Import) => {
      const allowed = [layer, ...mayImport[layer]!, ...(isAwaited ? (mayAwait[layer] ?? []) : [])];
      return target !== null && !allowed.includes(target);
    };
    assert.deepEqual(offences(isForbidden), []);
  });

  it('import everything that the table allows, so that it says what is', () => {
    const used = new Set(
      imports.map(({ layer, target, isAwaited }) => `${layer} ${target}${isAwaited ? ' late' : ''}`),
    );
    const unused = [
      ...Object.entries(mayImport).flatMap(([layer, others]) => others.map((other) => `${layer} ${other}`)),
      ...Object.entries(mayAwait).flatMap(([layer, others]) => others.map((other) => `${layer} ${other} late`)),
    ].filter((pair) => !used.has(pair));
    assert.deepEqual(unused, []);
  });

  it('that are pure import no package and nothing of Node’s', () => {
    assert.deepEqual(
      offences(({ layer, target }) => pure.includes(layer) && target === null),
      [],
    );
  });

  it('import nothing that this test cannot see', () => {
    assert.deepEqual(
      offences(({ file, specifier }) => specifier === '(computed)' && !computed.includes(file)),
      [],
    );
  });

  it('name files as they are, so that the source runs without a build', () => {
    const isVague = ({ specifier }: Import) => specifier.startsWith('.') && !/\.(ts|json|js)$/.test(specifier);
    assert.deepEqual(offences(isVague), []);
  });
});

describe('the start of a command', () => {
  /** The files that these load at once; a type is nothing to load. */
  const loadedWith = (file: string, loaded = new Set<string>()): Set<string> => {
    if (loaded.has(file)) return loaded;
    loaded.add(file);
    for (const one of values.get(file) ?? []) if (one.startsWith('src')) loadedWith(one.slice(4), loaded);
    return loaded;
  };
  const values = new Map(files.map((file) => [file, loadedAtOnce(join(source, file))]));

  it('loads no package but commander and chalk: each takes milliseconds of every command', () => {
    const commands = files.filter((file) => file.startsWith(join('cli', 'commands')));
    const started = ['terminal/cli/main.ts', 'terminal/cli/work.ts', ...commands].map((file) => loadedWith(file));
    const packages = [...new Set(started.flatMap((loaded) => [...loaded]))]
      .flatMap((file) => (values.get(file) ?? []).map((one) => [one, file] as const))
      .filter(([one]) => !/^(src|node:|commander$|chalk$)/.test(one));
    assert.deepEqual(packages, []);
  });

  it('that places an order loads only later what asks again, grows a stop or changes exits', () => {
    const loaded = loadedWith('terminal/cli/commands/order/place.ts');
    assert.ok(loaded.has('desk/writes/aftermath.ts'));
    const later = ['drift', 'flattening', 'stop-growth', 'exit-changes'].map((name) => `desk/writes/${name}.ts`);
    for (const file of [...later, 'terminal/cli/writes/exit-changes.ts', 'terminal/cli/preview/exit-preview.ts']) {
      assert.ok(files.includes(file), file);
      assert.ok(!loaded.has(file), file);
    }
  });
});

for (const layer of ['ground', 'engine', 'desk', 'console', 'screen', 'cli']) {
  describe(`the folders of src/${layer}`, () => {
    const folder = join(source, layer);
    const document = readFileSync(join(folder, 'README.md'), 'utf8');
    const row = new RegExp(`^\\| (\`${layer}/.*) \\| .* \\|$`, 'gm');
    /** The names in each row of the table beside the room, from the lowest folder up. */
    const rows = [...document.matchAll(row)].map(([, cell]) =>
      [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!.replace(`${layer}/`, '')),
    );
    /** The row of a file. Unnamed files directly in the folder are below all folders. */
    const rowOf = (path: string): number => {
      const [name, file] = relative(folder, path).split(/[\\/]/);
      const at = rows.findIndex((names) => names.includes(name!));
      return at < 0 && file === undefined ? 0 : at;
    };

    it('are those that the table beside it shows', () => {
      const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
      const shown = rows.flat().filter((name) => !name.endsWith('.ts'));
      assert.deepEqual(shown.sort(), folders.map(({ name }) => name).sort());
    });

    it('import only folders above them in that table', () => {
      const isDownward = (one: Import) => {
        if (one.layer !== layer || one.target !== layer) return false;
        const importer = join(source, one.file);
        return rowOf(resolve(dirname(importer), one.specifier)) > rowOf(importer);
      };
      assert.deepEqual(offences(isDownward), []);
    });
  });
}

it('at most ten files are directly in src/terminal/cli', () => {
  const direct = readdirSync(join(source, 'cli'), { withFileTypes: true }).filter((entry) => entry.isFile());
  assert.ok(direct.length <= 10, `${direct.length} files`);
});

describe('this test', () => {
  it('sees imports of every kind', () => {
    const seen = (file: string) => imports.filter((one) => one.file === file).map(({ specifier }) => specifier);
    assert.ok(seen(join('contract', 'operations.ts')).includes('./accounts.ts'));
    assert.ok(imports.length > files.length);
  });
});
