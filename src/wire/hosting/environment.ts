import type { ApiInformation } from '../contract/general.ts';

/** Which of the service's two environments a host serves. */
export type HostEnvironment = ApiInformation['environment'];
