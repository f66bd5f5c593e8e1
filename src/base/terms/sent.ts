/** Whether a request was sent, as written in the details of a refusal. */
export const sentWords = ['no', 'yes', 'unknown'] as const;

/**
 * Whether what failed was sent. `no`: nothing of it left. `yes`: it was, and its effect is certain. `unknown`: it may
 * have been done.
 */
export type WasSent = (typeof sentWords)[number];
