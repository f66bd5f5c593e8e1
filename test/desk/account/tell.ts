import { apply, begin, type OpenAccount, openIn } from '../../../src/desk/account/account-state.ts';
import type { LiveModel } from '../../../src/desk/watch/live-model.ts';
import type { AccountFrame } from '../../../src/wire/contract/streams.ts';

/** A frame of the account stream arrives at what follows it for a live model. */
export function tell(model: LiveModel, frame: AccountFrame, at = 0): void {
  model.states = apply(model.states, frame, at);
  model.tookFrame(frame);
}

/** The accounts that frames add up to. */
export class Folded {
  states = begin();

  apply(frame: AccountFrame): void {
    this.states = apply(this.states, frame, 0);
  }

  get accounts(): ReadonlyMap<string, OpenAccount> {
    return new Map([...this.states.accounts].map(([id, state]) => [id, openIn(state)!]));
  }
}
