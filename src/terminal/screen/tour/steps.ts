import { readRegularFile, writePrivateFile } from '../../../base/files/private-files.ts';
import { quantity, usd } from '../../../base/text/format.ts';
import { type Cover, coverOf, exitPriceOf } from '../../../desk/account/means.ts';
import { unrealizedPnl } from '../../../desk/risk/profit.ts';
import type { Account } from '../../../wire/contract/accounts.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import type { Position } from '../../../wire/contract/positions.ts';
import type { ScreenView } from '../view.ts';

/** The facts of the tour's simulation. */
export interface TourFacts {
  readonly account: Account;
  /** The position that was opened last. */
  readonly position: Position | undefined;
  readonly cover: Cover | undefined;
}

/** The condition that a step waits for. */
export type Task =
  | { readonly kind: 'read' }
  /** A key of the live screen; commands need none of them. */
  | { readonly kind: 'key'; readonly key: string; isDone(view: ScreenView): boolean }
  /** A command: on the live screen, a key that begins it and what to type then. */
  | {
      readonly kind: 'command';
      readonly key: string;
      readonly typed: string;
      readonly line: string;
      isDone(facts: TourFacts): boolean;
      /** The text for when that is no longer so. */
      readonly undone: string;
    };

/** One step of the tour: it explains what is on the screen, and waits until its task is done. */
interface Step {
  readonly name: string;
  text(facts: TourFacts): string;
  readonly task: Task;
}

/** The facts of an account with these open positions and working orders. */
export function tourFacts(account: Account, positions: readonly Position[], working: readonly Order[]): TourFacts {
  const position = positions.toSorted((one, other) => other.opened_at - one.opened_at)[0];
  return { account, position, cover: position && coverOf(position, working) };
}

const money = (value: number | null | undefined) => (typeof value === 'number' ? usd(value) : 'not known');

/** The steps, in the order in which they are taken. */
const steps: readonly Step[] = [
  {
    name: 'A challenge',
    text: ({ account: { starting_balance: start, risk } }) =>
      `This is a challenge: an account with ${usd(start)} USD of play money and three rules. It passes when its profit reaches a target, here ${money(risk?.remaining_profit)} USD. It must never lose more than a limit in one day, and never more than a limit in all. This account belongs to the tour; your own accounts are not touched.`,
    task: { kind: 'read' },
  },
  {
    name: 'Floors and the breach',
    text: ({ account: { risk } }) =>
      `Each limit is a floor: a value that equity must stay above. Equity is the balance plus the profit of what is open. The floor of the day is ${money(risk?.daily_loss_floor)}, and restarts at midnight in New York; the other one is ${money(risk?.max_drawdown_floor)}. What is left above a floor is your room. Touching a floor once, for a moment, is a breach: everything is closed, and the challenge has failed.`,
    task: { kind: 'read' },
  },
  {
    name: 'Trading keys',
    text: () =>
      'Nothing that you press here trades before you turn the trading keys on. Then each key shows its order and asks; only y sends it. The keys are off again with t or Escape.',
    task: { kind: 'key', key: 't', isDone: ({ isTrading }) => isTrading },
  },
  {
    name: 'An order',
    text: () =>
      'Buy 0.05 BTC at the market. Before it is sent, you see a preview: where it fills in the book, the fee, and what it may lose. An order without a stop may lose all of the room.',
    task: {
      kind: 'command',
      key: 'b',
      typed: '0.05',
      line: 'order place BTC buy 0.05',
      isDone: ({ position }) => position !== undefined,
      undone: 'The position is closed: open another one.',
    },
  },
  {
    name: 'A stop',
    text: ({ position }) =>
      `You hold ${position?.side} ${quantity(position?.size ?? 0)} ${position?.symbol}, from ${quantity(position?.entry_price ?? 0)}. Nothing limits its loss yet: at its breach price (ENDS AT on the live screen), it would take the account to a floor. A stop closes the position before that. Place one 1% away from your entry.`,
    task: {
      kind: 'command',
      key: 'S',
      typed: '1%',
      line: 'stop BTC 1%',
      isDone: ({ cover }) => cover !== undefined && cover.stops.length > 0 && !(cover.uncovered > 0),
      undone: 'No stop closes the whole position any more: place one.',
    },
  },
  {
    name: 'R, and a target',
    text: ({ position, cover }) => {
      const [stop] = cover?.stops ?? [];
      const at = stop === undefined ? undefined : exitPriceOf(stop);
      const result = position && unrealizedPnl(position, at);
      const loss = result === undefined ? undefined : Math.abs(result);
      return `From its entry to the stop, ${at === undefined ? 'not known' : quantity(at)}, this trade loses ${money(loss)} USD, before fees. That loss is 1R, the measure of every trade, and on the live screen the room above each floor is now shown in R, too. Place a target at 2R: with fees counted, it gains twice what the stop loses.`;
    },
    task: {
      kind: 'command',
      key: 'T',
      typed: '2R',
      line: 'target BTC 2R',
      isDone: ({ cover }) => cover !== undefined && cover.targets.length > 0,
      undone: 'The target is gone: place one.',
    },
  },
  {
    name: 'A bracket',
    text: ({ cover }) => {
      const [stop, target] = [cover?.stops[0], cover?.targets[0]];
      const at = (order: Order | undefined) => (order === undefined ? 'none' : quantity(exitPriceOf(order)));
      return `Stop ${at(stop)}, target ${at(target)}: a bracket. When one of them fills, the other one is canceled. Until then, the position costs carry: it pays a little for each full hour that it is open. Keep an eye on the room: it shrinks with every loss, and with carry.`;
    },
    task: { kind: 'read' },
  },
  {
    name: 'The price ladder',
    text: () => 'The ladder has a row for each price, with bids, asks, your orders, and the lines of your position.',
    task: { kind: 'key', key: 'L', isDone: ({ ladder }) => ladder !== 'off' },
  },
  {
    name: 'The end',
    text: () =>
      'This was the tour, and the bracketed trade is yours: close it, move its stop, or leave it. Your own simulation is as easy: perp watch, perp ladder BTC, perp order place BTC buy 0.05 --stop-loss 1% --take-profit 2R. perp help lists all commands; perp tour --restart begins again.',
    task: { kind: 'read' },
  },
];

/** How far the user has come on the tour; kept on disk, so that it can be taken up again. */
export class Journey {
  readonly #steps: readonly Step[];
  readonly #file: string;
  #at: number;
  #undone: string | undefined;
  #problem: string | undefined;

  /** `file` keeps it. `hasScreen`: whether there are keys to press. */
  constructor(file: string, hasScreen: boolean) {
    this.#file = file;
    this.#steps = steps.filter(({ task }) => hasScreen || task.kind !== 'key');
    const kept = steps.findIndex(({ name }) => name === keptIn(file));
    const left = steps.slice(Math.max(0, kept));
    this.#at = this.#steps.findIndex((step) => left.includes(step));
  }

  get step(): Step {
    return this.#steps[this.#at]!;
  }

  /** `3 of 9`. */
  get place(): string {
    return `${this.#at + 1} of ${this.#steps.length}`;
  }

  /** Every step was taken. */
  get isOver(): boolean {
    return this.#at === this.#steps.length - 1;
  }

  /** Progress undone since this step was last taken. */
  get undone(): string | undefined {
    return this.#undone;
  }

  /** Why the step can't be kept for the next time; undefined if it is. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Back to the first step. */
  restart(): void {
    this.#undone = undefined;
    this.#goTo(0);
  }

  /** The task of this step is done. */
  pass(): void {
    this.#undone = undefined;
    this.#goTo(Math.min(this.#at + 1, this.#steps.length - 1));
  }

  /** Goes on if the task's command has done its work, and back if the work of an earlier one is gone. */
  look(facts: TourFacts): void {
    if (this.isOver) return;
    for (const [at, { task }] of this.#steps.slice(0, this.#at).entries()) {
      if (task.kind !== 'command' || task.isDone(facts)) continue;
      this.#undone = task.undone;
      this.#goTo(at);
      return;
    }
    const { task } = this.step;
    if (task.kind === 'command' && task.isDone(facts)) this.pass();
  }

  #goTo(at: number): void {
    if (at === this.#at) return;
    this.#at = at;
    try {
      writePrivateFile(this.#file, `${JSON.stringify({ step: this.step.name })}\n`);
      this.#problem = undefined;
    } catch (error) {
      // A full disk ends nobody's tour.
      this.#problem = (error as Error).message;
    }
  }
}

function keptIn(file: string): string | undefined {
  try {
    const { step } = JSON.parse(readRegularFile(file, 1_000).text) as { step?: string };
    return step;
  } catch {
    // Not begun, or not readable: the tour begins at its start.
    return undefined;
  }
}
