import { it } from 'node:test';
import { tryForgeries } from './forgeries.ts';

it('1,000 forged, replayed, altered or expired approvals let nothing through', { timeout: 600_000 }, () =>
  tryForgeries(1_000),
);
