/**
 * Writes the tables of documents from the code, and records the examples of docs/api.md and docs/streams.md from the
 * simulation, with a fixed seed and a manual clock, into their blocks, which begin with ```http NAME or ```text NAME.
 * Tests compare both.
 *
 *   node tools/doc-examples.ts    (npm run fix does it, too)
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withTables } from './api-tables.ts';
import { codeTables, withRows } from './code-tables.ts';
import { frameExamples } from './examples/frames.ts';
import { operationExamples } from './examples/operations.ts';

/** The pages with examples, and what records those of each: texts by name. */
export const pages: Readonly<Record<string, () => Promise<Map<string, string>>>> = {
  'docs/api.md': operationExamples,
  'docs/streams.md': frameExamples,
};

/**
 * A page with these examples in its blocks, a new one after that which precedes it here; throws if a block has no
 * example.
 */
export function withExamples(page: string, examples: ReadonlyMap<string, string>): string {
  const block = /^(```(?:http|text) )(.+)\n(?:.*\n)*?^```$/gm;
  const shown = new Set([...page.matchAll(block)].map(([, , name]) => name!));
  const names = [...examples.keys()];
  return page.replaceAll(block, (_block, fence: string, name: string) => {
    const at = names.indexOf(name);
    if (at < 0) throw new Error(`There is no example ${name}.`);
    const next = names.findIndex((other, index) => index > at && shown.has(other));
    const here = names.slice(at, next < 0 ? undefined : next).filter((one) => one === name || !shown.has(one));
    return here.map((one) => `${fence}${one}\n${examples.get(one)}\`\`\``).join('\n\n');
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const rewrite = (page: string, change: (text: string) => string) => {
    const file = join(import.meta.dirname, '..', page);
    const before = readFileSync(file, 'utf8');
    const text = change(before);
    if (text !== before) writeFileSync(file, text);
  };
  for (const [page, header, rows] of codeTables) rewrite(page, (text) => withRows(text, header, rows()));
  rewrite('docs/api.md', withTables);
  for (const [page, record] of Object.entries(pages)) {
    const examples = await record();
    rewrite(page, (text) => withExamples(text, examples));
  }
}
