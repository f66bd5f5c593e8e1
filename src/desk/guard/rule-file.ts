import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { AST } from 'toml-eslint-parser';
import { usageFailure } from '../../base/failure/failure.ts';
import { configFolder, type Variables } from '../../base/files/folders.ts';
import {
  keyOf,
  located,
  one,
  some,
  type TomlFile,
  tomlIn,
  tomlText,
  type Written,
  writtenOf,
} from '../../base/files/toml.ts';
import { quoted } from '../../base/text/plain-text.ts';
import { nearest } from '../../wire/contract/nearest.ts';
import { type StepWord, stepWords } from './rule.ts';
import { kindOf, type Rule, type RuleKind, type Rules, ruleKinds } from './rules.ts';
import { parseZone } from './schedule.ts';

/** The rules file to use: the given one, or guard.toml beside the config file. */
export function rulesFile(variables: Variables, given: string | undefined): string {
  return given ?? join(configFolder(variables), 'guard.toml');
}

/** Reads and checks a rules file; a usage failure gives the line of the error. */
export function readRules(file: string): Rules {
  const hint = 'perp guard add writes one with examples; --rules FILE names another.';
  const text = tomlText(file, 1 << 20, { what: 'rules file', code: 'rules', hint });
  return parseRules(text.replace(/^\uFEFF/, ''), file);
}

/** Nobody writes more by hand, and each is compared with the earlier ones. */
const mostRules = 500;

/** Parses the text of a rules file; errors mention `file`. */
export function parseRules(text: string, file: string): Rules {
  const about: TomlFile = { file, code: 'rules', hint: 'The file is TOML; perp guard add shows an example.' };
  const settings = tomlIn(text, about);
  const line = settings[mostRules]?.loc.start.line;
  if (line !== undefined)
    located(about, line, () => {
      throw usageFailure(`A rules file has at most ${mostRules} settings and rules.`, 'Remove some.');
    });
  const at = <T>(line: number, work: () => T): T => located(about, line, work);
  const rules: Rules & { rules: Rule[] } = { zone: 'America/New_York', exec: null, rules: [] };
  for (const setting of settings) {
    if (setting.type === 'TOMLKeyValue') at(setting.loc.start.line, () => readSetting(rules, setting, text));
    else at(setting.loc.start.line, () => rules.rules.push(readRule(setting, text, about)));
  }
  for (const [index, rule] of rules.rules.entries())
    at(rule.line!, () => refuseSecond(rule, rules.rules.slice(0, index)));
  return rules;
}

/** Refuses a rule that repeats an earlier one, or would have no effect because of it. */
function refuseSecond(rule: Rule, earlier: readonly Rule[]): void {
  const same = earlier.find(({ id }) => id === rule.id);
  if (same !== undefined) throw usageFailure(`This rule repeats the one in line ${same.line}.`, 'Remove one of them.');
  const { repeats } = kindOf(rule);
  for (const other of earlier.filter(({ kind }) => kind === rule.kind)) {
    const what = repeats?.(rule, other);
    if (what !== undefined)
      throw usageFailure(`This [${rule.kind}] ${what} as line ${other.line}.`, 'Remove one of them.');
  }
}

/** A rule from its values as written, as in the file: `ruleOf('trail', { by: '1.5%' })`. */
export function ruleOf(
  kind: RuleKind,
  values: Readonly<Record<string, Written>>,
  more: { line?: number; do?: readonly StepWord[]; label?: (field: string) => string } = {},
): Rule {
  const { line, label = (field) => field } = more;
  const { fields, steps: usual } = kindOf({ kind });
  const parsed = Object.entries(values).map(
    ([name, written]) => [camel(name), fields[name]!.parse(written, label(name))] as const,
  );
  return {
    kind,
    id: `${kind}-${hash('sha256', JSON.stringify(parsed.toSorted(([one], [other]) => (one < other ? -1 : 1))), 'hex').slice(0, 8)}`,
    line,
    do: more.do ?? usual ?? [],
    written: Object.fromEntries(Object.entries(values).map(([name, written]) => [name, some(written).join(', ')])),
    ...Object.fromEntries(parsed),
  } as unknown as Rule;
}

function readSetting(rules: Rules & { rules: Rule[] }, setting: AST.TOMLKeyValue, text: string): void {
  const name = keyOf(setting.key);
  const written = writtenOf(setting.value, text, name);
  if (name === 'account') rules.account = one(written, name);
  else if (name === 'zone') rules.zone = parseZone(one(written, name), name);
  else if (name === 'exec') rules.exec = parseExec(some(written), name);
  else unknown(name, ['account', 'zone', 'exec', ...Object.keys(ruleKinds).map((kind) => `[${kind}]`)]);
}

function readRule(table: AST.TOMLTable, text: string, about: TomlFile): Rule {
  const kind = keyOf(table.key);
  if (!Object.hasOwn(ruleKinds, kind)) unknown(kind, Object.keys(ruleKinds));
  const { fields, anyOf = [] } = kindOf({ kind: kind as RuleKind });
  const values: Record<string, Written> = {};
  let steps: readonly StepWord[] | undefined;
  for (const setting of table.body) {
    located(about, setting.loc.start.line, () => {
      const name = keyOf(setting.key);
      const written = writtenOf(setting.value, text, name);
      if (name === 'do') steps = parseSteps(some(written), kind as RuleKind);
      else if (!Object.hasOwn(fields, name)) unknown(name, [...Object.keys(fields), 'do']);
      else {
        fields[name]!.parse(written, name);
        values[name] = written;
      }
    });
  }
  for (const [name, { optional }] of Object.entries(fields))
    if (optional !== true && values[name] === undefined) throw usageFailure(`[${kind}] needs ${name}.`);
  if (anyOf.length > 0 && anyOf.every((name) => values[name] === undefined))
    throw usageFailure(`[${kind}] requires ${anyOf.join(' or ')}.`);
  return ruleOf(kind as RuleKind, values, {
    line: table.loc.start.line,
    ...(steps === undefined ? {} : { do: steps }),
  });
}

function parseSteps(words: readonly string[], kind: RuleKind): readonly StepWord[] {
  const wanted = words.filter((word) => word !== 'alert');
  const bad = wanted.find((word) => !(stepWords as readonly string[]).includes(word));
  if (bad !== undefined)
    throw usageFailure(
      `do contains ${quoted(bad)}; allowed: alert, ${stepWords.join(', ')}.`,
      suggestion(bad, stepWords),
    );
  if (wanted.length > 0 && kindOf({ kind }).steps === null)
    throw usageFailure(`[${kind}] can't ${wanted[0]}.`, 'Omit do.');
  return stepWords.filter((step) => wanted.includes(step));
}

/** A program and its arguments; without a shell, so nothing is expanded. */
export function parseExec(words: readonly string[], label: string): readonly string[] {
  if (words.length === 0 || words[0] === '') throw usageFailure(`${label} contains no program.`);
  if (words.some((word) => word.includes('\0'))) throw usageFailure(`${label} contains a NUL character.`);
  return words;
}

function unknown(name: string, known: readonly string[]): never {
  throw usageFailure(`Unknown key ${quoted(name)}.`, suggestion(name, known) ?? `Known here: ${known.join(', ')}.`);
}

function suggestion(name: string, known: readonly string[]): string | undefined {
  const near = nearest(name, known);
  return near === undefined ? undefined : `Did you mean ${near}?`;
}

function camel(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
