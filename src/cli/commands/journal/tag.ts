import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import type { Result } from '../../../console/output/result.ts';

export const command = defineCommand({
  summary: 'Add tags to a round trip, or remove them',
  args: [
    { name: 'position', kind: 'position', summary: 'id, or the market of an open one' },
    { name: 'tags', repeat: true, summary: 'words, such as breakout' },
  ],
  options: { remove: { summary: 'remove these tags' } },
  examples: [
    ['perp journal tag BTC breakout a-plus', 'of the open position'],
    ['perp journal tag pos_000000005 breakout --remove', 'remove a tag'],
  ],
  changesMore: true,
});

export async function run(console: Console, { position, tags, remove }: InputOf<typeof command>): Promise<Result> {
  const { addTags, removeTags } = await import('../../history/edit-notes.ts');
  return (remove ? removeTags : addTags)(console, position, tags);
}
