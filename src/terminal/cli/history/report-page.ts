import { createHash } from 'node:crypto';
import { jsonText } from '../../../base/text/plain-text.ts';
import {
  chartLook,
  chartSection,
  escaped,
  figureList,
  htmlPage,
  type PageTable,
  section,
  tableSection,
} from '../../console/output/html-page.ts';
import type { Field } from '../../console/output/result.ts';

/**
 * Draws the report's charts in the browser. It reads its data from the page and sends nothing. Untrusted text is only
 * ever set as text.
 */
const reportScript = `
'use strict';
(() => {
  const { createChart, createSeriesMarkers, LineSeries, BaselineSeries, CandlestickSeries } = LightweightCharts;
  const data = JSON.parse(document.getElementById('data').textContent);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const charts = new Map();
  const palette = (isDark) => isDark
    ? { text: '#c9d1d9', grid: '#21262d', equity: '#58a6ff', daily: '#e3b341', floor: '#ff9580',
        up: '#8b949e', down: '#484f58', buy: '#58a6ff', sell: '#ffa657' }
    : { text: '#24292f', grid: '#e6e8eb', equity: '#0550ae', daily: '#8a6100', floor: '#b02a1a',
        up: '#afb8c1', down: '#57606a', buy: '#0550ae', sell: '#bc4c00' };
  function add(id, height, fill) {
    const element = document.getElementById(id);
    if (element === null) return;
    const chart = createChart(element, {
      autoSize: true,
      height,
      layout: { background: { color: 'transparent' }, attributionLogo: false, fontFamily: 'inherit' },
      timeScale: { timeVisible: true, borderVisible: false },
      rightPriceScale: { borderVisible: false },
      handleScroll: { mouseWheel: false },
      handleScale: { mouseWheel: false },
    });
    charts.set(id, chart);
    const restyle = fill(chart);
    const draw = (isDark) => {
      const colors = palette(isDark);
      const lines = { color: colors.grid };
      chart.applyOptions({ layout: { textColor: colors.text }, grid: { vertLines: lines, horzLines: lines } });
      restyle(colors);
    };
    draw(dark.matches);
    dark.addEventListener('change', () => draw(dark.matches));
    chart.timeScale().fitContent();
    // For printing, each chart becomes a picture in light colors; anything it drew after this event would not be
    // printed.
    addEventListener('beforeprint', () => {
      draw(false);
      const picture = chart.takeScreenshot();
      picture.className = 'paper';
      element.querySelector('.paper')?.remove();
      element.append(picture);
      draw(dark.matches);
    });
  }
  const points = (field) => {
    const byTime = new Map();
    for (const row of data.equity) if (row[field] !== null) byTime.set(row[0], row[field]);
    return [...byTime].sort((a, b) => a[0] - b[0]).map(([time, value]) => ({ time, value }));
  };
  add('equity', 280, (chart) => {
    const format = { type: 'price', precision: 2, minMove: 0.01 };
    const line = (field, title, width, style) => {
      const rows = points(field);
      const series = chart.addSeries(LineSeries, { title, lineWidth: width, lineStyle: style, priceFormat: format });
      series.setData(rows);
      return series;
    };
    const equity = line(1, 'equity', 2, 0);
    const daily = line(2, 'daily floor', 1, 2);
    const floor = line(3, 'drawdown floor', 1, 0);
    return (colors) => {
      equity.applyOptions({ color: colors.equity });
      daily.applyOptions({ color: colors.daily, lineType: 1 });
      floor.applyOptions({ color: colors.floor });
    };
  });
  add('drawdown', 130, (chart) => {
    const series = chart.addSeries(BaselineSeries, {
      baseValue: { type: 'price', price: 0 }, lineWidth: 1, priceFormat: { type: 'price', precision: 2, minMove: 0.01 },
    });
    let peak = -Infinity;
    series.setData(points(1).map(({ time, value }) => {
      peak = Math.max(peak, value);
      return { time, value: value - peak };
    }));
    return (colors) => series.applyOptions({
      topLineColor: colors.floor, bottomLineColor: colors.floor,
      bottomFillColor1: colors.floor + '22', bottomFillColor2: colors.floor + '66',
    });
  });
  data.markets.forEach((market, at) => add('market-' + at, 300, (chart) => {
    const precision = market.decimals;
    const series = chart.addSeries(CandlestickSeries, {
      priceFormat: { type: 'price', precision, minMove: 10 ** -precision }, priceLineVisible: false,
    });
    series.setData(market.candles.map(([time, open, high, low, close]) => ({ time, open, high, low, close })));
    const markers = createSeriesMarkers(series, []);
    return (colors) => {
      series.applyOptions({
        upColor: colors.up, downColor: colors.down, borderVisible: false, wickUpColor: colors.up, wickDownColor: colors.down,
      });
      markers.setMarkers(market.fills.map(([time, side, price]) => ({
        time, price, position: side === 'buy' ? 'atPriceBottom' : 'atPriceTop', size: 1,
        shape: side === 'buy' ? 'arrowUp' : 'arrowDown', color: side === 'buy' ? colors.buy : colors.sell,
      })));
    };
  }));
  // A trip leads to its candles.
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[data-show]');
    if (link === null) return;
    const [id, from, to] = link.dataset.show.split(' ');
    charts.get(id)?.timeScale().setVisibleRange({ from: Number(from), to: Number(to) });
  });
})();
`;

/**
 * A market's candles, each `[time, open, high, low, close]`, and own fills, each `[candle's time, side, price]`; Unix
 * seconds.
 */
export interface ReportMarket {
  readonly marketId: string;
  readonly name: string;
  readonly interval: string;
  readonly decimals: number;
  readonly candles: readonly (readonly [number, number, number, number, number])[];
  readonly fills: readonly (readonly [number, string, number])[];
}

/** The contents of a report page. */
interface ReportPage {
  readonly title: string;
  /** The summary before all figures. */
  readonly verdict: string;
  /** Account, environment and period. */
  readonly subject: string;
  readonly figures: readonly (Field | undefined)[];
  /** The sections of HTML before the charts of equity and after them. */
  readonly before: readonly string[];
  readonly between: readonly string[];
  /** Each `[time, equity, daily floor, drawdown floor]`; Unix seconds, USD. */
  readonly equity: readonly (readonly (number | null)[])[];
  readonly markets: readonly ReportMarket[];
  readonly tables: readonly PageTable[];
  /** Sentences at the end of the page: which figures are approximate. */
  readonly remarks: readonly string[];
  /** The chart library, as a script that defines LightweightCharts. */
  readonly library: string;
}

const equitySays = 'Equity must stay above both floors; the dashed one restarts at each midnight in New York.';
const drawdownSays = 'How far equity was below its highest value before.';

/**
 * One self-contained HTML page: its policy forbids all requests, and all scripts except its own two. All text is
 * escaped; data for scripts can't end their element.
 */
export function reportPage(page: ReportPage): string {
  const library = page.library.replaceAll('</script', '<\\/script');
  const policy = `default-src 'none'; script-src ${hashOf(library)} ${hashOf(reportScript)}; style-src 'unsafe-inline'`;
  const data = jsonText({
    equity: page.equity,
    markets: page.markets.map(({ decimals, candles, fills }) => ({ decimals, candles, fills })),
  });
  const chart = (id: string, size: string) => `<div id="${id}" class="chart ${size}"></div>`;
  const curves = [
    chartSection('Equity and floors', equitySays, chart('equity', 'tall')),
    chartSection('Drawdown', drawdownSays, chart('drawdown', 'low')),
  ];
  const parts = [
    `<p><strong>${escaped(page.verdict)}</strong></p>`,
    `<p class="faint">${escaped(page.subject)}</p>`,
    '<noscript><p>Without scripts, curves and candles are not drawn; every figure is in the text and the tables.</p></noscript>',
    ...page.before,
    section('Figures', figureList(page.figures)),
    ...(page.equity.length < 2 ? [] : curves),
    ...page.between,
    ...page.markets.map(marketSection),
    ...page.tables.map(tableSection),
  ];
  return htmlPage(
    { title: page.title, policy, style: chartLook },
    parts,
    [...page.remarks, credits],
    `
<script type="application/json" id="data">${data.replaceAll('<', '\\u003c')}</script>
<script>${library}</script>
<script>${reportScript}</script>`,
  );
}

const credits =
  'Times are UTC; days start at midnight in New York. Charts: TradingView Lightweight Charts, Apache License 2.0, ' +
  'copyright TradingView, Inc., https://www.tradingview.com/';

/** On paper, the first two markets are enough. */
function marketSection({ name, interval }: ReportMarket, at: number): string {
  const says = `Candles of ${interval}; arrows are your fills. A trip in the table leads to its candles here.`;
  return chartSection(name, says, `<div id="market-${at}" class="chart tall"></div>`, at < 2 ? '' : ' class="screen"');
}

function hashOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}
