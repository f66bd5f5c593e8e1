import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { sourceRegistry } from '../src/terminal/cli/source-registry.ts';
import { globalOptions } from '../src/terminal/console/grammar/global-options.ts';
import { source, textsIn } from './source-texts.ts';

/** A text as a reader sees it, with `{}` for what is filled in; a sentence has six words, a capital and a period. */
const isSentence = (text: string) => /^[A-Z{-].*\.$/s.test(text) && text.split(/[^\w']+/).filter(Boolean).length >= 6;

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
