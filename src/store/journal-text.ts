import type { ClosePosition, Command, PlaceOrder } from '../engine/commands.ts';

type UsualOf<C> = { readonly [F in keyof C as null extends C[F] ? F : boolean extends C[F] ? F : never]-?: C[F] };

/**
 * What the commands given most often leave as it usually is: that is not written, which spares two thirds of a journal.
 * Part of the format of a file: a value in here never changes.
 */
const usual: { place_order: UsualOf<PlaceOrder>; close_position: UsualOf<ClosePosition> } = {
  place_order: {
    clientOrderId: null,
    expectedPrice: null,
    reduceOnly: false,
    slippageToleranceBps: null,
    takeProfitPrice: null,
    stopLossPrice: null,
    triggerPrice: null,
    limitPrice: null,
    timeInForce: null,
    gtdExpiresAt: null,
    chaseOffset: null,
    chaseCapPrice: null,
    marketableLimitAcknowledged: false,
    replaceOverlappingExits: false,
    triggerMarketId: null,
    triggerDirection: null,
    targetPositionId: null,
  },
  close_position: {
    clientOrderId: null,
    size: null,
    expectedPrice: null,
    slippageToleranceBps: null,
    limitPrice: null,
    triggerPrice: null,
    triggerMarketId: null,
    triggerDirection: null,
    marketableLimitAcknowledged: false,
  },
};

/** A command as the journal keeps it: JSON, without what is as usual. */
export function journalText(command: Command): string {
  if (command.kind !== 'place_order' && command.kind !== 'close_position') return JSON.stringify(command);
  const usually = usual[command.kind] as Record<string, unknown>;
  const written: Record<string, unknown> = {};
  for (const name of Object.keys(command)) {
    const value = command[name as keyof typeof command];
    if (value !== usually[name]) written[name] = value;
  }
  return JSON.stringify(written);
}

/** The command that `journalText` wrote. */
export function journalCommand(text: string): Command {
  const written = JSON.parse(text) as Command;
  if (written.kind !== 'place_order' && written.kind !== 'close_position') return written;
  return { ...usual[written.kind], ...written } as Command;
}
