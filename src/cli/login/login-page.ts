import { usageFailure } from '../../ground/failure/failure.ts';
import { type Variables, variable } from '../../ground/files/folders.ts';
import { type ConfigValues, checkedAddress } from '../settings/config-keys.ts';
import { configAddress } from '../settings/config-trust.ts';

/**
 * The approval page: PERP_LOGIN_URL, or `live.login_url`, or, if the live host is on this machine (a served
 * simulation), the simulation's own page (simulation 8). A usage failure if none is known.
 */
export function loginPage(host: string, variables: Variables, config: ConfigValues): string {
  const fromVariable = variable(variables, 'PERP_LOGIN_URL');
  if (fromVariable !== undefined) return checkedAddress(fromVariable, 'PERP_LOGIN_URL');
  const configured = configAddress(config, 'live.login_url');
  if (configured !== undefined) return configured;
  if (new URL(host).protocol === 'http:') return `${host}/cli/authorize`;
  throw usageFailure(
    'The address of the approval page is not set.',
    'Set PERP_LOGIN_URL, or run: perp config set live.login_url https://...',
  );
}

/** The query of the approval page (simulation 8). */
export interface ApprovalRequest {
  challenge: string;
  redirectUri: string;
  state: string;
  deviceName: string;
}

/** The address to open in the browser. */
export function approvalAddress(page: string, { challenge, redirectUri, state, deviceName }: ApprovalRequest): string {
  const address = new URL(page);
  address.search = new URLSearchParams({
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    redirect_uri: redirectUri,
    state,
    device_name: deviceName,
  }).toString();
  return address.href;
}
