import { conformance } from './suite.ts';
import { inProcessTarget } from './targets.ts';

conformance('in process', inProcessTarget);
