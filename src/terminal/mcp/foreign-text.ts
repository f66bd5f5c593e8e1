import { isJsonObject } from '../../base/terms/json-object.ts';
import { plain } from '../../base/text/plain-text.ts';

/** Text that someone else has written, as tools show it: its wrapper says that it is data. */
interface OutsideText {
  readonly outside_text: string;
}

/** Fields whose text its author chooses, also if it looks like an id. */
const written = new Set(['name', 'client_order_id', 'message', 'reason', 'reject_message', 'note', 'tags', 'tag']);

/** Fields with an id or a word of perp's or the contract's, which never change, no matter how others are named. */
const fixed = new Set([
  ...['environment', 'mandate', 'account', 'account_id', 'id', 'position_id', 'order', 'market_id', 'symbol'],
  ...[
    'side',
    'status',
    'stage',
    'type',
    'mode',
    'margin_mode',
    'category',
    'code',
    'rule_id',
    'reject_rule_id',
    'at',
    'by',
  ],
]);

/** Ids, codes and names of markets: too short for a sentence, and without spaces. */
const token = /^[\w.:|-]{0,48}$/;

/** Shorter text can't instruct anyone, and would be found in ordinary words. */
const shortest = 4;

/**
 * The text that one call has received from the service and from files: names, notes, messages. Anything that repeats
 * some of it, even inside one of perp's sentences, is marked as external text, and no text has a control character.
 */
export class ForeignText {
  readonly #known = new Set<string>();

  /** Remembers the text in an answer or in a record. */
  learn(value: unknown, field = ''): void {
    if (typeof value === 'string') {
      const isWritten = written.has(field) || !token.test(value);
      if (isWritten && value.length >= shortest) this.#known.add(plain(value));
    } else if (Array.isArray(value)) for (const item of value) this.learn(item, field);
    else if (isJsonObject(value)) for (const [name, item] of Object.entries(value)) this.learn(item, name);
  }

  /** A result as an agent may see it. */
  sealed(value: unknown, field = ''): unknown {
    if (typeof value === 'string') return fixed.has(field) && token.test(value) ? value : this.#sealedText(value);
    if (Array.isArray(value)) return value.map((item) => this.sealed(item, field));
    if (!isJsonObject(value)) return value;
    if (isOutside(value)) return { outside_text: plain(value.outside_text) };
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [plain(name), this.sealed(item, name)]));
  }

  #sealedText(text: string): string | OutsideText {
    const shown = plain(text);
    for (const one of this.#known) if (shown.includes(one)) return { outside_text: shown };
    return shown;
  }
}

/** Marks text whose author is not perp; undefined and null stay what they are. */
export function outside<T extends string | null | undefined>(text: T): OutsideText | Exclude<T, string> {
  return typeof text === 'string' ? { outside_text: text } : (text as Exclude<T, string>);
}

function isOutside(value: Record<string, unknown>): value is Record<string, unknown> & OutsideText {
  return typeof value.outside_text === 'string' && Object.keys(value).length === 1;
}
