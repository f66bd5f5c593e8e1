import { conformance } from './suite.ts';
import { httpTarget } from './targets.ts';

conformance('over HTTP', httpTarget);
