import type { MarketSource } from '../../../exchange/engine/source.ts';
import { isMeasured } from '../returns.ts';
import type { RunAnswer, RunRequest, Trial, TrialSpec } from '../trial.ts';
import { type Proof, prove } from './proof.ts';
import { proofKind } from './study.ts';

/** Dependencies of proving the trials of a file. */
export interface Proving {
  /** The trials file. */
  readonly file: {
    trials(): Iterable<Trial>;
    trial(id: string): Trial | undefined;
    facts(kind: string): Map<string, unknown>;
    setFact(kind: string, name: string, value: unknown): void;
    strategy(hash: string): readonly { readonly name: string; readonly text: string }[] | undefined;
  };
  /** The strategy that can be run now. */
  readonly strategyHash: string;
  /** The opened markets of a trial; undefined if they are unavailable. */
  readonly sourceOf: (spec: TrialSpec) => MarketSource | undefined;
  readonly run: (request: RunRequest) => Promise<RunAnswer>;
  /** The id of the best trial, which comes first; null if there is none. */
  readonly best: string | null;
  /** The number of trials; those already proven count. */
  readonly count: number;
  readonly onProof?: (trial: Trial, proof: Proof) => void;
  /** Stops before another trial; this many are proven by then. */
  readonly isStopped?: (proven: number) => boolean;
}

/** Unless a number is given, three trials are proven, and up to 20 while that is a small part of the time. */
export const mostUsualProofs = 20;
const leastUsualProofs = 3;
const usualShare = 0.1;

/** Whether this many proofs are enough after a sweep of this duration. */
export function enoughProofs(
  sweepMs: number,
  now: () => number = () => performance.now(),
): (proven: number) => boolean {
  const began = now();
  return (proven) => proven >= leastUsualProofs && now() - began > usualShare * sweepMs;
}

/** Proves some trials of a file, and stores the proofs in it. Returns those of them, old and new. */
export async function proveTrials(proving: Proving): Promise<Proof[]> {
  const { file, run, sourceOf } = proving;
  const known = file.facts(proofKind);
  const proofs: Proof[] = [];
  for (const trial of chosenTrials(proving)) {
    const there = known.get(trial.id) as Proof | undefined;
    // One that could not be made is tried again.
    const isMade = there !== undefined && there.status !== 'failed';
    if (isMade) proofs.push(there);
    if (isMade || proving.isStopped?.(proofs.length) === true) continue;
    const { spec, result } = trial;
    const [source, texts] = [sourceOf(spec), file.strategy(spec.strategyHash)];
    if (source === undefined || texts === undefined) continue;
    const { decisionHash, thinks } = result;
    const proof = await prove({ spec, source, texts, decisionHash, thinks, run });
    file.setFact(proofKind, trial.id, proof);
    proving.onProof?.(trial, proof);
    proofs.push(proof);
  }
  return proofs;
}

/** The best trial, and others in the order of their ids, which are arbitrary. */
function chosenTrials({ file, best, count, strategyHash }: Proving): Trial[] {
  const first = best === null ? undefined : file.trial(best);
  const chosen = first === undefined || count === 0 ? [] : [first];
  if (chosen.length >= count) return chosen;
  for (const trial of file.trials()) {
    if (trial.id === best || trial.spec.strategyHash !== strategyHash) continue;
    if (!isMeasured(trial) && trial.result.problem?.kind !== 'refused') continue;
    chosen.push(trial);
    if (chosen.length >= count) break;
  }
  return chosen;
}
