const byRule: Readonly<Record<string, string>> = {
  'account-not-active': 'perp accounts list shows which accounts are active.',
  'account-restriction': 'Only what reduces a position is taken: --reduce-only, or perp positions close.',
  'competition-exposure':
    'Only what reduces a position is taken until the competition allows more; perp accounts policy.',
  'competition-market': 'Trade one of the markets that perp accounts policy lists.',
  'copy-follower-locked': 'The account follows another; perp copy disable CONFIG frees it.',
  'copy-group-enabled': 'perp copy disable CONFIG first; perp copy list shows the groups.',
  'copy-membership': 'Name each follower once, and none of another enabled group; perp copy list shows the groups.',
  'copy-self': 'Leave the lead out of the followers.',
  'copy-targets': 'Name at least one follower, or save the group disabled.',
  'exit-allocation': 'The position has exits already; --replace-exits replaces them.',
  'exit-side': 'For a long a take-profit lies above the entry and a stop-loss below; for a short the other way round.',
  'insufficient-depth': 'Trade a smaller size, or rest a limit order; perp quote MARKET --depth 8 shows what fills.',
  'insufficient-margin': 'Trade a smaller size or use more --leverage; perp accounts show tells what is available.',
  'leverage-mismatch': 'Leave --leverage and --margin out to use those of the open position.',
  'margin-mode': 'A cross position shares the margin of the account; open the next one with --margin isolated.',
  'marketable-limit': 'Add --cross-ok if it may take, or choose a price that rests.',
  'max-leverage': 'perp markets show MARKET tells the most leverage it allows.',
  'max-open-positions': 'Close one first: perp positions shows what is open.',
  'max-position-value-usd': 'Trade a smaller size; perp accounts policy shows the limits.',
  'max-resting-orders': 'Cancel some first: perp order list --status working shows them.',
  'maximum-total-notional-usd':
    'Trade a smaller size or close something first; perp accounts policy shows the limits, perp positions what is open.',
  'min-order-notional-usd': 'Trade a larger size; perp accounts policy shows the limits.',
  'order-cooldown-ms': 'Wait a moment and send it again; perp accounts policy shows how long.',
  'payout-pending': 'Only what reduces a position is taken until the payout is done; perp accounts policy tells.',
  'price-precision': 'Choose a price on the grid of the market.',
  'reduce-only': 'There is no position on the other side to reduce; perp positions shows what is open.',
  'rung-size': 'Use fewer --rungs, a larger size, or --distribution flat.',
  'size-precision': 'perp markets show MARKET tells its lot; sizes are whole lots.',
  'slice-size': 'Use a larger size, a shorter --duration or a longer --interval, so that each slice is larger.',
  'slippage-tolerance': 'Allow more with --slippage BPS, trade a smaller size, or use a limit order.',
  'slippage-tolerance-min': 'Allow more with --slippage BPS; perp accounts policy shows the least.',
  'stale-book': 'There is no fresh book to trade on; try again when the market moves.',
  'trades-per-day': 'The next UTC day starts the count anew; perp accounts policy shows the limit.',
  'trades-per-hour': 'The next UTC hour starts the count anew; perp accounts policy shows the limit.',
  'trades-per-minute': 'The next UTC minute starts the count anew; perp accounts policy shows the limit.',
  'trading-halt': 'Wait until trading goes on; perp accounts policy shows what is halted.',
  'trigger-side': 'The trigger is on the wrong side of the price: stop and take lie on opposite sides of it.',
  'unsafe-margin': 'Leave more extra margin in it; perp positions show POSITION tells how much it has.',
};

const byCode: Readonly<Record<string, string>> = {
  EACCES: 'Make the folder yours, or set PERP_STATE_DIR to one that is.',
  EEXIST: 'A file is where a folder should be; set PERP_STATE_DIR to a folder.',
  ENOENT: 'Set PERP_STATE_DIR to a folder that can be written.',
  ENOTDIR: 'A file is where a folder should be; set PERP_STATE_DIR to a folder.',
  EADDRINUSE: 'Choose another with --port and --sandbox-port; 0 takes any free one.',
  ENOSPC: 'Make room on the disk and try again.',
  EPERM: 'Set PERP_STATE_DIR to a folder that can be written.',
  EROFS: 'Set PERP_STATE_DIR to a folder that can be written.',
  client_order_id_conflict: 'Choose another --client-order-id; perp order show ID shows the order that has it.',
  cooldown: 'Wait a moment and send it again.',
  copy_managed: 'The order belongs to copy trading; perp copy disable CONFIG ends that.',
  forbidden: 'The credential does not allow this; use one with trade scope.',
  idempotency_conflict: 'The key was used for another request; leave --idempotency-key out for a fresh one.',
  incomplete:
    'perp pending resume goes on where it stopped, as does the same command with --idempotency-key and the key below.',
  no_answer: 'Nothing was changed. Try again, or allow more time with --timeout SECONDS.',
  no_connection: 'Nothing was sent. Check the address and the network.',
  not_found: 'perp accounts, perp order list, perp positions and perp markets list what there is.',
  order_terminal: 'perp order show ORDER tells how it ended.',
  outcome_unknown:
    'perp pending resume finds out and settles it: sent again under its own key, or read back, it happens once at most.',
  bad_answer: 'Check that the address is the API and not a page or a proxy.',
  rate_limited: 'Wait a moment and try again.',
  stale_snapshot: 'Something changed meanwhile; look again and repeat.',
  store_busy: 'Another process is writing; try again in a moment.',
  store_corrupt:
    'perp sim check tells what is damaged and how to repair it; perp sim reset starts over, --state NAME uses another.',
  store_foreign: 'Move the file away, or use another --state NAME or PERP_STATE_DIR.',
  store_full: 'Make room on the disk and try again; nothing was changed.',
  store_in_doubt: 'perp doctor tells how the state is; what the command was to do may have been done.',
  store_newer: 'A newer perp wrote it: update perp, or use another --state.',
  store_read_only: 'Make the folder writable, or set PERP_STATE_DIR to one that is.',
  unauthorized: 'Log in with perp login, set PERP_API_KEY, or name a file with --api-key-file.',
  unavailable: 'Try again in a moment.',
  wrong_environment: 'The key belongs to the other host; choose it with --env live or --env sandbox.',
};

/** What to do next about a rule's refusal or an error code; undefined where the message says it all. */
export function hintFor(code: string, ruleId?: string): string | undefined {
  return (ruleId === undefined ? undefined : own(byRule, ruleId)) ?? own(byCode, code);
}

/** The word comes from a host and may be `constructor`. */
function own(hints: Readonly<Record<string, string>>, word: string): string | undefined {
  return Object.hasOwn(hints, word) ? hints[word] : undefined;
}
