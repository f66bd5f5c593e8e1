const registry = globalThis as { [key: symbol]: unknown };

/**
 * One set per process: the bundle may contain this module twice, once where secrets are found and once where text is
 * printed.
 */
registry[Symbol.for('perp.secrets')] ??= new Set<string>();
const known = registry[Symbol.for('perp.secrets')] as Set<string>;

/** Shorter texts are not real credentials, and hiding them would hide ordinary words. */
const shortest = 8;

/** From now on this text is removed from everything the process prints, since a server may echo it. */
export function hideSecret(secret: string): void {
  if (secret.length < shortest) return;
  known.add(secret);
  known.add(encodeURIComponent(secret));
  known.add(JSON.stringify(secret).slice(1, -1));
}

/** The format of keys and session tokens, with any prefix. Only the prefix, which tells the hosts apart, is kept. */
const credentialLike = /\b([A-Za-z][A-Za-z0-9]{0,40}_(?:(?:live|test|session)_){1,4})[A-Za-z0-9_-]{12,}/g;

/** Removes known secrets and anything that looks like a credential from text that may repeat user input. */
export function withoutCredentials(text: string): string {
  return withoutSecrets(text).replace(credentialLike, '$1[hidden]');
}

/** Replaces every known secret in a text. */
export function withoutSecrets(text: string): string {
  let safe = text;
  for (const secret of known) if (safe.includes(secret)) safe = safe.replaceAll(secret, '[hidden]');
  return safe;
}
