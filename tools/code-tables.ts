/**
 * The tables of documents whose rows come from tables of the code. `npm run fix` (doc-examples.ts) writes them;
 * test/docs/tables.test.ts compares them.
 */
import { invariants } from '../src/base/terms/invariants.ts';
import { type OrderKind, orderKinds, requestTypes } from '../src/base/terms/order-types.ts';
import type { AnyRuleKind } from '../src/desk/guard/rule.ts';
import { ruleKinds } from '../src/desk/guard/rules.ts';
import { variables } from '../src/terminal/cli/tree/topics.ts';
import { configKeyOf, configKeys, type TableKey } from '../src/terminal/console/settings/config-keys.ts';
import { allTools } from '../src/terminal/mcp/server.ts';
import type { Operation } from '../src/wire/contract/operation.ts';
import { simulationOperations } from '../src/wire/contract/simulation.ts';
import { assertCalls } from '../test/mutants.ts';

type Rows = readonly (readonly string[])[];

/** The header of each table, by its page, and its rows. */
export const codeTables: readonly (readonly [page: string, header: string, rows: () => Rows])[] = [
  ['docs/guard.md', '| rule | fires when | `do` by default |', guardRules],
  ['docs/agents.md', '| tool | what it does | needs |', agentTools],
  ['docs/settings.md', '| variable | |', () => variables.map(([name, meaning]) => [code(name), meaning])],
  ['docs/settings.md', '| key | |', configRows],
  [
    'docs/simulation.md',
    '| type | fires | then | limit_price | trigger_price | time_in_force | slippage | legs | marketable ack | also |',
    orderTypes,
  ],
  ['docs/simulation.md', '| request | what it does | fields |', simulationRequests],
  ['test/invariants.md', '| invariant | what always holds | asserted in |', assertedInvariants],
];

const code = (name: string) => `\`${name}\``;

/** Required fields come first. */
function guardRules(): Rows {
  return Object.entries<AnyRuleKind>(ruleKinds).map(([name, { fields, docs, steps }]) => {
    const parts = Object.entries(fields).sort(
      ([, one], [, other]) => Number(one.optional ?? 0) - Number(other.optional ?? 0),
    );
    const named = parts.map(([field]) => `\`${field}\``).join(', ');
    return [`\`[${name}]\` ${named}`.trim(), docs, (steps ?? []).join(', ')];
  });
}

function agentTools(): Rows {
  return allTools.map(({ name, description, changes }) => [
    code(name),
    description,
    changes ? 'a mandate or a gate' : '',
  ]);
}

const presences = { '-': '–', R: 'R', o: 'o', L: 'o with limit_price', M: 'o without' } as const;
const firings = { against: 'against it', favor: 'in its favor', directed: 'as directed' } as const;
const meetings = {
  takes: 'takes',
  rests: 'rests',
  follows: 'follows',
  priced: 'takes, or rests with a limit',
} as const;

/** The last column has the fields that few types take. */
function orderTypes(): Rows {
  return requestTypes.map((type) => {
    const { fields, fires, meets, reduces }: OrderKind = orderKinds[type];
    const [limit, trigger, expiry, slippage, legs, ack, chase, watch, target] = fields!.map((one) => presences[one]);
    const few = [
      [chase, 'chase_offset'],
      [chase, 'chase_cap_price'],
      [watch, 'trigger_market_id'],
      [watch, 'trigger_direction'],
      [target, 'target_position_id'],
    ].flatMap(([presence, field]) => (presence === '–' ? [] : [`${field} ${presence}`]));
    const also = few.join(', ') + (reduces ? '; always reduces' : '');
    const fired = fires === null ? '–' : firings[fires];
    return [type, fired, meetings[meets], limit!, trigger!, expiry!, slippage!, legs!, ack!, also];
  });
}

function simulationRequests(): Rows {
  return Object.values<Operation>(simulationOperations).map(({ method, path, summary, query, body }) => {
    const fields = Object.keys({ ...query?.properties, ...body?.properties });
    return [code(`${method} ${path}`), summary.replace(/\.$/, ''), fields.map(code).join(', ')];
  });
}

/** Every venue has the same two keys. */
function configRows(): Rows {
  const keys = Object.keys(configKeys) as TableKey[];
  const own = keys.filter((key) => !key.startsWith('venues.'));
  return [
    ...own.map((key) => [code(key), configKeyOf(key).summary]),
    ['`venues.NAME.ws_url`', "address of a venue's stream"],
    ['`venues.NAME.rest_url`', "address of a venue's REST API"],
  ];
}

function assertedInvariants(): Rows {
  const rows = assertCalls().map(({ invariant, file }) => [code(invariant), invariants[invariant], code(file)]);
  return [...new Map(rows.map((row) => [row.join(), row])).values()];
}

/** The page with these rows below the header of a table; throws if the page lacks the table. */
export function withRows(page: string, header: string, rows: Rows): string {
  const start = page.indexOf(`${header}\n`);
  if (start < 0) throw new Error(`No page has the table ${header}`);
  const first = page.indexOf('\n', start + header.length + 1) + 1;
  const lines = rows.map((row) =>
    `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`.replace('|  |', '| |'),
  );
  return page.slice(0, first) + lines.join('') + page.slice(first).replace(/^(?:\|.*\n)*/, '');
}
