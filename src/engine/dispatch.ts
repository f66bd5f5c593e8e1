import { fundAccount, openAccount, setHalt, setPolicy } from './accounts.ts';
import { amendOrder } from './amend-order.ts';
import { cancelOrder } from './cancel-order.ts';
import { closePosition } from './close-position.ts';
import type { Command, Outcome } from './commands.ts';
import { setIsolatedMargin } from './isolated-margin.ts';
import { placeOrder } from './place-order.ts';
import { placeScaled } from './place-scaled.ts';
import { placeTwap } from './place-twap.ts';
import { cancelScaled } from './scaled.ts';
import { cancelTwap } from './twap.ts';
import type { World } from './world.ts';

type CommandOf<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;

/** What carries out each command; null: nothing does yet, and the command is refused as unavailable. */
export const handlers: {
  readonly [Kind in Command['kind']]: ((world: World, command: CommandOf<Kind>) => Outcome) | null;
} = {
  open_account: openAccount,
  place_order: placeOrder,
  amend_order: amendOrder,
  cancel_order: cancelOrder,
  close_position: closePosition,
  update_attached_exits: null,
  replace_exits: null,
  set_isolated_margin: setIsolatedMargin,
  place_twap: placeTwap,
  cancel_twap: (world, { twapOrderId }) => cancelTwap(world, twapOrderId),
  place_scaled: placeScaled,
  cancel_scaled: (world, { scaledOrderId }) => cancelScaled(world, scaledOrderId),
  start_bulk: null,
  continue_bulk: null,
  save_copy_groups: null,
  disable_copy_group: null,
  acknowledge_copy_stop: null,
  set_policy: setPolicy,
  set_halt: setHalt,
  fund_account: fundAccount,
};

/** Carries out one command. */
export function carryOut(world: World, command: Command): Outcome {
  const handler = handlers[command.kind] as ((world: World, command: Command) => Outcome) | null;
  if (handler !== null) return handler(world, command);
  return { ok: false, code: 'unavailable', message: `The exchange does not know ${command.kind} yet.` };
}
