import type { NamedMandate } from './mandate-file.ts';
import { fields, tomlOf } from './terms.ts';

/** What a new mandate begins with: fractions of what an account has. */
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

/** The file that `perp mandate add` writes: every term, with what it means; those that are optional are commented out. */
export function templateOf(mandate: NamedMandate): string {
  const line = (field: keyof typeof fields) => `${fields[field].key} = ${tomlOf(field, mandate[field]!)}`;
  return `# What the bot ${mandate.name} may trade through perp gate or perp mcp (TOML).
# It counts once you have signed it: perp mandate sign FILE. After that, making a term tighter here is free;
# a looser one counts only once it is signed, too. perp mandate check FILE says what it allows now.

${line('name')}
# Ids, exactly as perp accounts and perp markets show them.
${line('accounts')}
${line('markets')}
# Sides on which it may add; what only reduces may always be on both.
${line('sides')}

# Worth of one order that adds, and of a position with everything that may add to it: working orders, ladders, TWAPs.
${line('largestOrderUsd')}
${line('largestPositionUsd')}
${line('largestLeverage')}
# Once this much is lost on a trading day (midnight in New York), open positions included, nothing may be added.
${line('lossPerDayUsd')}
# Orders in any 60 seconds, whatever they do. Each rung of a ladder is one. Canceling is free.
${line('ordersPerMinute')}
${line('until')}

# Whatever adds has a stop of its own, at most this far from its entry; "any" asks for one at any distance.
# TWAPs, ladders and copies have none, so they may then only reduce.
# ${line('stopWithin')}

# What an order, and a position, may lose at worst, as a share of the room to the nearest floor.
# ${line('largestOrderRoom')}
# ${line('largestPositionRoom')}
# What must be left of the room if everything goes wrong at once: every stop fires, what has none is lost.
# ${line('roomLeftUsd')}

# When it may add, in UTC.
# ${line('hours')}

# An order above this waits for you: perp approve. The approval is void once the mark has moved by approval-within.
# ${line('approveAboveUsd')}
# ${line('approvalBps')}
`;
}
