import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { equityAt, netPnl, unrealizedPnl } from '../../../src/desk/risk/profit.ts';
import type { Position } from '../../../src/wire/contract/positions.ts';

const held = (changes: Partial<Position> = {}): Position =>
  ({
    market_id: 'binance|BTCUSDT',
    status: 'open',
    side: 'long',
    size: 0.3,
    entry_price: 100.1,
    leverage: 10,
    margin_mode: 'cross',
    isolated_margin_extra: 0,
    ...changes,
  }) as Position;

describe('the unrealized profit of a position', () => {
  it('is exact, where binary fractions are not', () => {
    assert.equal(unrealizedPnl(held(), 100.2), 0.03);
    assert.equal(unrealizedPnl(held({ side: 'short' }), 100.2), -0.03);
  });

  it('is unknown without a mark, once closed, and if a host has sent no numbers', () => {
    assert.equal(unrealizedPnl(held(), undefined), undefined);
    assert.equal(unrealizedPnl(held({ status: 'closed' }), 100), undefined);
    assert.equal(unrealizedPnl(held({ size: Number.NaN }), 100), undefined);
  });
});

describe('equity', () => {
  const at = (mark: number | undefined, ...positions: Position[]) => equityAt(1_000, positions, () => mark);

  it('is the balance plus what each position has won or lost', () => {
    assert.equal(at(undefined), 1_000);
    assert.equal(at(110.1, held(), held({ side: 'short', size: 0.1 })), 1_002);
  });

  it('falls by no more than the margin of an isolated position', () => {
    const isolated = held({ size: 1, entry_price: 100, margin_mode: 'isolated', isolated_margin_extra: 2 });
    assert.equal(at(90, isolated), 990);
    assert.equal(at(80, isolated), 988);
    assert.equal(at(80, { ...isolated, margin_mode: 'cross' }), 980);
  });

  it('is unknown if a mark is missing, or if a host has sent no numbers', () => {
    assert.equal(at(undefined, held()), undefined);
    assert.equal(at(100, held({ entry_price: Number.NaN })), undefined);
    assert.equal(
      equityAt(Number.NaN, [], () => 1),
      undefined,
    );
  });
});

describe('the net result of a closed position', () => {
  it('is its profit minus what was paid, and unknown if a part of it is', () => {
    assert.equal(netPnl({ realized_pnl: 0.3, fees: 0.1, funding: -0.05 }), 0.25);
    assert.equal(netPnl({ realized_pnl: 0.3, fees: 0.1 }), undefined);
  });
});

describe('net, unrealized profit and equity', () => {
  const source = resolve(import.meta.dirname, '../../../src');
  /** On booked money: `netOf`, the equity of a curve, and what a close charges to its margin. */
  const booked = ['base/margin/notional.ts', 'desk/history/equity.ts', 'exchange/engine/accounts/carry.ts'];
  const formulas = {
    'desk/risk/profit.ts has net profit': /(?:realized\w*|profit)\s*-\s*[\w.]*fees?\b/i,
    'desk/risk/profit.ts has unrealized profit':
      /-\s*[\w.!?]*entry_?price\)*\s*\*|entry_?price\s*-\s*[\w.!?]+\)\s*\*|\(\w+\s*-\s*[\w.!?]*entry_?price\)/i,
    'desk/risk/profit.ts has equity': /balance\s*\+\s*\w*(?:unrealized|profit|pnl)/i,
  };

  it('are computed by one function each', () => {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    assert.ok(files.length > 500);
    for (const file of files.filter((name) => !booked.includes(name))) {
      const text = readFileSync(join(source, file), 'utf8');
      for (const [where, formula] of Object.entries(formulas)) assert.doesNotMatch(text, formula, `${file}: ${where}`);
    }
  });

  it('do not pass over a formula', () => {
    const own = [
      'const net = realized - fees + carry;',
      'return (mid - holding.entryPrice) * size;',
      'equity = balance + unrealized;',
    ];
    for (const [at, formula] of Object.values(formulas).entries()) assert.match(own[at]!, formula);
  });
});
