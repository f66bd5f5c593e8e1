import { isNotFound } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import { apiCodeOf } from '../../wire/contract/errors.ts';
import { attempt, type Session } from '../session/session.ts';
import type { Reporter } from './reporter.ts';
import type { Followed } from './trail.ts';

interface StopOptions {
  session: Session;
  reporter: Reporter;
  /** Steady clock, ms. */
  now(): number;
}

/** A stop moves at most this often. */
const moveEveryMs = 1_000;
/** After a refusal, it waits longer. */
const refusedEveryMs = 10_000;

/** Moves the stops of followed positions, side by side. */
export class Stops {
  readonly #options: StopOptions;
  readonly #nextAt = new Map<string, number>();

  constructor(options: StopOptions) {
    this.#options = options;
  }

  /** Other positions may have the same ids from now on. */
  forget(): void {
    this.#nextAt.clear();
  }

  /** False if positions or exits have changed, so that they have to be read again; undefined if nothing was moved. */
  async move(followed: readonly Followed[]): Promise<boolean | undefined> {
    const { now } = this.#options;
    const due = followed.filter(
      ({ position, move }) => move !== undefined && now() >= (this.#nextAt.get(position.id) ?? 0),
    );
    const moved = await Promise.all(due.map((one) => this.#move(one)));
    return moved.length === 0 ? undefined : moved.every((isCurrent) => isCurrent);
  }

  async #move({ rule: { kind }, position, move, wanted }: Followed): Promise<boolean> {
    const { session, reporter, now } = this.#options;
    const { id: position_id } = position;
    this.#nextAt.set(position_id, now() + moveEveryMs);
    const isMoved = move!.operations.some((one) => one.kind === 'modify');
    try {
      await attempt(session, 'replacePositionExitOrders', { path: { position_id }, body: move! });
      reporter.moved(kind, position, wanted, isMoved);
      return true;
    } catch (error) {
      session.signal.throwIfAborted();
      const { message } = factsOf(error);
      if (apiCodeOf(error) === 'stale_snapshot' || isNotFound(error)) {
        this.#nextAt.delete(position_id);
        return false;
      }
      // Even without an answer: its outcome is read before the next move.
      this.#nextAt.set(position_id, now() + refusedEveryMs);
      reporter.notMoved(kind, position, wanted, isMoved, message);
      return true;
    }
  }
}
