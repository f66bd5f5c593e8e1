import { hash } from 'node:crypto';
import { join } from 'node:path';
import { type Failure, usageFailure } from '../../base/failure/failure.ts';
import { configFolder, type Variables } from '../../base/files/folders.ts';
import { keyOf, located, type TomlFile, tomlIn, tomlText, writtenOf } from '../../base/files/toml.ts';
import { quantity, usd } from '../../base/text/format.ts';
import { quoted } from '../../base/text/plain-text.ts';
import { nearest } from '../../wire/contract/nearest.ts';
import type { Mandate } from './mandate.ts';
import { fieldNames, fields, isBotName, tomlOf } from './terms.ts';

/** A mandate for a bot. */
export type NamedMandate = Mandate & { readonly name: string };

/** The file that a person means: the name of a bot is the file of `perp mandate add`, anything else is a path. */
export function mandateFile(variables: Variables, given: string): string {
  return isBotName(given) ? join(configFolder(variables), 'mandates', `${given}.toml`) : given;
}

/** Reads and checks a mandate's file, and returns its text, too; a usage failure gives the line of the error. */
export function readMandate(file: string): { mandate: NamedMandate; text: string } {
  const hint = 'perp mandate add BOT writes one with comments.';
  const text = tomlText(file, 1 << 16, { what: 'mandate', code: 'mandate_file', hint });
  return { mandate: parseMandate(text.replace(/^\uFEFF/, ''), file), text };
}

/** Parses the text of a mandate's file; errors mention `file`. */
export function parseMandate(text: string, file: string): NamedMandate {
  const found: Record<string, unknown> = {};
  const lines: Partial<Record<keyof Mandate, number>> = {};
  const hint = 'A mandate is a TOML file; perp mandate add BOT writes one.';
  const about: TomlFile = { file, code: 'mandate_file', hint };
  for (const setting of tomlIn(text, about)) {
    const { line } = setting.loc.start;
    located(about, line, () => {
      if (setting.type !== 'TOMLKeyValue')
        throw usageFailure('A mandate has no sections.', 'Remove the line in brackets.');
      const key = keyOf(setting.key);
      const field = fieldNames.find((name) => fields[name].key === key);
      if (field === undefined) throw unknownKey(key);
      found[field] = fields[field].parse(writtenOf(setting.value, text, key), key);
      lines[field] = line;
    });
  }
  const missing = fieldNames.find((field) => fields[field].isOptional !== true && found[field] === undefined);
  if (missing !== undefined)
    located(about, 1, () => {
      throw usageFailure(
        `${fields[missing].key} is missing.`,
        'perp mandate add BOT writes a mandate with every term.',
      );
    });
  const mandate = found as unknown as NamedMandate;
  for (const [field, message] of contradictionsOf(mandate))
    located(about, lines[field] ?? 1, () => {
      throw usageFailure(message, 'Change one of them.');
    });
  return mandate;
}

/** A mandate as the text of a file; the same terms have the same text. */
export function mandateText(mandate: Mandate): string {
  return fieldNames
    .filter((field) => mandate[field] !== undefined)
    .map((field) => `${fields[field].key} = ${tomlOf(field, mandate[field]!)}\n`)
    .join('');
}

/** SHA-256 of the terms, 64 hexadecimal digits: what records name a mandate by. */
export function mandateHash(mandate: Mandate): string {
  return hash('sha256', mandateText(mandate), 'hex');
}

/** Terms that contradict each other. */
function contradictionsOf(mandate: NamedMandate): [field: keyof Mandate, message: string][] {
  const { largestOrderUsd: order, largestPositionUsd: position, approveAboveUsd: above, approvalBps } = mandate;
  const { largestOrderRoom: orderRoom = 0, largestPositionRoom: positionRoom = 1, hours, sides } = mandate;
  const found: [isWrong: boolean, field: keyof Mandate, message: string][] = [
    [order > position, 'largestOrderUsd', `largest-order is ${usd(order)} USD, above largest-position.`],
    [orderRoom > positionRoom, 'largestOrderRoom', 'largest-order-room is above largest-position-room.'],
    [
      above !== undefined && above >= order,
      'approveAboveUsd',
      `approve-above is ${usd(above ?? 0)} USD, but no order may be above ${usd(order)} USD.`,
    ],
    [
      approvalBps !== undefined && above === undefined,
      'approvalBps',
      `approval-within is ${quantity((approvalBps ?? 0) / 100)}%, but it needs approve-above.`,
    ],
    [hours?.length === 0 && sides.length > 0, 'hours', 'hours is empty, but sides allows new exposure.'],
  ];
  return found.filter(([isWrong]) => isWrong).map(([, field, message]) => [field, message]);
}

function unknownKey(key: string): Failure {
  const known = fieldNames.map((field) => fields[field].key);
  const near = nearest(key, known);
  const hint = near === undefined ? `Terms: ${known.join(', ')}.` : `Did you mean ${near}?`;
  return usageFailure(`${quoted(key)} is not a mandate term.`, hint);
}

/** The terms of a new mandate: fractions of an account's equity and room. */
export function suggestedMandate(
  { name, account, markets }: { name: string; account: string; markets: readonly string[] },
  { equity, room, leverage }: { equity: number; room: number | undefined; leverage: number },
  now: number,
): NamedMandate {
  const round = (value: number) => Number(Math.max(1, value).toPrecision(1));
  const limited = Math.min(equity, room ?? equity);
  return {
    name,
    accounts: [account],
    markets,
    sides: ['buy', 'sell'],
    largestOrderUsd: round(equity * 0.01),
    largestPositionUsd: round(equity * 0.03),
    largestLeverage: leverage,
    lossPerDayUsd: round(limited * 0.1),
    ordersPerMinute: 10,
    stopWithin: 0.02,
    largestOrderRoom: 0.1,
    largestPositionRoom: 0.3,
    roomLeftUsd: round(limited * 0.5),
    hours: [{ days: [1, 2, 3, 4, 5], from: 480, to: 1_200 }],
    until: Math.ceil((now + 30 * 86_400_000) / 3_600_000) * 3_600_000,
    approveAboveUsd: round(equity * 0.005),
    approvalBps: 50,
  };
}

/** The file that `perp mandate add` writes: every term with its meaning; optional terms are commented out. */
export function templateOf(mandate: NamedMandate): string {
  const line = (field: keyof typeof fields) => `${fields[field].key} = ${tomlOf(field, mandate[field]!)}`;
  return `# What the bot ${mandate.name} may trade through perp gate or perp mcp (TOML).
# It takes effect when you sign it: perp mandate sign FILE. You can tighten a term here at any time; loosening one
# needs a new signature. perp mandate check FILE shows what it allows now.

${line('name')}
# Ids, exactly as perp accounts and perp markets show them.
${line('accounts')}
${line('markets')}
# Sides that may add exposure. Reductions may always use both.
${line('sides')}

# Maximum value of an order that adds, and of a position, including working orders, ladders and TWAPs that could add.
${line('largestOrderUsd')}
${line('largestPositionUsd')}
${line('largestLeverage')}
# After this loss in a trading day (from midnight in New York), open positions included, nothing may be added.
${line('lossPerDayUsd')}
# Maximum orders in any 60 seconds, reductions included. Each rung of a ladder is one. Canceling is free.
${line('ordersPerMinute')}
${line('until')}

# Every order that adds needs its own stop, at most this far from its entry ("any": any distance).
# TWAPs, ladders and copies have no stops, so this term lets them only reduce.
# ${line('stopWithin')}

# Maximum worst-case loss of an order, and of a position, as a share of the room to the nearest floor.
# ${line('largestOrderRoom')}
# ${line('largestPositionRoom')}
# Room that must be left in the worst case: every stop fires, and everything without a stop is lost.
# ${line('roomLeftUsd')}

# When the bot may add, in UTC.
# ${line('hours')}

# An order that adds more than this waits for you: perp approve. An approval is void once the mark moves by
# approval-within.
# ${line('approveAboveUsd')}
# ${line('approvalBps')}
`;
}
