import type { Console } from '../../console/console.ts';

/** The result of one check, and what to do about it. */
export interface Finding {
  check: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  fix?: string;
}

/** Runs one check, which may have several results. An exception becomes a failure. */
export type Check = readonly [
  name: string,
  look: (console: Console) => Finding | Finding[] | Promise<Finding | Finding[]>,
];

/** How long a check waits for an answer, ms: `--timeout`, default 5 s. */
export function maxWaitMs({ settings }: Console): number {
  return settings.waitMs ?? 5_000;
}

const found =
  (status: Finding['status']) =>
  (check: string, message: string, fix?: string): Finding => ({
    check,
    status,
    message,
    ...(fix !== undefined && { fix }),
  });

/** Nothing to do. */
export const ok = found('ok');

/** Works, or is not needed yet, but needs attention. */
export const warn = found('warn');

/** Does not work. */
export const fail = found('fail');

/** A clock that differs from another. */
export function wrongClock(check: string, text: string): Finding {
  return warn(check, text, "Sync the system's clock with NTP.");
}

/** A stream without an address. */
export function withoutAddress(check: string): Finding {
  return warn(check, 'Its address is not set.');
}
