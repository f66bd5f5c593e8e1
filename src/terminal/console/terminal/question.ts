import type { Choice } from './outside.ts';

/** What is asked, by its kind. */
export type Asked =
  | { readonly kind: 'confirm'; readonly message: string }
  | { readonly kind: 'secret'; readonly message: string }
  | { readonly kind: 'choose'; readonly message: string; readonly choices: readonly Choice[] }
  | { readonly kind: 'line'; readonly message: string; problem(text: string): string | undefined };

/** Where @inquirer reads keys and draws, and when it stops. */
export interface Place {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

interface Kind<Q extends Asked> {
  /** What was typed before the question was there counts as text, never as its answer; false: not even as text. */
  readonly keepsEarly: boolean;
  /** Draws and edits; @inquirer is loaded with the first one. */
  ask(asked: Q, place: Place): Promise<string>;
}

/** The kinds of questions. All of them are asked in `prompts.ts` and end in the same ways. */
export const kinds: { readonly [K in Asked['kind']]: Kind<Extract<Asked, { kind: K }>> } = {
  confirm: {
    keepsEarly: false,
    async ask({ message }, place) {
      const { confirm } = await import('@inquirer/prompts');
      return (await confirm({ message, default: false, theme }, place)) ? 'Yes' : 'No';
    },
  },
  secret: {
    keepsEarly: false,
    async ask({ message }, place) {
      const { password } = await import('@inquirer/prompts');
      return password({ message: `${message}:`, mask: false, toggleMask: false, theme }, place);
    },
  },
  line: {
    keepsEarly: true,
    async ask({ message, problem }, place) {
      const { input } = await import('@inquirer/prompts');
      const validate = (text: string) => problem(text.trim()) ?? true;
      return (await input({ message: `${message}:`, validate, theme }, place)).trim();
    },
  },
  choose: {
    keepsEarly: true,
    async ask({ message, choices }, place) {
      const { search } = await import('@inquirer/prompts');
      const shown = { message: `${message}:`, theme: listTheme, pageSize: 10 };
      return search({ ...shown, source: (term = '') => foundIn(choices, term) }, place);
    },
  },
};

/** A question in plain text. */
interface Form {
  readonly head: string;
  /** The answer that a line gives; undefined: it is asked again, and `problem` says why. */
  answer(text: string): string | undefined;
  problem(text: string): string | undefined;
}

/** The question in plain text, for terminals that can't show what is drawn. */
export function formOf(asked: Asked): Form {
  const none = () => undefined;
  const head = `? ${asked.message}: `;
  if (asked.kind === 'confirm') {
    const answer = (text: string) => (/^y(es)?$/i.test(text.trim()) ? 'Yes' : 'No');
    return { head: `? ${asked.message} (y/N) `, answer, problem: none };
  }
  if (asked.kind === 'secret') return { head, answer: same, problem: none };
  if (asked.kind === 'line') {
    const problem = (text: string) => asked.problem(text.trim());
    return { head, answer: (text) => (problem(text) === undefined ? text.trim() : undefined), problem };
  }
  const rows = asked.choices.slice(0, 10).map(({ name }) => `  ${name}\n`);
  return {
    head: `${rows.join('')}${head}`,
    answer: (text) => foundIn(asked.choices, text)[0]?.value,
    problem: (text) => `Nothing in the list contains "${text.slice(0, 40)}".`,
  };
}

const same = (text: string) => text;
const theme = {
  prefix: { idle: '?', done: '?' },
  style: {
    answer: same,
    message: same,
    error: (text: string) => `> ${text}`,
    defaultAnswer: (text: string) => `(${text})`,
    help: same,
    highlight: same,
    confirmDefault: (text: string) => text.toUpperCase(),
    key: (text: string) => `<${text}>`,
    maskedText: '',
  },
};
const listTheme = {
  ...theme,
  icon: { cursor: '>' },
  style: { ...theme.style, keysHelpTip: () => '', searchTerm: same, disabled: same, description: same },
};

/** The choices that contain what was typed; those that begin with it come first. */
function foundIn(choices: readonly Choice[], text: string): readonly Choice[] {
  const wanted = text.trim().toLowerCase();
  const found = choices.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
  const begins = ({ name }: Choice) => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  return found.toSorted((one, other) => begins(one) - begins(other));
}
