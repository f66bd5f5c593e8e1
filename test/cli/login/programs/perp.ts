import { main } from '../../../../src/cli/main.ts';
import { sourceRegistry } from '../../../../src/cli/source-registry.ts';

process.exitCode = await main(process.argv.slice(2), await sourceRegistry());
