import type { Exposed, GateWrite, Verdict } from './exposed.ts';
import type { Mandate } from './mandate.ts';

/** Judges one write under a mandate: pure, and exhaustive over every write of the API. */
export type JudgeWrite = (mandate: Mandate, exposed: Exposed, write: GateWrite, now: number) => Verdict;
