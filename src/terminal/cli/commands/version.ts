import { installed } from '../../../base/self/self.ts';
import { defineCommand } from '../../console/console.ts';
import { fields, recordOf } from '../../console/output/result.ts';

export const command = defineCommand({
  summary: 'Show the version, commit, runtime and installation',
  description: 'Also prints the command that upgrades this copy. Reads and sends nothing.',
  examples: [
    ['perp version', 'for people'],
    ['perp version --json', 'for scripts and bug reports'],
  ],
  ignoresProfile: true,
  toleratesBadConfig: true,
  async run({ registry }) {
    const { version, commit } = registry;
    const { by, place, upgrade } = installed();
    const runtime = `Node ${process.versions.node} on ${process.platform} ${process.arch}`;
    return recordOf({ version, commit, runtime, installed: by, place, upgrade }, () => [
      fields(
        ['version', version],
        ['commit', commit ?? 'unknown'],
        ['runtime', runtime],
        ['installed', `${by}, ${place}`],
        ['to upgrade', upgrade],
      ),
    ]);
  },
});
