/** Patterns that read like a translation, each with what a native writes instead. */
export const patterns: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:tells|told|tell) of\b/gi, 'reports'],
  [/\bcounts? once (?:an?|the|it|they|you)\b/gi, 'takes effect when'],
  [/\bwhat (?:\w+ )?(?:came|comes|became|becomes) of\b/gi, 'outcome'],
  [
    /(?<!\b(?:one|none|instead) )\bof (?:its|their|your|his|our) own\b(?! (?:side|markets?|scatter|decisions|network)\b)/gi,
    'its own ... before the noun',
  ],
  [/\bwhatever (?:\w+ )?(?:is|are|was|has|have|does|do|[a-z]+s)\b/gi, 'any, no matter what, or everything that'],
  [/\bwhoever\b/gi, 'anyone, or no matter who'],
  [/(?<!there )\bis none\b(?! of)/g, "isn't one"],
  [/\blasts? over\b/gi, 'survives'],
  [/\bat worst\b/gi, 'worst case'],
  [/\bat last\b/gi, 'finally'],
  [/\bheard\b/gi, 'received'],
  [/\bas is usual\b/gi, 'by default'],
  [/\bhowever often\b/gi, 'no matter how often'],
];

/** Uses of a pattern that are right, with the file and the words around it. */
export const exceptions: readonly (readonly [file: string, words: string, why: string])[] = [];

/** Words of the field that a general dictionary lacks. */
export const fieldWords = `
  abramowitz abspath aiohttp autocheckpoint autocorrelations autoload backtest beforeprint binance borderless
  borwein btcusdt bybit certifi charsets checkpointed chmod combinatorially compinit cron cryptofacilities dasharray
  delistings deno dgram dpkg econometrica esbuild fileformat fpath gapless getaddrinfo getattr gzip hesterberg
  hftbacktest homebrew httpx hyperliquid inodes isdigit isinstance journaled jsonl klines knip kubernetes launchd
  libatomic libsecret libstdc logit lookback markout markouts meer mertens minmax mkdir ndjson noscript nowrap nscd
  nsswitch numpy nums okex orderbook ornstein overfitting perp politis rarr reqwest rescode resends roff rustls
  savepoint scipy sitecustomize slurm sortino srgb staticmethod stegun systemd tabindex tardis terminfo tmpfs tmux
  toml tradfi tungstenite twap uhlenbeck umask undici unjudged unrenamed unsub upserts ureq urllib uvloop vitest
  vwap wcag webhooks webpki wget whoami zshrc zstd
`.match(/\S+/g)!;
