import { conformance } from './suite.ts';
import { remoteTarget } from './targets.ts';

const open = remoteTarget();
if (open !== null) conformance('against a remote', open);
