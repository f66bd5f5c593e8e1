/** The text that a search looks at: the name, the id, and everything else that is shown. */
interface Searched {
  readonly name: string;
  readonly id: string;
  readonly all?: string;
}

const [besideName, unfound] = [4, 5];

/**
 * The items that a text names: exactly, then those that begin so, then those that contain it; in their order where
 * equal. Text besides the name counts only if no name matches.
 */
export function foundBy<Item>(items: readonly Item[], text: string, of: (item: Item) => Searched): readonly Item[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return items;
  const ranked = items.map((item) => ({ item, rank: rankOf(of(item), wanted) }));
  const found = ranked.filter(({ rank }) => rank < unfound).sort((one, other) => one.rank - other.rank);
  const isNamed = found.some(({ rank }) => rank < besideName);
  return found.filter(({ rank }) => !isNamed || rank < besideName).map(({ item }) => item);
}

function rankOf({ name, id, all = '' }: Searched, wanted: string): number {
  const [head, own] = [name.toLowerCase(), id.toLowerCase()];
  if (head === wanted || own === wanted) return 0;
  if (head.startsWith(wanted)) return 1;
  if (own.split(/[:|]/).at(-1)!.startsWith(wanted)) return 2;
  if (head.includes(wanted)) return 3;
  return `${all} ${own}`.toLowerCase().includes(wanted) ? besideName : unfound;
}
