import type { Command } from '../engine/commands.ts';
import { defaultClose, defaultOrder } from '../terms/order-fields.ts';

/**
 * Default values of the most common commands, which are omitted: that saves two thirds of a command log. Part of the file
 * format: a value in here never changes.
 */
const usual = { place_order: defaultOrder, close_position: defaultClose };

/** A command as the command log stores it: JSON, without default values. */
export function commandText(command: Command): string {
  if (command.kind !== 'place_order' && command.kind !== 'close_position') return JSON.stringify(command);
  const usually: Readonly<Record<string, unknown>> = usual[command.kind];
  const written: Record<string, unknown> = {};
  for (const name of Object.keys(command)) {
    const value = command[name as keyof typeof command];
    if (value !== usually[name]) written[name] = value;
  }
  return JSON.stringify(written);
}

/** The command that `commandText` wrote. */
export function commandOf(text: string): Command {
  const written = JSON.parse(text) as Command;
  if (written.kind !== 'place_order' && written.kind !== 'close_position') return written;
  return { ...usual[written.kind], ...written } as Command;
}
