/** A command-line session: the credential and its details from the service (API 5). */
export interface Session {
  readonly apiKey: string;
  /** Its label, from the device name. */
  readonly name: string;
  /** Unix ms. */
  readonly expiresAt: number;
}

/** A credential and its source; the text never appears in any message. */
export interface FoundCredential {
  readonly text: string;
  readonly source: 'api_key_file' | 'PERP_API_KEY' | 'keychain' | 'file';
  /** The source, as shown to the user. */
  readonly from: string;
  /** Set for a stored login. */
  readonly session?: { readonly name: string; readonly expiresAt: number };
  /** A warning to show whenever it is used. */
  readonly warning?: string | undefined;
}

/** The stored form, with the field names of the API. */
export function sessionText({ apiKey, name, expiresAt }: Session): string {
  return JSON.stringify({ api_key: apiKey, name, expires_at: expiresAt });
}

/** Parses the stored form; undefined for anything else. */
export function parseSession(text: string): Session | undefined {
  try {
    return readSession(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Reads a session from the token exchange or the stored form; undefined if something is missing. */
export function readSession(value: unknown): Session | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { api_key: apiKey, name, expires_at: expiresAt } = value as Record<string, unknown>;
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]{8,}$/.test(apiKey)) return undefined;
  if (typeof name !== 'string' || typeof expiresAt !== 'number' || !Number.isFinite(expiresAt)) return undefined;
  return { apiKey, name, expiresAt };
}
