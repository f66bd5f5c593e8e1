import { ownText } from '../../base/self/self.ts';
import { identify, journaled, tripRecord } from '../../desk/history/journaled.ts';
import { readHistory } from '../../desk/history/read-history.ts';
import { policyOf } from '../../desk/reading/prospects.ts';
import { accountId, accountRisk } from '../../desk/resolve/account.ts';
import { AgentConsole, type AgentDesk } from './agent-console.ts';

/** The pages of the documentation that an agent may need. */
const pages = {
  agents: 'How these tools work, and what they refuse',
  glossary: "perp's terms",
  simulation: 'Every rule of the simulated exchange',
} as const;

const rules = 'perp://account/rules';
const journal = 'perp://account/journal';
const docs = 'perp://docs/';

/** What can be read besides the results of tools. */
export const resources = [
  {
    uri: rules,
    name: 'Rules of the account',
    description: 'Its challenge, limits and restrictions',
    mimeType: 'application/json',
  },
  {
    uri: journal,
    name: 'Journal',
    description: 'The last round trips, with the notes of their owner',
    mimeType: 'application/json',
  },
  ...Object.entries(pages).map(([name, description]) => ({
    uri: docs + name,
    name,
    description,
    mimeType: 'text/markdown',
  })),
] as const;

/** Round trips in the journal. */
const mostTrips = 50;

/** The contents of a resource; undefined: there is none. */
export async function readResource(desk: AgentDesk, uri: string, canceled: AbortSignal) {
  const known = resources.find((one) => one.uri === uri);
  if (known === undefined) return undefined;
  const { mimeType } = known;
  if (uri.startsWith(docs)) return { uri, mimeType, text: page(uri.slice(docs.length)) };
  const console = new AgentConsole(desk, { account: undefined, idempotencyKey: undefined, canceled, sends: false });
  const read = uri === rules ? await rulesOf(console) : await tripsOf(console);
  const { environment } = console.settings;
  return { uri, mimeType, text: JSON.stringify(console.foreign.sealed({ environment, ...read })) };
}

function page(name: string): string {
  return ownText(`docs/${name}.md`);
}

async function rulesOf(console: AgentConsole) {
  const account = await accountRisk(console);
  return { account: account.id, requirements: account.risk?.requirements, policy: await policyOf(console, account.id) };
}

async function tripsOf(console: AgentConsole) {
  const account = await accountId(console);
  const history = await readHistory(console, account);
  const { notesOf, riskOf } = await journaled(console, history);
  const last = history.trips.slice(-mostTrips).toReversed();
  const ids = await identify(console, account, history.trips, last);
  const trips = last.map((trip) => tripRecord(trip, ids.get(trip), notesOf(trip), riskOf(trip)));
  console.foreign.learn(trips);
  return { account, trips };
}
