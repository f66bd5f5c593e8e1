import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { Failure, type OwnCode, usageFailure } from '../failure/failure.ts';
import { readRegularFile } from './private-files.ts';

/** A value as written in a file of TOML: a single text, or a list of texts. */
export type Written = string | readonly string[];

/** A TOML file written by a person, and the wording of its errors. */
export interface TomlFile {
  readonly file: string;
  /** The code of its failures. */
  readonly code: OwnCode;
  /** What to do if it isn't valid TOML. */
  readonly hint: string;
}

/**
 * The text of a file of TOML. Throws a failure if it can't be read; `what` names it: `rules file`, and `hint` says how
 * to get one.
 */
export function tomlText(
  file: string,
  maxBytes: number,
  { what, code, hint }: { what: string; code: OwnCode; hint: string },
): string {
  try {
    return readRegularFile(file, maxBytes).text;
  } catch (error) {
    const { code: system, message: why } = error as NodeJS.ErrnoException;
    const message = system === 'ENOENT' ? `There is no ${what} ${file}.` : `Can't read the ${what}: ${why}.`;
    throw new Failure({ code, message, hint }, { cause: error });
  }
}

/** The settings and tables of a file of TOML. Throws a usage failure with the line of the error. */
export function tomlIn(text: string, about: TomlFile): AST.TOMLProgram['body'][0]['body'] {
  const { file, code, hint } = about;
  try {
    return parseTOML(text).body[0].body;
  } catch (error) {
    // The stack overflows in lists within lists.
    if (error instanceof RangeError)
      throw new Failure({ code, message: `${file} has lists that nest too deeply.`, hint });
    if (!(error instanceof ParseError)) throw error;
    return located(about, error.lineNumber, () => {
      throw usageFailure(`${error.message}.`, hint);
    });
  }
}

/** Adds the file and the line to failures of `work`, unless they have them. */
export function located<T>({ file, code }: TomlFile, line: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Failure) || error.facts.code === code) throw error;
    throw new Failure({ ...error.facts, code, message: `${file}, line ${line}: ${error.message}` });
  }
}

/** The name of a setting or a table, with dots. */
export function keyOf(key: AST.TOMLKey): string {
  return key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value)).join('.');
}

/** A value as text: strings unchanged, numbers and times as written in the file's `text`. */
export function writtenOf(value: AST.TOMLContentNode, text: string, name: string): Written {
  return value.type === 'TOMLArray' ? value.elements.map((one) => textOf(one, text, name)) : textOf(value, text, name);
}

function textOf(value: AST.TOMLContentNode, text: string, name: string): string {
  if (value.type !== 'TOMLValue' || value.kind === 'boolean')
    throw usageFailure(`${name} must be text, a number, or a list of these.`);
  return value.kind === 'string' ? value.value : text.slice(...value.range).replaceAll('_', '');
}

/** A value that is not a list. */
export function one(written: Written, label: string): string {
  if (typeof written !== 'string') throw usageFailure(`${label} must be one value, not a list.`);
  if (written === '') throw usageFailure(`${label} is empty.`);
  if (written.includes('\0')) throw usageFailure(`${label} contains a NUL character.`);
  return written;
}

/** A value as a list. */
export function some(written: Written): readonly string[] {
  return typeof written === 'string' ? [written] : written;
}
