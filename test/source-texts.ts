import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** The folder of the sources. */
export const source = resolve(import.meta.dirname, '../src');

/** A text, and the file and line where it is. */
export type Found = [text: string, where: string];

/** Every text of a source file that `isWanted`; `{}` stands for what is filled in. */
export function textsIn(file: string, isWanted: (text: string) => boolean): Found[] {
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
