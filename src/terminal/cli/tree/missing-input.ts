import { Failure } from '../../../base/failure/failure.ts';
import type { Missing } from '../../console/grammar/command-line.ts';

/** A usage failure that lists all missing arguments and options; on a terminal, perp prompts for them instead. */
export class MissingInput extends Failure {
  readonly missing: Missing;

  constructor(message: string, hint: string, missing: Missing) {
    super({ code: 'usage', message, hint });
    this.missing = missing;
  }
}
