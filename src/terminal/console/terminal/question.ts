import { input, password, search } from '@inquirer/prompts';
import { foundBy } from '../../../base/text/search.ts';
import type { Choice } from './outside.ts';

/** The question, by kind. */
export type Asked =
  | { readonly kind: 'confirm'; readonly message: string }
  | { readonly kind: 'secret'; readonly message: string }
  | { readonly kind: 'choose'; readonly message: string; readonly choices: readonly Choice[] }
  | { readonly kind: 'line'; readonly message: string; problem(text: string): string | undefined };

/** Where @inquirer reads keys and draws, and when it stops. */
interface Place {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

/** A question, whether it is drawn or asked in plain text. */
export interface Question {
  readonly head: string;
  /** Text typed before the question was there counts, but never as its answer; false: not even as text. */
  readonly keepsEarly: boolean;
  readonly choices: readonly Choice[];
  /** Why a text is not an answer. */
  problem(text: string): string | undefined;
  /** The answer that a text without a problem gives. */
  answer(text: string): string;
  /** Asks on a terminal that can be drawn on. */
  draw(place: Place): Promise<string>;
}

type Kinds = { readonly [K in Asked['kind']]: (asked: Extract<Asked, { kind: K }>) => Question };

/** Rows of a list that are shown at once. */
export const listed = 10;

/** The kinds of questions. All of them are asked in `asking.ts` and end in the same ways. */
export const kinds: Kinds = {
  confirm({ message }) {
    const problem = (text: string) => (/^(?:y|yes|n|no|)$/i.test(text.trim()) ? undefined : 'Answer y or n.');
    const answer = (text: string) => (/^y/i.test(text.trim()) ? 'Yes' : 'No');
    return onOneLine({ head: `${message} (y/N)`, keepsEarly: false, problem, answer }, 'clear');
  },
  line({ message, problem }) {
    const answer = (text: string) => text.trim();
    return onOneLine({ head: `${message}:`, keepsEarly: true, problem: (text) => problem(text.trim()), answer });
  },
  secret({ message }) {
    const head = `${message}:`;
    const draw = (place: Place) => password({ message: head, toggleMask: false, theme }, place);
    return { head, keepsEarly: false, choices: [], problem: () => undefined, answer: same, draw };
  },
  choose({ message, choices }) {
    const head = `${message}:`;
    const found = (text = '') => foundIn(choices, text);
    const problem = (text: string) =>
      found(text).length > 0 ? undefined : `Nothing in the list contains "${text.slice(0, 40)}".`;
    const more = choices.length > listed ? '  (type to narrow the list)' : '';
    const listTheme = { ...theme, style: { ...theme.style, keysHelpTip: () => more } };
    const draw = (place: Place) => search({ message: head, source: found, pageSize: listed, theme: listTheme }, place);
    return { head, keepsEarly: true, choices, problem, answer: (text) => found(text)[0]!.value, draw };
  },
};

const same = (text: string) => text;

/** The end of a text that would fill the terminal. */
const shortened = (text: string) => (text.length > 400 ? `...${text.slice(-400)}` : text);

/** ASCII without colors: what every locale and terminal can show. */
const theme = {
  prefix: { idle: '?', done: '?' },
  icon: { cursor: '>' },
  style: {
    answer: same,
    message: same,
    error: (text: string) => `> ${text}`,
    help: same,
    highlight: same,
    maskedText: '',
    searchTerm: shortened,
  },
};

/** Text that is not an answer stays to be edited, unless it is cleared. */
function onOneLine(question: Omit<Question, 'choices' | 'draw'>, wrong: 'keep' | 'clear' = 'keep'): Question {
  const { head, problem, answer } = question;
  const transformer = (text: string, { isFinal }: { isFinal: boolean }) => (isFinal ? answer(text) : shortened(text));
  const validate = (text: string) => problem(text) ?? true;
  const ours = { ...theme, validationFailureMode: wrong };
  const draw = async (place: Place) =>
    answer(await input({ message: head, validate, transformer, theme: ours }, place));
  return { ...question, choices: [], draw };
}

/** The choices that a text names; their names end where the first space is. */
function foundIn(choices: readonly Choice[], text: string): readonly Choice[] {
  return foundBy(choices, text, ({ name, value }) => ({ name: name.split(/\s/, 1)[0]!, id: value, all: name }));
}
