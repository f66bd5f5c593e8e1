import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe } from 'node:test';
import type { Operation } from '../../src/wire/contract/operation.ts';
import { operations } from '../../src/wire/contract/operations.ts';
import { accountTests } from './accounts.ts';
import { badInputTests } from './bad-input.ts';
import { bulkTests } from './bulk.ts';
import { copyTests } from './copy.ts';
import { historyTests } from './history.ts';
import { idempotencyTests } from './idempotency.ts';
import { marketTests } from './markets.ts';
import { orderTests } from './orders.ts';
import { paginationTests } from './pagination.ts';
import { positionTests } from './positions.ts';
import { strategyTests } from './strategies.ts';
import { Bench, type OpenTarget, type Part } from './target.ts';

const parts: Record<string, Part> = {
  markets: marketTests,
  accounts: accountTests,
  orders: orderTests,
  positions: positionTests,
  idempotency: idempotencyTests,
  pagination: paginationTests,
  strategies: strategyTests,
  bulk: bulkTests,
  'copy trading': copyTests,
  history: historyTests,
  'bad input': badInputTests,
};

/** The API's behavior, whatever the transport: the same tests run against every target. */
export function conformance(name: string, open: OpenTarget): void {
  describe(name, () => {
    const seen = new Map<string, Set<number>>();
    for (const [part, tests] of Object.entries(parts)) {
      describe(part, () => {
        let bench: Bench;
        beforeEach(async () => {
          bench = await Bench.open(open);
        });
        afterEach(async () => {
          for (const [operation, statuses] of bench.api.seen)
            seen.set(operation, new Set([...(seen.get(operation) ?? []), ...statuses]));
          await bench.close();
        });
        tests(() => bench);
      });
    }
    // Every operation must have succeeded and refused at least once, unless only some of the tests were asked for.
    after(() => {
      if (process.execArgv.some((flag) => /^--test-(?:name|skip)-pattern|^--test-only/.test(flag))) return;
      // A login requires a person: the approval page has its own tests.
      const untried = ['exchangeCliAuthorizationCode', 'revokeCliSession'];
      for (const operation of Object.values<Operation>(operations)) {
        const { id, path, query, body } = operation;
        if (untried.includes(id)) continue;
        const cannotRefuse = query === null && body === null && !path.includes('{');
        const statuses = [...(seen.get(id) ?? [])];
        assert.ok(
          statuses.some((status) => status < 300),
          `${id} never succeeded (${statuses}): it needs cases in test/conformance`,
        );
        assert.ok(
          cannotRefuse || statuses.some((status) => status >= 400),
          `${id} never refused (${statuses}): it needs cases in test/conformance`,
        );
      }
    });
  });
}
