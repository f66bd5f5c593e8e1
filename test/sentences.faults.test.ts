import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { test } from 'node:test';
import { parseSync, Visitor } from 'oxc-parser';
import { sourceRegistry } from '../src/terminal/cli/source-registry.ts';
import { globalOptions } from '../src/terminal/console/grammar/global-options.ts';

const source = resolve(import.meta.dirname, '../src');

/** A text as a reader sees it, with `{}` for what is filled in; a sentence has six words, a capital and a period. */
const isSentence = (text: string) => /^[A-Z{-].*\.$/s.test(text) && text.split(/[^\w']+/).filter(Boolean).length >= 6;

type Found = [text: string, where: string];

/** Every text of a file that `isWanted`, and where it is. */
function textsIn(file: string, isWanted: (text: string) => boolean): Found[] {
  const text = readFileSync(file, 'utf8');
  const found: Found[] = [];
  const add = (sentence: string, start: number) => {
    const line = text.slice(0, start).split('\n').length;
    if (isWanted(sentence)) found.push([sentence, `${relative(source, file)}:${line}`]);
  };
  new Visitor({
    Literal({ value, start }) {
      if (typeof value === 'string') add(value, start);
    },
    TemplateLiteral({ quasis, start }) {
      add(quasis.map(({ value }) => value.cooked).join('{}'), start);
    },
  }).visit(parseSync(file, text).program);
  return found;
}

test('a sentence is written once', () => {
  // Fields of the wire describe themselves, also where two records have the same one.
  const files = globSync(`${source}/**/*.ts`).filter((file) => !file.includes('/wire/contract/'));
  const places = new Map<string, string[]>();
  for (const [sentence, where] of files.flatMap((file) => textsIn(file, isSentence)))
    places.set(sentence, [...(places.get(sentence) ?? []), where]);
  assert.ok(places.size > 500, `${places.size} are too few to be all`);
  assert.deepEqual(
    [...places].filter(([, where]) => where.length > 1),
    [],
  );
});

test('every command that a text names exists, with the options beside it', async () => {
  const { specs } = await sourceRegistry();
  const paths = [...specs.keys()];
  const isBelow = (path: string) => (one: string) => one === path || one.startsWith(`${path} `);
  const files = globSync(`${source}/{base,desk,bots,programs,service,terminal,venues}/**/*.ts`);
  const texts = files.flatMap((file) => textsIn(file, (text) => /\bperp [a-z]/.test(text)));
  const faults = new Set<string>();
  let count = 0;
  for (const [text, where] of texts)
    for (const [, line] of text.matchAll(/\bperp ([a-z]+(?:-[a-z]+)*(?: (?:--)?[\w{}:=%-]+(?:\.[\w{}-]+)*)*)/g)) {
      const words = line!.split(' ');
      const path = [3, 2, 1].map((length) => words.slice(0, length).join(' ')).find((one) => paths.some(isBelow(one)));
      // Anything else is a sentence about perp.
      if (path === undefined) continue;
      count += 1;
      const below = paths.filter(isBelow(path)).map((one) => specs.get(one)!);
      const next = words[path.split(' ').length] ?? '';
      // "perp guard status shows it" has a verb of a sentence, "perp guard init" has none of the command's.
      const isVerb = /^[a-z]+$/.test(next) && !/s$/.test(next) && !prose.has(next);
      if (isVerb && below.length > 1 && (below[0]!.args ?? []).length === 0)
        faults.add(`${where}: perp ${path} has no verb ${next}`);
      for (const option of line!.match(/(?<= )--[a-z-]+/g) ?? []) {
        const name = option.slice(2);
        const isKnown = name in globalOptions || below.some(({ options = {} }) => name in options);
        if (!isKnown) faults.add(`${where}: perp ${path} has no ${option}`);
      }
    }
  assert.ok(count > 300, `${count} are too few to be all`);
  assert.deepEqual([...faults], []);
});

/** Words of a sentence that follow a command. */
const prose = new Set(['and', 'or', 'in', 'to', 'with', 'for', 'at', 'on', 'again', 'needs', 'does', 'first', 'once']);
