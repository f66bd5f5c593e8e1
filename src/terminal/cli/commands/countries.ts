import { RestrictedCountry } from '../../../wire/contract/general.ts';
import type { Console } from '../../console/console.ts';
import { defineCommand } from '../../console/grammar/spec.ts';
import { fieldsOf, listOf, type Result } from '../../console/output/result.ts';

export const command = defineCommand({
  summary: 'List countries whose residents the service rejects',
  description: 'Prints ISO 3166-1 codes. Needs no credential.',
  examples: [
    ['perp countries', 'list the codes'],
    ['perp countries --env live -o csv', 'the list of the live service'],
  ],
});

export async function run(console: Console): Promise<Result> {
  const { data } = await console.call('listRestrictedCountries', {});
  return listOf(data, {
    fields: fieldsOf(RestrictedCountry),
    columns: [{ header: 'COUNTRY', cell: ({ country }) => country }],
    empty: 'None.',
  });
}
