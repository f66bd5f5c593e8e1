/**
 * Loaded with --import into every process of a mutant's tests: whoever imports the mutated file gets its mutated text.
 * Nothing on disk changes, so mutants can run side by side, and an interrupted run leaves nothing behind.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const { PERP_MUTANT_URL: url, PERP_MUTANT_TEXT: text } = process.env;
if (url !== undefined && text !== undefined)
  registerHooks({
    load(address, context, nextLoad) {
      if (address !== url) return nextLoad(address, context);
      return { format: 'module-typescript', source: readFileSync(text, 'utf8'), shortCircuit: true };
    },
  });
