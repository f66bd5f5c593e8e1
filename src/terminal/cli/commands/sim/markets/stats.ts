import { stateFolder } from '../../../../../base/files/folders.ts';
import { dateTime, shellSafe } from '../../../../../base/text/format.ts';
import { defineCommand } from '../../../../console/console.ts';
import { blank, line, recordOf, tableOf } from '../../../../console/output/result.ts';

export const command = defineCommand({
  summary: 'Simulate markets and measure spread, depth and order flow',
  description:
    'Without MARKET, shows one market of each kind. With --books, shows the markets of a recording, each next to the synthetic market of the same symbol.',
  args: [{ name: 'market', optional: true, repeat: true, kind: 'market', summary: 'symbols or ids' }],
  options: {
    hours: { value: 'N', kind: 'count', maximum: 168, summary: 'hours of synthetic prices to play (default 8)' },
    gates: { summary: 'check that resting orders and simple signals earn nothing' },
    seed: { value: 'N', kind: 'count', maximum: 999_999_999, summary: 'seed of the synthetic prices (default 1)' },
  },
  examples: [
    ['perp sim markets stats', 'one of each kind'],
    ['perp sim markets stats BTC ETH --hours 24', 'one day of two markets'],
    ['perp sim markets stats BTC ETH EUR --gates --hours 24', 'the earnings of makers and bots'],
    ['perp sim markets stats --books friday.jsonl.gz', 'a recording and its synthetic counterparts'],
  ],
  simulationOnly: true,
  async run(console, input) {
    const { marketStatistics } = await import('../../../../../service/simulation/market-statistics.ts');
    const columns = await console.person.during('Playing markets', () =>
      marketStatistics({
        books: console.settings.simulation.books,
        stateDir: stateFolder(console.variables),
        markets: input.market ?? [],
        seed: input.seed ?? 1,
        hours: input.hours ?? 8,
        gates: input.gates,
        until: lastFullHour(console.outside.now()),
      }),
    );
    const record = columns.map(({ source, market, from, to, figures }) => ({
      source,
      market_id: market.marketId,
      symbol: market.symbol,
      from,
      to,
      figures: figures.map(({ name, unit, value, least, most }) => ({
        name,
        unit,
        value: Number.isFinite(value) ? value : null,
        ...((least ?? most ?? null) === null ? {} : { least, most }),
      })),
    }));
    const units = new Map(record.flatMap(({ figures }) => figures.map(({ name, unit }) => [name, unit] as const)));
    return recordOf(record, () => [
      ...record.map(({ source, symbol, market_id, from, to }) =>
        line(
          { text: symbol, tone: 'strong' },
          `  ${shellSafe(market_id)}, ${source}, ${dateTime(from)} to ${dateTime(to)}`,
        ),
      ),
      blank,
      tableOf(
        [...units.keys()],
        [
          { header: 'FIGURE', cell: (name) => name },
          ...record.map(({ symbol, source, figures }) => ({
            header: source === 'recorded' ? `${symbol} recorded` : symbol,
            align: 'right' as const,
            cell: (name: string) => shown(figures.find((figure) => figure.name === name)?.value ?? null),
          })),
          ...(input.gates ? [{ header: 'MUST BE', cell: (name: string) => mustBe(record, name) }] : []),
          { header: 'UNIT', cell: (name) => units.get(name) ?? '' },
        ],
      ),
      ...(input.gates ? [blank, line({ text: chanceText(input.hours ?? 8), tone: 'faint' })] : []),
    ]);
  },
});

/** How far a correlation of pairs, one at the end of each minute, varies by chance. */
function chanceText(hours: number): string {
  const error = (1 / Math.sqrt(60 * hours)).toFixed(3);
  return `The bounds are for means over many days. In ${hours} h, an autocorrelation across the end of a minute varies by about ${error} by chance (one standard error).`;
}

/** The required range of a figure, for each market where it differs. */
function mustBe(
  record: readonly {
    source: string;
    symbol: string;
    figures: readonly { name: string; least?: number | null | undefined; most?: number | null | undefined }[];
  }[],
  name: string,
): string {
  const symbols = new Map<string, string[]>();
  const played = record.filter(({ source }) => source !== 'recorded').length;
  for (const { symbol, figures } of record) {
    const found = figures.find((figure) => figure.name === name);
    const text = found === undefined ? '' : range(found.least ?? null, found.most ?? null);
    if (text !== '') symbols.set(text, [...(symbols.get(text) ?? []), symbol]);
  }
  return [...symbols].map(([text, of]) => (of.length < played ? `${of.join(', ')}: ${text}` : text)).join('; ');
}

function range(least: number | null, most: number | null): string {
  if (least === null) return most === null ? '' : `up to ${shown(most)}`;
  return `${shown(least)} to ${shown(most)}`;
}

/** Fixed, so that the same command prints the same figures. */
function lastFullHour(now: number): number {
  return Math.floor(now / 3_600_000) * 3_600_000;
}

/** Three significant digits; empty if unknown. */
function shown(value: number | null): string {
  if (value === null) return '';
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
}
