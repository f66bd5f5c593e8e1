/**
 * Checks the English of documents and of the texts and comments in src: words and patterns that a native reader would
 * trip over, and spelling. Code and what stands in backquotes isn't read.
 *
 *   node scripts/wording.ts
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spellCheckDocument } from 'cspell-lib';
import { parseSync, Visitor } from 'oxc-parser';
import { exceptions, fieldWords, patterns } from './words.ts';

const root = join(import.meta.dirname, '..');

/** A piece of prose, and where it begins. */
interface Prose {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

/** The paragraphs of a document: no fences, indented code, code marks and addresses. */
function documentProse(file: string, text: string): Prose[] {
  const plain = text
    .replaceAll(/^( *)```[\s\S]*?^\1```$/gm, blank)
    .replaceAll(/^ {4}.*$/gm, blank)
    .replaceAll(/`[^`]*`/g, blank)
    .replaceAll(/\]\([^)\n]*\)/g, blank)
    .replaceAll(/https?:\S+/g, blank);
  const found: Prose[] = [];
  for (const { index, 0: paragraph } of plain.matchAll(/.+(?:\n.+)*/g))
    found.push({ file, line: lineAt(plain, index), text: paragraph });
  return found;
}

/** As many line ends and spaces as the text has. */
const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ');

/** Texts with a space in them, and comments. */
function sourceProse(file: string, text: string): Prose[] {
  const found: Prose[] = [];
  const { program, comments } = parseSync(file, text);
  const add = (words: string, start: number) => {
    const prose = words.replaceAll(/`[^`]*`/g, blank).replaceAll(/https?:\S+/g, blank);
    if (/[a-z,] [a-z]/i.test(prose)) found.push({ file, line: lineAt(text, start), text: prose });
  };
  for (const { value, start } of comments) {
    const lines = value.replaceAll(/^\s*\* ?/gm, '').replaceAll(/^ {4}.*$/gm, blank);
    if (!lines.includes('biome-ignore')) add(lines, start);
  }
  new Visitor({
    Literal({ value, start }) {
      if (typeof value === 'string') add(value, start);
    },
    TemplateLiteral({ quasis, start }) {
      add(quasis.map(({ value }) => value.cooked).join('_'), start);
    },
  }).visit(program);
  return found;
}

function allProse(): Prose[] {
  const documents = globSync('{*.md,.github/**/*.md,{docs,src,test,tools,scripts}/**/*.md}', { cwd: root });
  const sources = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.includes('.generated.'));
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  return [
    ...documents.flatMap((file) => documentProse(file, read(file))),
    ...sources.flatMap((file) => sourceProse(file, read(file))),
  ];
}

const used = new Set<string>();

function wordFaults(prose: readonly Prose[]): string[] {
  return prose.flatMap(({ file, line, text }) => {
    const plain = text.replaceAll(/\s+/g, ' ');
    return patterns.flatMap(([pattern, instead]) =>
      [...plain.matchAll(pattern)].flatMap(({ 0: hit, index }) => {
        const around = plain.slice(Math.max(0, index - 40), index + hit.length + 40);
        const allowed = exceptions.find(([there, words]) => file === there && around.includes(words));
        if (allowed) used.add(allowed.join());
        return allowed ? [] : [`${file}:${line}: "${hit}": say ${instead}: ...${around}...`];
      }),
    );
  });
}

/** Misspelled words, each at its first place. One document is much faster than a thousand. */
async function spellingFaults(prose: readonly Prose[]): Promise<string[]> {
  const seen = new Map<string, Prose>();
  for (const piece of prose)
    for (const word of piece.text.match(/[A-Za-z]+(?:['’][a-z]+)?/g) ?? [])
      if (word.length > 3 && !/[a-z][A-Z]|^[A-Z]+s?$/.test(word) && !seen.has(word)) seen.set(word, piece);
  const dictionaryDefinitions = ['en_us/en_US.trie.gz', 'software-terms/dict/softwareTerms.txt.gz'].map((path) => {
    return { name: path, path: join(root, 'node_modules/@cspell', `dict-${path}`) };
  });
  const result = await spellCheckDocument(
    { uri: 'file:///prose.txt', text: [...seen.keys()].join('\n'), languageId: 'plaintext' },
    { generateSuggestions: false, noConfigSearch: true },
    {
      language: 'en',
      loadDefaultConfiguration: false,
      dictionaryDefinitions,
      dictionaries: dictionaryDefinitions.map(({ name }) => name),
      words: fieldWords,
      maxNumberOfProblems: 10_000,
    },
  );
  return result.issues.map(({ text }) => {
    const { file, line } = [...seen].find(([word]) => word.includes(text))![1];
    return `${file}:${line}: "${text}" is misspelled, or missing in scripts/words.ts`;
  });
}

const prose = allProse();
const faults = [...wordFaults(prose), ...(await spellingFaults(prose))];
for (const exception of exceptions)
  if (!used.has(exception.join())) faults.push(`scripts/words.ts: nobody needs the exception ${exception.join(': ')}`);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
