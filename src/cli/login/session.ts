/** A command-line session: the credential and what the service said of it (API 5). */
export interface Session {
  readonly apiKey: string;
  /** Its label, from the device's name. */
  readonly name: string;
  /** Unix ms. */
  readonly expiresAt: number;
}

/** As it is kept, with the wire's own names. */
export function sessionText({ apiKey, name, expiresAt }: Session): string {
  return JSON.stringify({ api_key: apiKey, name, expires_at: expiresAt });
}

/** Reads what was kept; undefined for anything else. */
export function parseSession(text: string): Session | undefined {
  try {
    return readSession(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Reads a session as the token exchange and the kept text both state it; undefined when something is missing. */
export function readSession(value: unknown): Session | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { api_key: apiKey, name, expires_at: expiresAt } = value as Record<string, unknown>;
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]{8,}$/.test(apiKey)) return undefined;
  if (typeof name !== 'string' || typeof expiresAt !== 'number' || !Number.isFinite(expiresAt)) return undefined;
  return { apiKey, name, expiresAt };
}
