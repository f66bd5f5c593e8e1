import { type Finding, fail, ok } from './finding.ts';

/** What package.json and bin/perp.js ask for. */
const oldest = [24, 15] as const;

/** The Node that runs this; an older one would not have come as far as here, but for a start without bin/perp.js. */
export function checkNode(): Finding {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  const what = `${node} on ${process.platform} ${process.arch}`;
  return isOld ? fail('node', what, `Install Node ${oldest.join('.')} or newer: https://nodejs.org`) : ok('node', what);
}
