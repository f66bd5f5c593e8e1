const registry = globalThis as { [key: symbol]: unknown };

/** One for the whole process: the bundle may hold this module twice, once for what finds secrets, once for what prints. */
registry[Symbol.for('perp.secrets')] ??= new Set<string>();
const known = registry[Symbol.for('perp.secrets')] as Set<string>;

/** Shorter texts are no credential anybody was given, and would black out words of everyday use. */
const shortest = 8;

/** From now on this text is left out of everything the process prints, whoever puts it there: a server may echo it. */
export function hideSecret(secret: string): void {
  if (secret.length < shortest) return;
  known.add(secret);
  known.add(encodeURIComponent(secret));
  known.add(JSON.stringify(secret).slice(1, -1));
}

/** What keys and sessions look like, with whichever prefix: only what tells the host apart is left of one. */
const credentialLike = /\b([A-Za-z][A-Za-z0-9]{0,40}_(?:(?:live|test|session)_){1,4})[A-Za-z0-9_-]{12,}/g;

/** A text that may repeat what was typed: known secrets are left out, and what looks like a credential as well. */
export function withoutCredentials(text: string): string {
  return withoutSecrets(text).replace(credentialLike, '$1[hidden]');
}

/** A text for people or programs, every known secret in it replaced. */
export function withoutSecrets(text: string): string {
  let safe = text;
  for (const secret of known) if (safe.includes(secret)) safe = safe.replaceAll(secret, '[hidden]');
  return safe;
}
