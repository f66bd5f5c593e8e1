import { notFoundFailure, usageFailure } from '../../../base/failure/failure.ts';
import type { Console } from '../../console/console.ts';

/** A trials file as the lab reads it. */
export type Study = import('../../../programs/lab/proof/study.ts').Study;

/** Reads a trials file; anything else, or a file of another version, is a failure that says so. */
export async function openStudy(console: Console, file: string): Promise<Study> {
  const { asFileError, TrialsFile, TrialsFileError } = await import('../../../programs/lab/trials-file.ts');
  const { readStudy } = await import('../../../programs/lab/proof/study.ts');
  return console.during('Reading trials', async () => {
    try {
      const opened = TrialsFile.open(file, { readOnly: true });
      try {
        return readStudy(opened);
      } finally {
        opened.close();
      }
    } catch (thrown) {
      const error = asFileError(file, thrown);
      if (!(error instanceof TrialsFileError)) throw error;
      throw usageFailure(error.message, 'perp lab run writes trials files.');
    }
  });
}

/** The one variant that a text names. */
export async function oneVariant(study: Study, text: string) {
  const { namedVariant } = await import('../../../programs/lab/proof/study.ts');
  const found = namedVariant(study, text);
  if (found.length === 1) return found[0]!;
  const hint = 'perp lab show FILE lists variants with their ids.';
  if (found.length === 0) throw notFoundFailure(`No variant is named ${JSON.stringify(text)}.`, hint);
  const ids = found
    .slice(0, 5)
    .map(({ result }) => result.id)
    .join(', ');
  throw usageFailure(
    `${JSON.stringify(text)} names ${found.length} variants: ${ids}${found.length > 5 ? ', ...' : ''}.`,
    hint,
  );
}
