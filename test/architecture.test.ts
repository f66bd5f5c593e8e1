import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';

const source = resolve(import.meta.dirname, '../src');

/** Who may import whom; docs/architecture.md shows the same table. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  base: [],
  wire: ['base'],
  exchange: ['base'],
  venues: ['exchange', 'base'],
  service: ['wire', 'exchange', 'venues', 'base'],
  desk: ['wire', 'base'],
  bots: ['wire', 'desk', 'base'],
  programs: ['wire', 'exchange', 'venues', 'service', 'desk', 'base'],
  terminal: ['wire', 'desk', 'base'],
};
/** Loaded only where it is needed, so that nothing else pays for it. */
const mayAwait: Readonly<Record<string, readonly string[]>> = {
  terminal: ['bots', 'programs', 'service'],
};
/** Import by a computed name: the registry what its own folder holds. */
const computed = [join('terminal', 'cli', 'source-registry.ts')];
/** The wire and the exchange are pure: no package, no module of Node's. */
const pure = ['wire/contract', 'exchange/engine', 'base/margin', 'base/terms'];

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

  it('take at most 2,600 words there, with the picture, one order and where to look for what', () => {
    const words = readFileSync(resolve(source, '../docs/architecture.md'), 'utf8').match(/\S+/g)!;
    assert.ok(words.length <= 2_600, `${words.length} words: put details into the README of their room`);
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

  it('of a preview are stages: each imports earlier ones only', () => {
    const stages = [
      ...['exit-plan', 'prospect', 'judged', 'protection', 'conflicts', 'quoted-fill', 'amendment'],
      ...['exit-preview', 'bounds', 'largest-size', 'risk-size', 'floor-check'],
      ...['order-draft', 'strategy-draft'],
    ];
    const room = join('desk', 'preview');
    const stageOf = (file: string) => stages.indexOf(basename(file, '.ts'));
    assert.deepEqual(
      files.filter((file) => dirname(file) === room && stageOf(file) < 0),
      [],
    );
    const isLater = ({ file, specifier }: Import) =>
      dirname(file) === room && specifier.startsWith('./') && stageOf(specifier) >= stageOf(file);
    assert.deepEqual(offences(isLater), []);
  });

  it('that are pure import no package and nothing of Node’s', () => {
    assert.deepEqual(
      offences(({ file, target }) => pure.some((room) => file.startsWith(join(room, '/'))) && target === null),
      [],
    );
  });

  it('import nothing that this test cannot see', () => {
    assert.deepEqual(
      offences(({ file, specifier }) => specifier === '(computed)' && !computed.includes(file)),
      [],
    );
  });

  it('give a command a console, which nothing inherits from: who reads its notes, and the way to the service, are values', () => {
    const heirs = files.filter((file) => /\bextends Console\b/.test(readFileSync(join(source, file), 'utf8')));
    assert.deepEqual(heirs, []);
  });

  it('start perp itself only as base/self knows how: in the executable file, its runtime is perp, which takes no program', () => {
    const bare = files.filter((file) => readFileSync(join(source, file), 'utf8').includes('execPath'));
    assert.deepEqual(bare, [join('base', 'self', 'self.ts')]);
  });

  it('ask base/system what differs on Windows, where names are replaced only while nobody has the file open', () => {
    const own = join('base', 'system', 'system.ts');
    const others = files.filter((file) => file !== own);
    const bare = others.filter((file) =>
      /win32|renameSync|\{[^}]*\brename\b[^}]*\} from 'node:fs/.test(readFileSync(join(source, file), 'utf8')),
    );
    assert.deepEqual(bare, []);
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
    const commands = files.filter((file) => file.startsWith(join('terminal', 'cli', 'commands')));
    const started = ['terminal/cli/main.ts', 'terminal/cli/work.ts', ...commands].map((file) => loadedWith(file));
    const packages = [...new Set(started.flatMap((loaded) => [...loaded]))]
      .flatMap((file) => (values.get(file) ?? []).map((one) => [one, file] as const))
      .filter(([one]) => !/^(src|node:|commander$|chalk$)/.test(one));
    assert.deepEqual(packages, []);
  });

  it('that places an order loads few files, and few lines: these are not to grow', () => {
    const words = ['terminal/cli/main.ts', 'terminal/cli/work.ts', 'terminal/cli/commands/order/place.ts'];
    const loaded = words.reduce((all, file) => loadedWith(file, all), new Set<string>());
    const lines = [...loaded].map((file) => {
      const text = readFileSync(join(source, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      return text.split('\n').filter((line) => line.trim() !== '').length;
    });
    const sum = lines.reduce((one, other) => one + other, 0);
    assert.ok(loaded.size <= 134, `${loaded.size} files`);
    assert.ok(sum <= 15_750, `${sum} lines`);
  });

  it('that places an order loads only later what asks again, grows a stop or changes exits', () => {
    const loaded = loadedWith('terminal/cli/commands/order/place.ts');
    assert.ok(loaded.has('desk/writes/aftermath.ts'));
    const later = ['drift', 'flattening', 'stop-growth', 'exit-changes'].map((name) => `desk/writes/${name}.ts`);
    for (const file of [...later, 'terminal/cli/writes/exit-changes.ts']) {
      assert.ok(files.includes(file), file);
      assert.ok(!loaded.has(file), file);
    }
  });
});

/** Rooms inside wings that import other rooms of their wing: exactly these. */
const withinWing: Readonly<Record<string, readonly string[]>> = {
  'base/terms': [],
  'base/margin': ['terms'],
  'base/sockets': [],
  'base/text': ['terms'],
  'base/failure': ['system', 'terms', 'text'],
  'base/files': ['failure', 'system', 'text'],
  'wire/contract': [],
  'wire/hosting': ['contract'],
  'wire/client': ['contract'],
  'exchange/engine': [],
  'exchange/store': ['engine'],
  'exchange/markets': ['engine'],
  'venues/tape': [],
  'venues/import': ['tape'],
  'venues/export': ['tape'],
  'venues/live': ['tape'],
  'programs/sdk': [],
  'programs/lab': ['sdk'],
  'terminal/console': [],
  'terminal/screen': ['console'],
  'terminal/mcp': ['console'],
  'terminal/cli': ['console', 'mcp', 'screen'],
};
/** Rooms that import even of other wings nothing but these. */
const onlyOf: Readonly<Record<string, readonly string[]>> = {
  'wire/contract': ['base/terms'],
  'wire/hosting': ['base/text'],
  'exchange/engine': ['base/terms', 'base/margin'],
};

describe('the rooms', () => {
  const roomOf = (path: string) => path.split(/[\\/]/).slice(0, 2).join('/');
  const targetOf = ({ file, specifier }: Import) => relative(source, resolve(source, dirname(file), specifier));
  const ours = imports
    .filter(({ target }) => target !== null)
    .map((one) => ({ from: roomOf(one.file), to: roomOf(targetOf(one)) }))
    .filter(({ from, to }) => from !== to);

  it('import of their wing what the table says, no more and no less', () => {
    for (const [room, others] of Object.entries(withinWing)) {
      const wing = dirname(room);
      const found = ours.filter(({ from, to }) => from === room && dirname(to) === wing).map(({ to }) => basename(to));
      assert.deepEqual([...new Set(found)].sort(), others, room);
    }
  });

  it('that are to stay apart from everything import only what they may', () => {
    for (const [room, others] of Object.entries(onlyOf)) {
      const allowed = [...others, ...withinWing[room]!.map((name) => join(dirname(room), name))];
      const more = ours.filter(({ from, to }) => from === room && !allowed.includes(to)).map(({ to }) => to);
      assert.deepEqual([...new Set(more)], [], room);
    }
  });

  it('have files whose names no other file of their wing has, except for commands, which are called what is typed', () => {
    const wings = Map.groupBy(
      files.filter((file) => !file.startsWith(join('terminal', 'cli', 'commands'))),
      (file) => `${layerOf(join(source, file))}/${basename(file)}`,
    );
    const repeated = [...wings.values()].filter((places) => places.length > 1);
    assert.deepEqual(repeated, []);
  });
});

/** A wing, and each room whose folders have a table of their own. */
const tables = [...Object.keys(mayImport), 'exchange/engine', 'terminal/console', 'terminal/screen', 'terminal/cli'];

for (const room of tables) {
  describe(`the README of src/${room}`, () => {
    const folder = join(source, room);
    const document = readFileSync(join(folder, 'README.md'), 'utf8');
    const row = /^\| (`[^|]*`) \| .* \|$/gm;
    /** The names in each row of the first table, from the lowest room up, without the room itself. */
    const table = document.slice(document.indexOf('\n| '), document.indexOf('|\n\n', document.indexOf('\n| ')) + 2);
    const rows = [...table.matchAll(row)].map(([, cell]) =>
      [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!.replace(`${basename(room)}/`, '')),
    );
    const names = rows.flat();
    /** The row of a file: that of the longest name that it begins with. Files that no row has are below all rooms. */
    const rowOf = (path: string): number => {
      const inside = relative(folder, path);
      const begins = (name: string) =>
        name === inside ||
        (name.endsWith('*.ts')
          ? dirname(inside) === dirname(name)
          : inside.startsWith(`${name}/`) && !name.endsWith('.ts'));
      const longest = names
        .filter(begins)
        .sort((one, other) => (one === inside ? -1 : other === inside ? 1 : depth(other) - depth(one)))[0];
      return longest === undefined ? 0 : rows.findIndex((one) => one.includes(longest));
    };
    const depth = (name: string) => name.split('/').length;

    it('has every room in its table, and no other', () => {
      const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
      const shown = names.filter((name) => !name.endsWith('.ts')).map((name) => name.split('/')[0]!);
      assert.deepEqual([...new Set(shown)].sort(), folders.map(({ name }) => name).sort());
    });

    it('has them in an order in which each imports only those above it', () => {
      const isDownward = (one: Import) => {
        const importer = join(source, one.file);
        const imported = resolve(dirname(importer), one.specifier);
        const isInside = [importer, imported].every((file) => file.startsWith(join(folder, '/')));
        return isInside && rowOf(imported) > rowOf(importer);
      };
      assert.deepEqual(offences(isDownward), []);
    });

    it('has at most 300 words, and names files that exist', () => {
      const words = document.match(/\S*[\p{L}\d]\S*/gu)!;
      assert.ok(words.length <= 300, `${words.length} words`);
      const shown = [...document.matchAll(/`([\w/-]+\.ts)`/g)].map(([, name]) => name!);
      const found = (name: string) =>
        [folder, dirname(folder), dirname(source)].some((above) => existsSync(join(above, name)));
      // Beside a file in a row, others may be given by their short names.
      const missing = shown.filter((name) => name.includes('/') && !found(name));
      assert.deepEqual(missing, []);
    });
  });
}

it('at most ten files are directly in src/terminal/cli', () => {
  const direct = readdirSync(join(source, 'terminal/cli'), { withFileTypes: true }).filter((entry) => entry.isFile());
  assert.ok(direct.length <= 10, `${direct.length} files`);
});

describe('this test', () => {
  it('sees imports of every kind', () => {
    const seen = (file: string) => imports.filter((one) => one.file === file).map(({ specifier }) => specifier);
    assert.ok(seen(join('wire', 'contract', 'operations.ts')).includes('./accounts.ts'));
    assert.ok(imports.length > files.length);
  });
});
