const byRule: Readonly<Record<string, string>> = {
  'account-not-active': 'The account has ended; perp accounts show explains how, and what to do next.',
  'account-restriction': 'Only reducing orders are accepted; use --reduce-only or perp positions close.',
  'competition-exposure':
    'Only reducing orders are accepted until the competition allows more; see perp accounts policy.',
  'competition-market': 'Trade a market of the competition; perp accounts policy lists them.',
  'copy-follower-locked': 'This account follows another one; perp copy disable CONFIG unlocks it.',
  'copy-group-enabled': 'Disable the group first; perp copy disable CONFIG does, and perp copy list shows the groups.',
  'copy-membership': 'List each follower once, and none from another enabled group; perp copy list shows the groups.',
  'copy-self': 'Remove the lead from the followers.',
  'copy-targets': 'Give at least one follower, or save the group disabled.',
  'exit-allocation': 'Add --replace-exits to replace them.',
  'exit-side':
    'For a long, the take-profit must be above the price (the entry of an order, the mark of an open position) and the stop-loss below it; for a short, the reverse.',
  'exposure-cap': 'Trade a smaller size, or reduce what is open in this market first; perp positions lists it.',
  'insufficient-depth':
    'Trade a smaller size, or use a limit order that rests; perp quote MARKET --depth 8 shows the depth.',
  'insufficient-margin':
    'Trade a smaller size or use more --leverage; perp accounts show prints the available balance.',
  'leverage-mismatch': 'Omit --leverage and --margin to use those of the open position.',
  'margin-mode': 'A cross position shares the margin of the account; use --margin isolated next time.',
  'marketable-limit': 'Add --cross-ok to let it fill as taker, or choose a price that rests.',
  'max-leverage': 'Use less --leverage; perp markets show MARKET prints the maximum.',
  'max-open-positions': 'Close a position first; perp positions lists them.',
  'max-position-value-usd': 'Trade a smaller size; perp accounts policy shows the limits.',
  'max-resting-orders': 'Cancel some orders first; perp order lists them.',
  'maximum-total-notional-usd':
    'Trade a smaller size or close a position first; perp accounts policy shows the limits.',
  'min-order-notional-usd': 'Trade a larger size; perp accounts policy shows the limits.',
  'order-cooldown-ms': 'Wait a moment and try again; perp accounts policy shows the cooldown.',
  'payout-pending': 'Only reducing orders are accepted until the payout is done; see perp accounts policy.',
  'price-precision': "Choose a price on the market's price grid; perp markets show MARKET prints the tick.",
  'reduce-only': 'There is no position on the other side to reduce; perp positions lists the open ones.',
  'rung-size': 'Use fewer --rungs, a larger size, or --distribution flat.',
  'size-precision': 'Sizes must be whole lots; perp markets show MARKET prints the lot.',
  'slice-size': 'Use a larger size, a shorter --duration or a longer --interval, so that each slice is larger.',
  'slippage-tolerance': 'Allow more with --slippage BPS, trade a smaller size, or use a limit order.',
  'slippage-tolerance-min': 'Allow more with --slippage BPS; perp accounts policy shows the minimum.',
  'stale-book': 'The market has no fresh book or mark; try again when it updates.',
  'trades-per-day': 'The count resets at the next UTC day; perp accounts policy shows the limit.',
  'trades-per-hour': 'The count resets at the next UTC hour; perp accounts policy shows the limit.',
  'trades-per-minute': 'The count resets at the next UTC minute; perp accounts policy shows the limit.',
  'trading-halt': 'Wait until trading resumes; perp accounts policy shows what is halted.',
  'trigger-side': 'The trigger is on the wrong side of the price; stop and take triggers belong on opposite sides.',
  'unsafe-margin': 'Leave more extra margin in the position; perp positions show POSITION prints how much it has.',
};

const otherFolder = 'Set PERP_STATE_DIR to a folder you can write to.';
const fileInTheWay = 'A file exists where a folder is needed; set PERP_STATE_DIR to a folder.';
const later = 'Wait a moment and try again.';
const streamAddress = 'Check the address of the stream: perp config list shows it.';

const byCode: Readonly<Record<string, string>> = {
  EACCES: 'Fix the permissions, or set PERP_STATE_DIR to a folder you can write to.',
  EEXIST: fileInTheWay,
  ENOENT: otherFolder,
  ENOTDIR: fileInTheWay,
  EADDRINUSE: 'Choose other ports with --port and --sandbox-port; 0 picks a free one.',
  ENOSPC: 'Free some disk space and try again.',
  EPERM: otherFolder,
  EROFS: otherFolder,
  client_order_id_conflict: 'Choose another --client-order-id; perp order show ID shows the order that uses it.',
  cooldown: later,
  copy_managed: 'Copy trading manages this order; perp copy disable CONFIG stops it.',
  forbidden: 'Use a credential with trade scope.',
  idempotency_conflict: 'The key was used for another request; omit --idempotency-key to get a new one.',
  incomplete: 'To continue, run perp pending resume, or the same command with --idempotency-key and the key below.',
  no_answer: 'Nothing was changed. Try again, or allow more time with --timeout SECONDS.',
  no_connection: 'Nothing was sent. Check the address and the network.',
  not_found: 'perp accounts, perp order --ended, perp positions and perp markets list what exists.',
  order_terminal: 'perp order show ORDER shows how it ended.',
  outcome_unknown:
    'Run perp pending resume to settle it. It first checks whether the write happened, and sends it again only if it did not.',
  bad_answer: 'Check that the address is that of the API, not of a web page or proxy.',
  rate_limited: later,
  stale_snapshot: 'Something changed in the meantime; check and try again.',
  store_busy: 'Another process is writing; try again in a moment.',
  store_corrupt:
    'perp sim check shows the damage and how to repair it. perp sim reset starts over; --state NAME uses another simulation.',
  store_foreign: 'Move the file, or use another --state NAME or PERP_STATE_DIR.',
  store_full: 'Free some disk space and try again; nothing was changed.',
  store_in_doubt: 'The command may have taken effect; perp doctor checks the simulation.',
  store_newer: 'A newer version of perp wrote it: update perp, or use another --state.',
  store_outdated: 'Use another --state, or begin it again: perp sim reset.',
  store_read_only: 'Make the folder writable, or set PERP_STATE_DIR to one that is.',
  stream_ended: streamAddress,
  stream_not_accepted: streamAddress,
  credential: 'Nothing was sent. It must contain only the key.',
  unauthorized: 'Run perp login, set PERP_API_KEY, or use --api-key-file FILE.',
  unavailable: 'Try again in a moment.',
  wrong_environment: 'The key belongs to the other environment; choose it with --env live or --env sandbox.',
};

/** The hint for a rule's refusal or an error code; undefined if there is nothing to add. */
export function hintFor(code: string, ruleId?: string): string | undefined {
  return (ruleId === undefined ? undefined : own(byRule, ruleId)) ?? own(byCode, code);
}

/** The code comes from a host and could be `constructor`. */
function own(hints: Readonly<Record<string, string>>, word: string): string | undefined {
  return Object.hasOwn(hints, word) ? hints[word] : undefined;
}

/** The remaining steps where the command has no such option. */
const withoutOption: Readonly<Record<string, string>> = {
  'account-restriction': 'Only reducing orders are accepted: perp positions close reduces.',
  'exit-allocation': 'perp order list shows them; perp order cancel ORDER or perp stop POSITION none removes one.',
  'insufficient-margin': 'Trade a smaller size; perp accounts show prints the available balance.',
  'leverage-mismatch': 'Close the open position first, or use its leverage; perp positions shows it.',
  'margin-mode': 'Choose the margin mode with the next order.',
  'marketable-limit': 'Choose a price that rests; perp quote MARKET shows the best prices.',
  'rung-size': 'Use a larger size.',
  'slice-size': 'Use a larger size.',
  'slippage-tolerance': 'Trade a smaller size, or use a limit order.',
  'slippage-tolerance-min': 'perp accounts policy shows the minimum.',
};

/** A hint whose options the command has; `takes`: whether it has one. Options of commands that the hint names stay. */
export function hintTaken(hint: string, ruleId: string | undefined, takes: (flag: string) => boolean): string {
  const flags = hint.replace(/perp [a-z]+(?: [a-z-]+)*(?: [A-Z]+)?(?: --[a-z-]+)*/g, '').match(/--[a-z-]+/g) ?? [];
  if (ruleId === undefined || flags.every(takes)) return hint;
  return own(withoutOption, ruleId) ?? hint;
}
