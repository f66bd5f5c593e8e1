import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rulesVersion } from '../../../../src/exchange/engine/version.ts';
import { syntheticVersions } from '../../../../src/exchange/markets/versions.ts';
import type { TrialSpec } from '../../../../src/programs/lab/trial.ts';
import { type OpenedStrategy, Pool } from '../../../../src/programs/lab/workers/pool.ts';

/** A folder of strategies, and a pool that runs them. */
export class Strategies implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'perp-lab-'));
  readonly pool: Pool;

  constructor({ timeoutMs = 30_000, memoryMb = 256 } = {}) {
    this.pool = new Pool({ timeoutMs, memoryMb, tapes: new Map() });
  }

  /** Writes a file; returns its path. */
  file(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  /** Loads a strategy of this text. */
  open(text: string, name = 'strategy.ts'): Promise<OpenedStrategy> {
    return this.pool.open(this.file(name, text));
  }

  [Symbol.dispose](): void {
    this.pool.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The text of a strategy whose `start` is this. */
export function starting(body: string, before = ''): string {
  return `import { defineStrategy } from 'perp/strategy';\n${before}\nexport default defineStrategy({ markets: ['BTC'], parameters: { size: 0.01 }, start(bot) { ${body} } });\n`;
}

/** A trial of some seconds on synthetic markets. */
export function specOf({ hash, parameters }: OpenedStrategy, changes: Partial<TrialSpec> = {}): TrialSpec {
  const from = Date.UTC(2026, 0, 5);
  return {
    ...{ strategy: 'strategy.ts', strategyHash: hash, parameters },
    ...{ source: { kind: 'synthetic', seed: 1 }, from, to: from + 2_000 },
    ...{ plan: 'select', balance: 100_000, seed: 1, think: 0, sampleMs: 1_000, fold: null },
    versions: { rules: rulesVersion, ...syntheticVersions },
    ...changes,
  };
}
