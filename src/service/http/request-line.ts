import type { Environment } from '../../engine/model.ts';

/** One line of the request log, without headers, bodies or queries. */
export interface RequestLine {
  environment: Environment;
  method: string;
  path: string;
  status: number;
  durationMs: number;
  requestId: string;
}
