const byRule: Readonly<Record<string, string>> = {
  'account-not-active': 'perp accounts list shows which accounts are active.',
  'copy-follower-locked': 'The account follows another; perp copy disable CONFIG frees it.',
  'exit-allocation': 'The position has exits already; --replace-exits replaces them.',
  'exit-side': 'For a long a take-profit lies above the entry and a stop-loss below; for a short the other way round.',
  'insufficient-depth': 'Trade a smaller size, or rest a limit order; perp quote MARKET --depth 8 shows what fills.',
  'insufficient-margin': 'Trade a smaller size or use more --leverage; perp accounts show tells what is available.',
  'leverage-mismatch': 'Leave --leverage and --margin out to use those of the open position.',
  'marketable-limit': 'Add --cross-ok if it may take, or choose a price that rests.',
  'max-leverage': 'perp markets show MARKET tells the most leverage it allows.',
  'min-order-notional-usd': 'Trade a larger size; perp accounts policy shows the limits.',
  'price-precision': 'Choose a price on the grid of the market.',
  'reduce-only': 'There is no position on the other side to reduce; perp positions shows what is open.',
  'size-precision': 'perp markets show MARKET tells its lot; sizes are whole lots.',
  'slippage-tolerance': 'Allow more with --slippage BPS, trade a smaller size, or use a limit order.',
  'stale-book': 'The book is too old to trade on; try again when the market moves.',
  'trigger-side': 'The trigger is on the wrong side of the price: stop and take lie on opposite sides of it.',
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
  protocol: 'Check that the address is the API and not a page or a proxy.',
  rate_limited: 'Wait a moment and try again.',
  stale_snapshot: 'Something changed meanwhile; look again and repeat.',
  store_busy: 'Another process is writing; try again in a moment.',
  store_corrupt: 'Start afresh: perp sim reset sets the file aside for a look, --state NAME uses another.',
  store_foreign: 'Move the file away, or use another --state NAME or PERP_STATE_DIR.',
  store_full: 'Make room on the disk and try again; nothing was changed.',
  store_newer: 'A newer perp wrote it: update perp, or use another --state.',
  store_read_only: 'Make the folder writable, or set PERP_STATE_DIR to one that is.',
  unauthorized: 'Log in with perp login, set PERP_API_KEY, or name a file with --api-key-file.',
  unavailable: 'Try again in a moment.',
  wrong_environment: 'The key belongs to the other host; choose it with --env live or --env sandbox.',
};

/** What to do next about a rule's refusal or an error code; undefined where the message says it all. */
export function hintFor(code: string, ruleId?: string): string | undefined {
  return (ruleId === undefined ? undefined : byRule[ruleId]) ?? byCode[code];
}
