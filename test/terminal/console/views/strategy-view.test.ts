import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../../../../src/terminal/console/output/result.ts';
import { twapBlocks } from '../../../../src/terminal/console/views/strategy-view.ts';
import type { TwapOrder } from '../../../../src/wire/contract/strategies.ts';
import { twap } from '../../../desk/mandate/exposures.ts';

/** What a TWAP's fields say, by their names. */
function shown(changes: Partial<TwapOrder>): Record<string, string> {
  const found = twapBlocks({ ...twap(3, 1), ...changes }).flatMap((block) =>
    block.kind === 'fields' ? block.fields : [],
  );
  return Object.fromEntries(found.map(([name, cell]) => [name, textOf(cell)]));
}

test('a TWAP says that it is randomized, or only reduces, if it is or does', () => {
  assert.deepEqual([shown({}).randomized, shown({})['reduce only']], [undefined, undefined]);
  assert.equal(shown({ randomize: false }).randomized, undefined);
  assert.equal(shown({ randomize: true }).randomized, 'size and time');
  assert.equal(shown({ reduce_only: true })['reduce only'], 'yes');
});
