import type { NamedMandate } from './mandate-file.ts';
import { fields, tomlOf } from './terms.ts';

/** The terms of a new mandate: fractions of an account's equity and room. */
export function suggestedMandate(
  { name, account, markets }: { name: string; account: string; markets: readonly string[] },
  { equity, room, leverage }: { equity: number; room: number | undefined; leverage: number },
  now: number,
): NamedMandate {
  const round = (value: number) => Number(Math.max(1, value).toPrecision(1));
  const limited = Math.min(equity, room ?? equity);
  return {
    name,
    accounts: [account],
    markets,
    sides: ['buy', 'sell'],
    largestOrderUsd: round(equity * 0.01),
    largestPositionUsd: round(equity * 0.03),
    largestLeverage: leverage,
    lossPerDayUsd: round(limited * 0.1),
    ordersPerMinute: 10,
    stopWithin: 0.02,
    largestOrderRoom: 0.1,
    largestPositionRoom: 0.3,
    roomLeftUsd: round(limited * 0.5),
    hours: [{ days: [1, 2, 3, 4, 5], from: 480, to: 1_200 }],
    until: Math.ceil((now + 30 * 86_400_000) / 3_600_000) * 3_600_000,
    approveAboveUsd: round(equity * 0.005),
    approvalBps: 50,
  };
}

/** The file that `perp mandate add` writes: every term with its meaning; optional terms are commented out. */
export function templateOf(mandate: NamedMandate): string {
  const line = (field: keyof typeof fields) => `${fields[field].key} = ${tomlOf(field, mandate[field]!)}`;
  return `# What the bot ${mandate.name} may trade through perp gate or perp mcp (TOML).
# It takes effect when you sign it: perp mandate sign FILE. You can tighten a term here at any time; loosening one
# needs a new signature. perp mandate check FILE shows what it allows now.

${line('name')}
# Ids, exactly as perp accounts and perp markets show them.
${line('accounts')}
${line('markets')}
# Sides that may add exposure. Reductions may always use both.
${line('sides')}

# Maximum value of an order that adds, and of a position, including working orders, ladders and TWAPs that could add.
${line('largestOrderUsd')}
${line('largestPositionUsd')}
${line('largestLeverage')}
# After this loss in a trading day (from midnight in New York), open positions included, nothing may be added.
${line('lossPerDayUsd')}
# Maximum orders in any 60 seconds, reductions included. Each rung of a ladder is one. Canceling is free.
${line('ordersPerMinute')}
${line('until')}

# Every order that adds needs its own stop, at most this far from its entry ("any": any distance).
# TWAPs, ladders and copies have no stops, so this term lets them only reduce.
# ${line('stopWithin')}

# Maximum worst-case loss of an order, and of a position, as a share of the room to the nearest floor.
# ${line('largestOrderRoom')}
# ${line('largestPositionRoom')}
# Room that must be left in the worst case: every stop fires, and everything without a stop is lost.
# ${line('roomLeftUsd')}

# When the bot may add, in UTC.
# ${line('hours')}

# An order that adds more than this waits for you: perp approve. An approval is void once the mark moves by
# approval-within.
# ${line('approveAboveUsd')}
# ${line('approvalBps')}
`;
}
