/** A command-line session: the credential and what the service said of it (API 5). */
export interface Session {
  readonly apiKey: string;
  /** Its label, from the device's name. */
  readonly name: string;
  /** Unix ms. */
  readonly expiresAt: number;
}

/** A credential and where it came from; the text never shows up in any message. */
export interface FoundCredential {
  readonly text: string;
  readonly source: 'api_key_file' | 'PERP_API_KEY' | 'keychain' | 'file';
  /** The source as a person knows it. */
  readonly from: string;
  /** Of a kept login. */
  readonly session?: { readonly name: string; readonly expiresAt: number };
  /** What a person should know whenever it is used. */
  readonly warning?: string | undefined;
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
