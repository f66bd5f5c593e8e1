import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { test } from 'node:test';
import { parseSync, Visitor } from 'oxc-parser';

const source = resolve(import.meta.dirname, '../src');

/** A text as a reader sees it, with `{}` for what is filled in; a sentence has six words, a capital and a period. */
const isSentence = (text: string) => /^[A-Z{-].*\.$/s.test(text) && text.split(/[^\w']+/).filter(Boolean).length >= 6;

function sentencesIn(file: string): [sentence: string, where: string][] {
  const text = readFileSync(file, 'utf8');
  const found: [string, string][] = [];
  const add = (sentence: string, start: number) => {
    const line = text.slice(0, start).split('\n').length;
    if (isSentence(sentence)) found.push([sentence, `${relative(source, file)}:${line}`]);
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
  for (const [sentence, where] of files.flatMap(sentencesIn))
    places.set(sentence, [...(places.get(sentence) ?? []), where]);
  assert.ok(places.size > 500, `${places.size} are too few to be all`);
  assert.deepEqual(
    [...places].filter(([, where]) => where.length > 1),
    [],
  );
});
