import { it } from 'node:test';
import { tryForgeries } from './forgeries.ts';

const count = process.env.PERP_LONG ? 1_000 : 300;

it(`${count} forged, replayed, altered or expired approvals let nothing through`, { timeout: 600_000 }, () =>
  tryForgeries(count),
);
