import { existingOwnerSecret } from '../../base/files/owner-secret.ts';
import { stretch, usd } from '../../base/text/format.ts';
import { fitted, type Row, rowWidth, toned } from '../console/charts/cells.ts';
import type { Console } from '../console/console.ts';
import { recordOfWaiting, type WaitingRequest, waitingWords } from '../console/views/audit-view.ts';

type Approvals = Pick<typeof import('../../bots/gate/approvals/decide.ts'), 'waitingRequests'> &
  Pick<typeof import('../../bots/gate/approvals/approval-files.ts'), 'approvalsFolder'>;

/** The interval between checks, ms: the screen is redrawn as often. */
const lookMs = 1_000;

/**
 * The requests of bots that wait for a person at a gate of this machine. Reading them sends no request to the service.
 */
export class WaitingApprovals {
  readonly #console: Console;
  #approvals: Approvals | undefined;
  #waiting: readonly WaitingRequest[] = [];
  #lookedAt = Number.NEGATIVE_INFINITY;
  readonly #told = new Set<string>();

  constructor(console: Console) {
    this.#console = console;
    void this.#load();
  }

  async #load(): Promise<void> {
    const { approvalsFolder } = await import('../../bots/gate/approvals/approval-files.ts');
    const { waitingRequests } = await import('../../bots/gate/approvals/decide.ts');
    this.#approvals = { approvalsFolder, waitingRequests };
  }

  /** The ids of those that a person can decide about. */
  ids(): readonly string[] {
    return this.#look().map(({ kept }) => kept.id);
  }

  /** A sentence for each new request. */
  news(): string[] {
    const fresh = this.#look().filter(({ kept: { id } }) => !this.#told.has(id));
    for (const { kept } of fresh) this.#told.add(kept.id);
    return fresh.map(
      (one) =>
        `An order of ${one.kept.request.bot} waits for a person: ${waitingWords(one)}. perp approve ${one.kept.id.slice(0, 8)} shows it.`,
    );
  }

  /** A row if any request is waiting: the one that expires first, and how to decide it. */
  rows(width: number): Row[] {
    const waiting = this.#look();
    const [next] = waiting;
    if (next === undefined) return [];
    const { id, bot, what, effect, until } = recordOfWaiting(next);
    const worth = effect === null || effect.adds === null ? '' : `, ${usd(effect.adds.usd)} USD`;
    const left = `, ${stretch(Math.max(0, until - this.#console.outside.now()))} left`;
    const how = waiting.length === 1 ? `perp approve ${id.slice(0, 8)}` : 'perp approve';
    const title = toned(
      `${waiting.length === 1 ? 'APPROVAL WAITS' : `${waiting.length} APPROVALS WAIT`}, ${how}`,
      'alarm',
    );
    const variants = [`${bot}: ${what}${worth}${left}`, `${bot}: ${what}${left}`, `${bot}: ${what}`];
    const rows = variants.map((text): Row => [title, ' ', text]);
    return [fitted(rows.find((row) => rowWidth(row) <= width) ?? rows.at(-1)!, width)];
  }

  #look(): readonly WaitingRequest[] {
    const { machine, variables, outside } = this.#console;
    const uptime = machine.uptime?.() ?? performance.now();
    if (this.#approvals === undefined || uptime - this.#lookedAt < lookMs) return this.#waiting;
    this.#lookedAt = uptime;
    try {
      const secret = existingOwnerSecret(variables);
      const { approvalsFolder, waitingRequests } = this.#approvals;
      const all = secret === undefined ? [] : waitingRequests(approvalsFolder(variables), secret, outside.now());
      // The oldest first, which expires first.
      this.#waiting = all.filter(({ decision, facts }) => decision === undefined && facts !== undefined);
    } catch {
      // Users who may not read them decide nothing here.
      this.#waiting = [];
    }
    return this.#waiting;
  }
}
