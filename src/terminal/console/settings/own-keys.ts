import { usageFailure } from '../../../base/failure/failure.ts';
import { quoted } from '../../../base/text/plain-text.ts';

/** The templates of keys that the config does not set. */
const usual: readonly (readonly [key: string, command: string])[] = [
  ['1', 'order place {market} buy risk:0.25% --stop-loss 1% --take-profit 2R'],
  ['2', 'order place {market} sell risk:0.25% --stop-loss 1% --take-profit 2R'],
];

const parsed = new Map<string, ReadonlyMap<string, string>>();

/** The user's own keys and templates, by key: those of `watch.keys`, and the usual ones. */
export function ownKeysOf({ watchKeys }: { readonly watchKeys: string | undefined }): ReadonlyMap<string, string> {
  const text = watchKeys ?? '';
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const keys = new Map([...usual, ...parseOwnKeys(text)]);
  parsed.set(text, keys);
  return keys;
}

/** Parses `1=order place {market} buy 0.05; n=positions close {position}`; throws a usage failure. */
export function parseOwnKeys(text: string): readonly (readonly [key: string, command: string])[] {
  return text
    .split(';')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const at = part.indexOf('=');
      const key = part.slice(0, at).trim();
      const command = part.slice(at + 1).trimStart();
      const owner = screenKeys.has(key)
        ? 'the live screen'
        : Object.hasOwn(practiceKeys, key)
          ? 'perp practice'
          : undefined;
      if (at < 1 || [...key].length !== 1 || command.trim() === '' || owner !== undefined) {
        const why = owner === undefined ? 'which is not a key and its command' : `but ${key} is a key of ${owner}`;
        throw usageFailure(
          `watch.keys has ${quoted(part.trim())}, ${why}.`,
          `Write such as: 3=order place {market} buy 0.05 --stop-loss 1%; n=positions close {position}. Keys that can't be changed: ${[...screenKeys, ...Object.keys(practiceKeys)].join(' ').replace(/ {2,}/, ' ')}`,
        );
      }
      return [key, command] as const;
    });
}

/** Keys that lead in and out. */
const screenKeys: ReadonlySet<string> = new Set(['q', 't', '?', ':', '/', 'w', 'A', 'L', 'a']);

/** The keys of the clock of a practice, and what they do. */
export const practiceKeys = {
  ' ': 'toggle',
  '.': 'step',
  '+': 'faster',
  '-': 'slower',
  N: 'nextDay',
  M: 'bookmark',
  R: 'back',
} as const;

/** The effect of a practice key. */
export type PracticeAct = (typeof practiceKeys)[keyof typeof practiceKeys];
