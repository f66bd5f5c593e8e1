import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * An error's stack with places in the bundle mapped to the sources, `src/terminal/cli/run-command.ts:105:9`, if a
 * source map is next to the bundle. Node's own option would read every map at every start.
 */
export function sourceStack({ stack = '' }: Error): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack
    .split('\n')
    .map((line) => {
      const place = placeIn(line);
      return place === undefined ? line : line.replace(place, () => sourcePlace(place, maps));
    })
    .join('\n');
}

/**
 * Where perp's own code threw it: file and line of the source, or the place in the bundle if it has no source map;
 * undefined if the stack doesn't say.
 */
export function thrownAt(error: Error): string | undefined {
  for (const line of sourceStack(error).split('\n')) {
    const own = line.slice(line.search(/\b(?:src|dist)\//));
    const [, place, position, column] = /^((?:src|dist)\/[\w/.-]+)(:\d+)(:\d+)\)?$/.exec(own) ?? [];
    if (place !== undefined) return `${place}${position}${place.startsWith('dist/') ? column : ''}`;
  }
  return undefined;
}

/** `file:///.../run.js:1:4711` in a line such as `    at report (file:///.../run.js:1:4711)`. */
function placeIn(line: string): string | undefined {
  const start = line.indexOf('file:///');
  if (start < 0 || !line.trimStart().startsWith('at ')) return undefined;
  return line.slice(start, line.endsWith(')') ? -1 : undefined);
}

function sourcePlace(place: string, maps: Map<string, SourceMap | undefined>): string {
  const parts = place.split(':');
  const [line, column] = parts.splice(-2).map(Number);
  const url = parts.join(':');
  if (!maps.has(url)) maps.set(url, mapBeside(url));
  const origin = maps.get(url)?.findOrigin(line!, column!);
  if (origin === undefined || !('fileName' in origin)) return inPackage(place);
  return `${inPackage(origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`;
}

/** The path without the folders above the package, which are private. */
function inPackage(path: string): string {
  const start = Math.max(...['/src/', '/dist/', '/node_modules/'].map((folder) => path.lastIndexOf(folder)));
  return path.slice(start + 1);
}

function mapBeside(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}
