import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { readMarkdown } from '../../tools/markdown.ts';

const root = resolve(import.meta.dirname, '../..');
/** The document that a citation such as "simulation 4.3" or "API 7" refers to. */
const cited = { simulation: 'docs/simulation.md', API: 'docs/api.md' } as const;

interface Citation {
  readonly at: string;
  readonly document: keyof typeof cited;
  readonly section: string;
}

/** "simulation 3, 5 and 6.2" is three citations; "API 4 to 7" counts as its two ends. */
const citation = /\b(simulation|API) (\d+(?:\.\d+)*(?:(?:,| and| to) \d+(?:\.\d+)*)*)/g;

function citationsIn(file: string): Citation[] {
  const text = readFileSync(resolve(root, file), 'utf8').replaceAll(/\n\s*(?:\*|\/\/) ?/g, ' ');
  return [...text.matchAll(citation)].flatMap(([, document, sections]) =>
    sections!
      .match(/\d+(?:\.\d+)*/g)!
      .map((section) => ({ at: file, document: document as keyof typeof cited, section })),
  );
}

const sources = globSync('{src,test,scripts,tools,bench,bin}/**/*.{ts,js}', { cwd: root });
const citations = sources.filter((file) => !file.includes('test/docs/')).flatMap(citationsIn);

describe('the sections that comments cite', () => {
  for (const [document, file] of Object.entries(cited)) {
    it(`are sections of ${file}`, () => {
      const { headings } = readMarkdown(readFileSync(resolve(root, file), 'utf8'));
      const sections = new Set(headings.map(({ text }) => /^(\d+(?:\.\d+)*)\.? /.exec(text)?.[1]));
      const here = citations.filter((each) => each.document === document);
      assert.ok(here.length > 50, `only ${here.length} citations found`);
      const missing = here.filter(({ section }) => !sections.has(section));
      assert.deepEqual(
        missing.map(({ at, section }) => `${at}: ${document} ${section}`),
        [],
      );
    });
  }
});

const texts = globSync(['*.md', 'docs/*.md', 'src/*/README.md', '{test,tools,scripts}/*.md', '.github/**/*.md'], {
  cwd: root,
});

describe('the links between documents', () => {
  for (const file of texts) {
    it(`work in ${file}`, () => {
      const { links } = readMarkdown(readFileSync(resolve(root, file), 'utf8'));
      const broken = links.filter((link) => !/^(https?|mailto):/.test(link) && !leadsSomewhere(file, link));
      assert.deepEqual(broken, []);
    });
  }
});

function leadsSomewhere(from: string, link: string): boolean {
  const [path, anchor] = link.split('#') as [string, string?];
  const target = path === '' ? resolve(root, from) : resolve(root, from, '..', path);
  try {
    const text = readFileSync(target, 'utf8');
    return anchor === undefined || readMarkdown(text).headings.some((heading) => heading.anchor === anchor);
  } catch {
    return false;
  }
}

describe('the tables of the documents', () => {
  for (const file of texts) {
    it(`have a header, a rule and a line per row in ${file}`, () => {
      const text = readFileSync(resolve(root, file), 'utf8').replaceAll(/^```.*?^```/gms, '');
      for (const [table] of text.matchAll(/(?:^ *\|.*\n)+/gm)) {
        const lines = table.trimEnd().split('\n');
        assert.match(lines[1] ?? '', /^ *\|(?:-+\|)+$/, lines[0]);
        for (const [at, line] of lines.entries()) {
          assert.match(line, /\|$/);
          assert.ok(at === 1 || !line.includes('|---'), line);
        }
      }
    });
  }
});

it('the documents for contributors name files that exist', () => {
  const pages = ['docs/architecture.md', 'docs/extending.md', 'CONTRIBUTING.md', 'test/README.md', 'scripts/README.md'];
  for (const file of pages) {
    const names = readFileSync(resolve(root, file), 'utf8').match(/(?<=`)[\w./-]+\.(?:ts|js)(?=`)/g) ?? [];
    assert.ok(names.length > 2, `${file}: only ${names.length} names found`);
    let folder = root;
    for (const name of names) {
      // Created by the build, and missing in a fresh checkout.
      if (name.startsWith('dist/')) continue;
      // After a file's full name, other files of the same folder may be given by their short names.
      const found = [root, resolve(root, 'src'), folder]
        .map((above) => resolve(above, name))
        .find((path) => existsSync(path));
      assert.ok(found ?? isAnyTest(name), `${file}: ${name}`);
      folder = dirname(found ?? folder);
    }
  }
});

/** These documents name some tests only by the end of their path. */
function isAnyTest(name: string): boolean {
  return globSync(`test/**/${name}`, { cwd: root }).length > 0;
}

it('docs/README.md links to every document in docs', () => {
  const { links } = readMarkdown(readFileSync(resolve(root, 'docs/README.md'), 'utf8'));
  const missing = globSync('*.{md,1}', { cwd: resolve(root, 'docs') }).filter(
    (name) => name !== 'README.md' && !links.includes(name),
  );
  assert.deepEqual(missing, []);
});
