import { usageFailure } from '../../../../base/failure/failure.ts';
import { isJsonObject } from '../../../../base/terms/json-object.ts';
import { providers } from '../../../../base/terms/venues.ts';
import { quoted } from '../../../../base/text/plain-text.ts';
import { accountId } from '../../../../desk/resolve/account.ts';
import { allMarkets, resolveMarket } from '../../../../desk/resolve/market.ts';
import { nearest } from '../../../../wire/contract/nearest.ts';
import { bodyIssues } from '../../../../wire/contract/request.ts';
import { type SetPolicyRequest, simulationOperations } from '../../../../wire/contract/simulation.ts';
import { type Console, defineCommand, type InputOf } from '../../../console/console.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { observedBlocks, policyBlocks } from '../../../console/views/account-view.ts';
import { jsonGiven } from '../../reading/json-given.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: "Show or change an account's policy and trading halts",
  description:
    'Without a change and options, shows the policy. A change is JSON with fields of POST /sim/policy (docs/simulation.md lists them); markets can be named in any form, options take precedence, and omitted fields are unchanged.',
  args: [{ name: 'change', optional: true, summary: 'JSON, or @FILE; - reads standard input' }],
  options: {
    preset: {
      value: 'NAME',
      choices: ['observed', 'default'],
      summary: 'start from all observed behaviors of the live service, or from none',
    },
    restrict: { value: 'WHAT', choices: ['reduce_only', 'none'], summary: 'restrict the account' },
    halt: { value: 'CATEGORY', repeat: true, summary: 'halt a category or platform (everything); none ends all halts' },
    marks: {
      value: 'SOURCE',
      choices: ['book', 'venue'],
      summary: "where marks come from: the book's midpoint or the venue's own mark",
    },
  },
  examples: [
    ['perp sim policy', 'show the policy'],
    ['perp sim policy --restrict reduce_only', 'test a restriction'],
    ['perp sim policy --halt crypto', 'halt a category'],
    ['perp sim policy --preset observed', 'behave like the live service'],
    ['perp sim policy --marks venue', "trigger and liquidate at the venue's own mark, on live books"],
    ['perp sim policy \'{"limits": {"trades_per_day": 20}}\'', 'at most 20 trades a day'],
    ['perp sim policy @strict.json', 'apply a file'],
  ],
  simulationOnly: true,
  async run(console, input): Promise<Result> {
    const account_id = await accountId(console);
    const { trading_halt, ...own } = await changes(console, input, account_id);
    const forAccount = Object.values(own).some((value) => value !== undefined);
    if (!forAccount && trading_halt === undefined) {
      const { data } = await console.call('simGetPolicy', { query: { account_id } });
      return recordOf(data, () => [policyBlocks(data), observedBlocks(data.observed)]);
    }
    const body: SetPolicyRequest = {
      ...own,
      ...(forAccount ? { account_id } : {}),
      ...(trading_halt === undefined ? {} : { trading_halt }),
    };
    const request = { body };
    return write(console, 'simSetPolicy', request, {
      question: forAccount ? `Change the policy of ${account_id}?` : 'Change the trading halts?',
      done: async () => {
        const { data } = await console.call('simGetPolicy', { query: { account_id } });
        return recordOf(data, () => [
          line({ text: 'Changed.', tone: 'good' }),
          policyBlocks(data),
          observedBlocks(data.observed),
        ]);
      },
    });
  },
});

type Input = InputOf<typeof command>;

/** The requested changes: the given fields, then the options. */
async function changes(console: Console, input: Input, account_id: string): Promise<SetPolicyRequest> {
  const given = input.change === undefined ? {} : await fieldsGiven(console, input.change, account_id);
  const { restrict, marks } = input;
  return {
    ...given,
    preset: input.preset ?? given.preset,
    restriction: restrict === undefined ? given.restriction : restrict === 'none' ? null : restrict,
    observed: marks === undefined ? given.observed : { ...given.observed, marks },
    trading_halt: (await halt(console, input.halt)) ?? given.trading_halt,
  };
}

/** Fields as sent: checked, and with the ids of their markets. */
async function fieldsGiven(console: Console, text: string, account_id: string): Promise<SetPolicyRequest> {
  const fields = await jsonGiven(console, text, 'CHANGE');
  if (!isJsonObject(fields) || 'account_id' in fields)
    throw usageFailure('CHANGE must be an object of JSON, without an account.', '--account names the account.');
  const issues = bodyIssues(simulationOperations.simSetPolicy, { ...fields, account_id });
  if (issues.length > 0) throw usageFailure('The policy is invalid.', undefined, issues);
  const { competition, observed, ...rest } = fields as SetPolicyRequest;
  Object.keys(rest.market_order_maximum_bps_by_provider ?? {}).forEach(checkProvider);
  await refuseUnknown(console, rest.trading_halt?.categories ?? []);
  const idOf = async (market: string) => (await resolveMarket(console, market)).market_id;
  const interest = observed?.open_interest_usd;
  const interests = Object.entries(interest ?? {}).map(async ([market, usd]) => [await idOf(market), usd] as const);
  return {
    ...rest,
    competition: competition && {
      ...competition,
      market_allowlist: await Promise.all(competition.market_allowlist.map(idOf)),
    },
    observed:
      interest === undefined
        ? observed
        : { ...observed, open_interest_usd: Object.fromEntries(await Promise.all(interests)) },
  };
}

/** Rejects a mistyped venue, which would silently limit nothing. */
function checkProvider(name: string): void {
  if ((providers as readonly string[]).includes(name)) return;
  const near = nearest(name, providers);
  throw usageFailure(
    `There is no provider ${quoted(name)}; allowed: ${providers.join(', ')}.`,
    near === undefined ? undefined : `Did you mean ${near}?`,
  );
}

async function halt(console: Console, words: readonly string[]): Promise<SetPolicyRequest['trading_halt']> {
  if (words.length === 0) return undefined;
  if (words.includes('none') && words.length > 1)
    throw usageFailure("--halt none ends all halts and can't be combined with others.");
  const categories = words.filter((word) => word !== 'platform' && word !== 'none');
  if (categories.length > 0) await refuseUnknown(console, categories);
  return { platform: words.includes('platform'), categories };
}

/** Rejects a mistyped category, which would silently halt nothing. */
async function refuseUnknown(console: Console, categories: readonly string[]): Promise<void> {
  const known = new Set((await allMarkets(console)).map((market) => market.category));
  const unknown = categories.find((category) => !known.has(category));
  if (unknown === undefined) return;
  const there = [...known].filter((category) => category !== undefined).sort();
  throw usageFailure(
    `No market has the category ${quoted(unknown)}.`,
    `Categories: ${there.join(', ')}. Use platform to halt everything, none to end all halts.`,
  );
}
