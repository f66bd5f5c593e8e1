import { escaped, section } from './html-page.ts';

/** A bar of a chart: its value decides its length, and its text shows it. */
interface Bar {
  readonly name: string;
  readonly value: number;
  readonly text: string;
}

/** A section with one sentence that explains its contents; without contents it is left out. */
export function chartSection(title: string, says: string, content: string, extra = ''): string {
  return content === '' ? '' : section(title, `<p class="says">${escaped(says)}</p>${content}`, extra);
}

/** Bars up and down from zero, each with its name and figure; empty without any. */
export function barChart(name: string, bars: readonly Bar[]): string {
  if (bars.length === 0) return '';
  const most = Math.max(...bars.map(({ value }) => Math.abs(value))) || 1;
  const rows = bars.map(({ name: of, value, text }) => {
    const width = (Math.abs(value) / most) * 50;
    const left = value < 0 ? 50 - width : 50;
    return `<li><span>${escaped(of)}</span><i><b class="${value < 0 ? 'loss' : 'win'}" style="left:${left.toFixed(1)}%;width:${width.toFixed(1)}%"></b></i><span class="number">${escaped(text)}</span></li>`;
  });
  return `<ul class="bars" aria-label="${escaped(name)}">${rows.join('')}</ul>`;
}

/** A used share of an allowance, and the rest of it. */
export function gauge(name: string, used: number, text: string): string {
  const share = Math.min(1, Math.max(0, used)) * 100;
  return `<div class="gauge"><span>${escaped(name)}</span><i><b class="${share >= 80 ? 'loss' : 'win'}" style="left:0;width:${share.toFixed(1)}%"></b></i><span class="number">${escaped(text)}</span></div>`;
}

/** A point of a scatter: its text under the pointer, and its link. */
interface Point {
  readonly x: number;
  readonly y: number;
  readonly says: string;
  readonly isWin: boolean;
  readonly to: string | undefined;
}

const [wide, high, margin] = [640, 260, 34];

/** Points between two axes from zero; empty without any. */
export function scatter(name: string, axes: readonly [x: string, y: string], points: readonly Point[]): string {
  if (points.length === 0) return '';
  const mostX = Math.max(...points.map(({ x }) => x)) || 1;
  const mostY = Math.max(...points.map(({ y }) => y)) || 1;
  const marks = points.map(({ x, y, says, isWin, to }) => {
    const [cx, cy] = [margin + (x / mostX) * (wide - 2 * margin), high - margin - (y / mostY) * (high - 2 * margin)];
    const circle = `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="5" class="${isWin ? 'win' : 'loss'}"><title>${escaped(says)}</title></circle>`;
    return to === undefined ? circle : `<a href="#${escaped(to)}" aria-label="${escaped(says)}">${circle}</a>`;
  });
  const label = (x: number, y: number, text: string, anchor: string) =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}">${escaped(text)}</text>`;
  return `<svg viewBox="0 0 ${wide} ${high}" aria-label="${escaped(name)}" role="group"><path d="M${margin} ${margin / 2}V${high - margin}H${wide - margin / 2}"/>
${label(wide - margin, high - 10, `${axes[0]} ${mostX.toFixed(2)}`, 'end')}${label(margin, 14, `${axes[1]} ${mostY.toFixed(2)}`, 'start')}${label(margin, high - 10, '0', 'end')}
${marks.join('\n')}</svg>`;
}

/** A day of a calendar. */
interface CalendarDay {
  /** `2026-11-21`. */
  readonly date: string;
  readonly value: number;
  readonly text: string;
}

/** Weeks from Sunday to Saturday; a day without a value is empty, and so is everything without any day. */
export function calendar(name: string, days: readonly CalendarDay[]): string {
  if (days.length === 0) return '';
  const first = new Date(`${days[0]!.date}T00:00:00Z`).getUTCDay();
  const head = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].map((day) => `<li class="faint">${day}</li>`);
  const cells: string[] = Array.from({ length: first }, () => '<li aria-hidden="true"></li>');
  const byDate = new Map(days.map((day) => [day.date, day]));
  const last = Date.parse(`${days.at(-1)!.date}T00:00:00Z`);
  for (let at = Date.parse(`${days[0]!.date}T00:00:00Z`); at <= last; at += 86_400_000) {
    const date = new Date(at).toISOString().slice(0, 10);
    const day = byDate.get(date);
    const tone = day === undefined || day.value === 0 ? '' : ` class="${day.value < 0 ? 'lost' : 'won'}"`;
    cells.push(`<li${tone}><small>${date.slice(5)}</small> ${day === undefined ? '&ndash;' : escaped(day.text)}</li>`);
  }
  return `<ol class="calendar" aria-label="${escaped(name)}">${head.join('')}${cells.join('')}</ol>`;
}

/** How these look. */
export const chartLook = `
.says { margin: 0 0 8px; color: var(--faint); }
.bars { list-style: none; margin: 0; padding: 0; }
.bars li, .gauge { display: grid; grid-template-columns: 110px 1fr minmax(90px, auto); gap: 10px; align-items: center; font-size: 13px; }
.bars i, .gauge i { position: relative; height: 11px; background: var(--line); }
.bars b, .gauge b { position: absolute; top: 0; bottom: 0; }
b.win { background: var(--good); } b.loss { background: var(--bad); }
circle.win { fill: var(--good); } circle.loss { fill: var(--bad); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
svg { width: 100%; height: auto; max-height: 320px; } svg path { fill: none; stroke: var(--faint); } svg text { fill: var(--faint); font-size: 13px; }
.calendar { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); gap: 3px; font-size: 12px; font-variant-numeric: tabular-nums; }
.calendar li { padding: 3px; min-height: 1em; text-align: right; overflow-wrap: anywhere; border-left: 3px solid transparent; }
.calendar small { display: block; color: var(--faint); }
@media print { svg { max-height: 170px; } .bars { columns: 2; } .bars li { break-inside: avoid; } }
@media (max-width: 640px) { .bars li { grid-template-columns: 76px 1fr 84px; } .gauge { grid-template-columns: 76px 1fr; } .gauge .number { grid-column: 1 / -1; } .calendar { font-size: 10px; } }
.won { border-color: var(--good) !important; } .lost { border-color: var(--bad) !important; }
`;
