import { usageFailure } from './failure.ts';
import { globalFlags } from './global-flags.ts';
import { quoted, shortened } from './quoted.ts';
import { childrenOf, type Registry } from './registry.ts';
import type { FlagSpec } from './spec.ts';
import { nearest } from './suggest.ts';

/** What a command line asks for. `path` is a command for `run`, a command, noun, topic or nothing for `help`. */
export type Route =
  | { kind: 'run'; path: string; tokens: string[] }
  | { kind: 'help'; path: string }
  | { kind: 'version' };

/** Finds the command in the arguments: its words may stand before, between and after global flags. */
export function route(argv: readonly string[], registry: Registry): Route {
  checkLengths(argv);
  if (argv[0] === 'help') return { kind: 'help', path: helpPath(argv.slice(1), registry) };
  const { path, tokens, rest } = takePath(argv, registry);
  const flags = tokens.slice(0, tokens.includes('--') ? tokens.indexOf('--') : undefined);
  if (path === '' && flags.some((token) => token === '--version' || token === '-V')) return { kind: 'version' };
  const command = registry.commands.has(path) ? path : defaultCommand(path, registry);
  if (flags.includes('--help') || flags.includes('-h') || rest === 'help') return { kind: 'help', path };
  if (rest !== undefined) throw unknownCommand(path, rest, registry);
  if (command === undefined) {
    const stray = flags.find((token) => token.startsWith('-') && !isGlobal(token));
    if (stray !== undefined) throw usageFailure(`Unknown flag ${shortened(stray)}.`, 'perp help lists the commands.');
    return { kind: 'help', path };
  }
  return { kind: 'run', path: command, tokens };
}

/** The longest path that systems allow; other arguments are far shorter. */
const longestArgument = 4096;

/** Refuses overlong arguments before anything parses them: most likely a file's content was passed in place of its name. */
function checkLengths(argv: readonly string[]): void {
  const long = argv.find((argument) => argument.length > longestArgument);
  if (long === undefined) return;
  throw usageFailure(
    `An argument has ${long.length} characters: ${quoted(long)}.`,
    `Arguments are limited to ${longestArgument} characters; put longer input in a file.`,
  );
}

/** A noun alone lists. */
function defaultCommand(path: string, registry: Registry): string | undefined {
  return registry.commands.has(`${path} list`) ? `${path} list` : undefined;
}

function takePath(argv: readonly string[], registry: Registry): { path: string; tokens: string[]; rest?: string } {
  const tokens: string[] = [];
  let path = '';
  for (let index = 0; index < argv.length; index++) {
    const token = argv[index]!;
    if (registry.commands.has(path) || token === '--') return { path, tokens: [...tokens, ...argv.slice(index)] };
    if (token.startsWith('-') && token !== '-') {
      tokens.push(token);
      if (takesNextToken(token, path, registry) && index + 1 < argv.length) tokens.push(argv[++index]!);
    } else if (childrenOf(registry, path).includes(token)) {
      path = path === '' ? token : `${path} ${token}`;
    } else {
      return { path, tokens, rest: token };
    }
  }
  return { path, tokens };
}

function takesNextToken(token: string, path: string, registry: Registry): boolean {
  if (token.includes('=')) return false;
  const command = defaultCommand(path, registry);
  const own = command === undefined ? {} : (registry.commands.get(command)?.flags ?? {});
  const flags: [string, FlagSpec][] = [...Object.entries(own), ...Object.entries(globalFlags)];
  return flags.some(
    ([name, flag]) => flag.value !== undefined && (token === `--${name}` || token === `-${flag.short}`),
  );
}

function isGlobal(token: string): boolean {
  const flags: [string, FlagSpec][] = Object.entries(globalFlags);
  return flags.some(([name, { short }]) => token.split('=')[0] === `--${name}` || token.startsWith(`-${short}`));
}

function helpPath(words: readonly string[], registry: Registry): string {
  const { path, rest } = takePath(
    words.filter((word) => !word.startsWith('-')),
    registry,
  );
  if (rest === undefined) return path;
  if (path === '' && helpTopics.includes(rest)) return rest;
  throw unknownCommand(path, rest, registry);
}

/** What `perp help TOPIC` explains besides commands. */
export const helpTopics: readonly string[] = ['exit-codes', 'environment', 'values'];

function unknownCommand(path: string, word: string, registry: Registry) {
  const siblings = childrenOf(registry, path);
  const near = nearest(word, siblings) ?? (path === '' ? elsewhere(word, registry) : undefined);
  const prefix = path === '' ? 'perp' : `perp ${path}`;
  const hint =
    near !== undefined
      ? `Did you mean ${near.includes(' ') ? 'perp' : prefix} ${near}?`
      : path === ''
        ? 'perp help lists the commands.'
        : `${prefix} has: ${siblings.join(', ')}.`;
  return usageFailure(`Unknown command: ${prefix} ${shortened(word)}`, hint);
}

/** `perp place` most probably means `perp order place`. */
function elsewhere(word: string, registry: Registry): string | undefined {
  const singular = (text: string) => text.replace(/s$/, '');
  const noun = childrenOf(registry, '').find((name) => singular(name) === singular(word));
  return noun ?? [...registry.commands.keys()].find((command) => command.split(' ').slice(1).includes(word));
}
