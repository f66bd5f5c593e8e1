import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { before, test } from 'node:test';
import { build } from 'esbuild';
import { withoutHttp2 } from '../../scripts/bundled-source.ts';
import { bin, buildPerp } from '../terminal/cli/built-perp.ts';

const root = resolve(import.meta.dirname, '../..');
let notices = '';
let files: string[] = [];

before(async () => {
  files = await bundledFiles();
  buildPerp();
  notices = readFileSync(join(dirname(bin), '../dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
});

/** Package files that the command line loads, found independently of the build. */
async function bundledFiles(): Promise<string[]> {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.ts$/.test(name),
  );
  const contents = sources.map((name) => `import ${JSON.stringify(`./src/${name}`)};`).join('\n');
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root },
    outdir: 'nowhere',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    write: false,
    metafile: true,
    external: ['keytar'],
    define: { esbuildDetection: '1' },
    plugins: [withoutHttp2],
    logLevel: 'error',
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.flatMap(([file, { bytesInOutput }]) => (/node_modules/.test(file) && bytesInOutput > 0 ? [file] : []));
}

test('every bundled package is in the notices, with its license text and those of its parts', () => {
  assert.ok(files.some((file) => file.includes('undici')) && files.some((file) => file.includes('chalk')));
  const licenses = new Set<string>();
  for (const file of files) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)![0];
    const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    assert.ok(notices.includes(`\n  ${name} ${version} (`), `${name} ${version}`);
    for (let at = dirname(file); at.length >= folder.length; at = dirname(at)) {
      for (const license of readdirSync(join(root, at)).filter((one) => /^licen[cs]e/i.test(one)))
        licenses.add(join(root, at, license));
    }
  }
  assert.ok(licenses.size >= 40);
  for (const license of licenses) assert.ok(notices.includes(readFileSync(license, 'utf8').trim()), license);
});

/** Who holds the rights to the parts that packages contain without saying so in a file of their own. */
const parts = {
  undici: ['Copyright Fedor Indutny, 2018'],
  'jq-wasm': [
    'jq is copyright (C) 2012 Stephen Dolan',
    'Copyright (c) 1991, 2000, 2001 by Lucent Technologies',
    'Copyright (c) 1995-2005 International Business Machines',
    'Copyright (c) 2002-2021  K.Kosako',
    'Rich Felker',
    'Emscripten authors',
  ],
  'lightweight-charts': ['Copyright (c) 2019 TradingView, Inc'],
  hyparquet: ['Zhipeng Jia'],
  'hyparquet-writer': ['Zhipeng Jia'],
};

test('so are the parts of other origin in these packages', () => {
  for (const [name, holders] of Object.entries(parts)) {
    const start = notices.search(new RegExp(`^-{80}\\n${name} `, 'm'));
    assert.ok(start >= 0, name);
    const section = notices.slice(start, notices.indexOf('-'.repeat(80), start + 80));
    for (const holder of holders) assert.ok(section.includes(holder), `${name}: ${holder}`);
  }
  // A WebAssembly program begins with these letters in base64: somebody else's compiled code.
  const compiled = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('AGFzbQ'));
  const folders = new Set(compiled.map((file) => dirname(file.replace(/^.*node_modules\//, ''))));
  assert.deepEqual([...folders].sort(), ['jq-wasm/dist', 'undici/lib/llhttp']);
});

test('a copyright line in the bundled code is in the notices', () => {
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
  const holders = new Set(
    texts.flatMap((text) => text.match(/(?<=\bcopyright \(c\) [\d, -]*)\p{Lu}[\w .]+\w/giu) ?? []),
  );
  assert.ok(holders.size > 3, [...holders].join('\n'));
  for (const holder of holders) assert.ok(notices.includes(holder), holder);
});

test('every package in the notices is installed, and the notices are packaged', () => {
  const heads = notices.split('\n\n')[1]!.trim().split('\n');
  assert.ok(heads.length >= 40);
  for (const head of heads)
    assert.match(head.trim(), /^(@[\w-]+\/)?[\w.-]+ \d+\.\d+\.\d+\S* \([\w. -]+\)(, with [\w, -]+)?$/);
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
  assert.ok(files.includes('dist'));
  assert.ok(existsSync(join(root, 'LICENSE')), 'its own license is packaged automatically');
});
