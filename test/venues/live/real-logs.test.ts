import { logs, realTime } from './playing-logs.ts';

// The session of four markets takes seconds: real-logs.faults.test.ts.
for (const log of logs.slice(1)) realTime(log);
