import { hash } from 'node:crypto';
import { isNotFound } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import { apiCodeOf } from '../../wire/contract/errors.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { attempt } from '../session/session.ts';
import { Flattening, type FlatteningOptions } from '../writes/flattening.ts';
import type { Step, Task } from './guard-state.ts';
import type { Tasks, TasksOptions } from './tasks.ts';
import type { Followed } from './trail.ts';

/** The account that steps act on, and the tasks that they are of. */
interface ActionOptions extends Pick<TasksOptions, 'session' | 'account' | 'isOnce'> {
  /** Part of every key, so the same trigger in another environment has other keys. */
  place: string;
  /** The account may have changed. */
  changed(): void;
  tasks: Tasks;
}

/** The idempotency key of one action; the same trigger always gives the same key. */
function actionKey(place: string, account: string, task: Task, action: string, id: string, nth: number): string {
  return `guard-${hash('sha256', JSON.stringify([place, account, task.key, action, id, nth]), 'hex').slice(0, 32)}`;
}

type Running = Readonly<{ task: Task; step: Step }>;

/**
 * Does the steps of tasks independently, except that one flattening serves all tasks: closing positions comes first,
 * and the files are written in parallel. After a crash, the same steps are repeated under the same keys, so nothing is
 * done twice.
 */
export class Actions {
  readonly #options: ActionOptions;
  readonly #running = new Map<string, { readonly work: Flattening; readonly over: Promise<void> }>();

  constructor(options: ActionOptions) {
    this.#options = options;
  }

  /** Begins anything that closes or cancels; `known` positions are closed at once, without reading them first. */
  begin(tasks: readonly Task[], known: readonly Position[] | undefined): void {
    const steps = tasks.flatMap((task) => task.steps.map((step) => ({ task, step })));
    const flattening = steps.find(({ step }) => step.kind === 'flatten');
    if (flattening !== undefined) {
      const everything = { positions: 'all', orders: true, known } as const;
      this.#run('flatten', flattening, everything, () => steps.filter(({ step }) => step.kind === 'flatten'));
      return;
    }
    if (this.#running.has('flatten')) return;
    for (const one of steps) {
      const { positions = [] } = one.step;
      if (one.step.kind === 'cancel') this.#run('cancel', one, { positions: 'none', orders: true });
      if (one.step.kind === 'close') {
        const own = known?.filter(({ id }) => positions.includes(id));
        this.#run(`${one.task.key} ${one.step.nth}`, one, { positions, orders: false, known: own });
      }
    }
  }

  /** Ends running work: it acts on an account that no longer exists. */
  abandon(): void {
    for (const { work } of this.#running.values()) work.abandon();
    this.#running.clear();
  }

  /** Resolves when nothing is running anymore. */
  async finished(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ over }) => over));
  }

  /** Whether positions are being closed. */
  get isClosing(): boolean {
    return this.#running.size > 0;
  }

  #run(
    name: string,
    one: Running,
    scope: Pick<FlatteningOptions, 'positions' | 'orders' | 'known'>,
    steps: () => readonly Running[] = () => [one],
  ): void {
    if (this.#running.has(name)) return;
    const { session, account, place, isOnce, changed, tasks } = this.#options;
    const { task, step } = one;
    const work = new Flattening(session, account, {
      ...scope,
      // A single check leaves each step to the next guard after a few attempts.
      isPatient: !isOnce,
      keyOf: (action, id, nth) => actionKey(place, account, task, action, id, nth),
      onTrouble: ({ what, id, facts }) =>
        work.isAbandoned || tasks.failed(task, step, `${what} ${id}: ${facts.message}`),
    });
    const finish = (why: string | undefined) => {
      if (work.isAbandoned) return;
      this.#running.delete(name);
      changed();
      for (const each of steps()) {
        if (why === undefined) tasks.done(each.task, each.step);
        else if (!session.signal.aborted) tasks.failed(each.task, each.step, why);
      }
    };
    const over = work.run().then(
      () => finish(work.isDone ? undefined : leftWords(work)),
      (error: unknown) => finish(factsOf(error).message),
    );
    changed();
    this.#running.set(name, { work, over });
  }
}

function leftWords({ left, troubles }: Flattening): string {
  const words = Object.entries(left).flatMap(([noun, rows]) => {
    if (rows === undefined) return [`${noun} unknown`];
    return rows.length === 0 ? [] : [`${noun} remain: ${rows.map(({ id }) => id).join(', ')}`];
  });
  const [why] = troubles;
  return `${words.join('; ')}${why === undefined ? '' : `: ${why.facts.message}`}`;
}

type StopOptions = Pick<TasksOptions, 'session' | 'reporter' | 'now'>;

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
      reporter.moved(kind, position, wanted, isMoved, message);
      return true;
    }
  }
}
