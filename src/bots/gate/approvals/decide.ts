import { Failure } from '../../../base/failure/failure.ts';
import type { OwnerSecret } from '../../../base/files/owner-secret.ts';
import {
  ApprovalFiles,
  approvalLastsMs,
  type Decision,
  type End,
  type KeptRequest,
  requestHash,
  silentMs,
} from './approval-files.ts';

/** The requests that wait, the oldest first. Decisions not signed by the owner's secret are left out. */
export function waitingRequests(folder: string, secret: OwnerSecret, now: number) {
  const files = new ApprovalFiles(folder, secret);
  return files
    .ids()
    .map((id) => files.sound(id, 'request'))
    .filter((kept) => kept !== undefined)
    .filter((kept) => now < kept.until && files.read(kept.id, 'end') === undefined)
    .map((kept) => waitingOf(files, kept, now))
    .sort((one, other) => one.kept.askedAt - other.kept.askedAt);
}

/**
 * A request as the person sees it. `facts`: its effect, as last reported; undefined: the gate that asked no longer
 * answers. `decision`: someone has decided, and the gate has not let it through yet. `until`: when the request, or the
 * decision about it, expires, Unix ms.
 */
function waitingOf(files: ApprovalFiles, kept: KeptRequest, now: number) {
  const said = files.sound(kept.id, 'facts');
  const isRecent = said !== undefined && Math.abs(now - said.at) < silentMs;
  const decision = files.sound(kept.id, 'decision');
  const until = decision?.until ?? kept.until;
  return { kept, facts: isRecent ? said.facts : undefined, decision: decision?.decision, until };
}

/** A person's decision, and the means to carry it out. */
export interface DecisionOptions {
  readonly folder: string;
  readonly secret: OwnerSecret;
  readonly kept: KeptRequest;
  readonly decision: Decision['decision'];
  /** The mark that the person saw, USD. */
  readonly mark: number;
  readonly by: string;
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** The gate's response to a decision: it ended the request, or keeps the approval until its bot asks again. */
export type Decided = { readonly state: 'kept'; readonly until: number } | End;

const pollMs = 100;
/** Bots ask again within seconds; after this long, the person need not watch, ms. */
const watchMs = 15_000;

/**
 * Signs a decision on one exact request, and watches the gate's response. Throws a failure if someone else decided
 * first, or if the gate doesn't answer: then the request has ended, and its order won't be sent.
 */
export async function decide(options: DecisionOptions): Promise<Decided> {
  const { folder, secret, kept, now } = options;
  const files = new ApprovalFiles(folder, secret);
  const { id, nonce } = kept;
  const at = now();
  const { decision, by, mark } = options;
  const hash = requestHash(kept.request);
  const signed = { id, nonce, requestHash: hash, decision, by, at, until: at + approvalLastsMs, mark };
  const before = files.sound(id, 'end');
  if (before !== undefined) throw tooLate(`It is over: ${before.why}`);
  if (!files.create('decision', signed)) throw tooLate('Someone has already decided on it.');
  for (let waitedMs = 0; waitedMs < watchMs; waitedMs += pollMs) {
    const end = files.sound(id, 'end');
    if (end !== undefined) return end;
    const isNoticed = files.sound(id, 'facts')?.isDecided === true;
    if (!isNoticed && waitedMs >= silentMs) return withdrawn(files, kept, now());
    await options.sleep(pollMs);
  }
  return files.sound(id, 'end') ?? { state: 'kept', until: signed.until };
}

/** Ends the request, unless the gate was faster. */
function withdrawn(files: ApprovalFiles, kept: KeptRequest, at: number): Decided {
  const why = 'The gate did not answer, so the decision was withdrawn.';
  const isEnded = files.create('end', { id: kept.id, nonce: kept.nonce, state: 'void', why, at });
  const end = isEnded ? undefined : files.sound(kept.id, 'end');
  if (end !== undefined) return end;
  throw new Failure({
    code: 'gate_silent',
    message: `The gate no longer answers, so the decision was withdrawn and the order will not be sent.`,
    hint: 'perp gate status shows whether it is running. The bot can ask again under another key.',
  });
}

function tooLate(message: string): Failure {
  return new Failure({
    code: 'already_decided',
    message,
    hint: 'perp approve lists the waiting requests.',
  });
}
