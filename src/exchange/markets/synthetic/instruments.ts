import type { Loads } from './draws.ts';
import type { Kind } from './session.ts';

/** Groups of instruments: they share trading hours, factors, and the way that their venue's makers quote them. */
interface Group {
  kind: Kind;
  loads: Loads;
  /** How often its books change and its price moves; absent: like most markets. */
  pace?: Pace;
  /** Depth near the mid, and the spread, relative to those of a crypto market with the same volume. */
  depth: number;
  spread: number;
}

/** How often books change and prices move. */
interface Pace {
  /** Books a minute. */
  books: number;
  /** Moves of the price per second, at most. */
  moves: number;
  /** The share of prints right before a move, at the touch that is about to move. */
  burstShare: number;
}

/** An instrument's price level and activity. */
export interface Instrument {
  group: Group;
  /** Price in the quote currency around which the market moves. */
  base: number;
  /** Standard deviation of a day's relative price change. */
  dailyVolatility: number;
  /** USD volume on an ordinary day. */
  dailyUsd: number;
}

/** The pace of most markets. */
export const usualPace: Pace = { books: 180, moves: 0.6, burstShare: 0.6 };
const bitcoinPace: Pace = { books: 600, moves: 1.2, burstShare: 0.65 };
const etherPace: Pace = { books: 600, moves: 1.2, burstShare: 0.35 };

/** The groups, by name. */
export const groups = {
  bitcoin: { kind: 'crypto', loads: [['crypto', 0.96]], pace: bitcoinPace, depth: 1, spread: 1 },
  ether: { kind: 'crypto', loads: [['crypto', 0.95]], pace: etherPace, depth: 2.6, spread: 1 },
  major: { kind: 'crypto', loads: [['crypto', 0.87]], depth: 1, spread: 1 },
  alt: { kind: 'crypto', loads: [['crypto', 0.84]], depth: 1, spread: 1 },
  meme: { kind: 'crypto', loads: [['crypto', 0.84]], depth: 0.8, spread: 1.2 },
  apart: { kind: 'crypto', loads: [['crypto', 0.82]], depth: 0.9, spread: 1.1 },
  index: { kind: 'equity', loads: [['equity', 0.96]], depth: 2.5, spread: 0.6 },
  abroad: { kind: 'equity', loads: [['equity', 0.8]], depth: 1.5, spread: 1 },
  stock: { kind: 'equity', loads: [['equity', 0.75]], depth: 1, spread: 1.4 },
  chip: {
    kind: 'equity',
    loads: [
      ['equity', 0.7],
      ['chips', 0.45],
    ],
    depth: 1,
    spread: 1.4,
  },
  coinStock: {
    kind: 'equity',
    loads: [
      ['equity', 0.6],
      ['crypto', 0.55],
    ],
    depth: 1,
    spread: 1.4,
  },
  gold: { kind: 'metals', loads: [['metals', 0.92]], depth: 2, spread: 0.8 },
  metal: { kind: 'metals', loads: [['metals', 0.84]], depth: 1.5, spread: 1 },
  copper: { kind: 'metals', loads: [['metals', 0.55]], depth: 1.5, spread: 1 },
  oil: { kind: 'energy', loads: [['energy', 0.96]], depth: 1.5, spread: 1 },
  gas: { kind: 'energy', loads: [['energy', 0.35]], depth: 1.2, spread: 1 },
  euro: { kind: 'fx', loads: [['dollar', 0.85]], depth: 8, spread: 0.4 },
  yen: { kind: 'fx', loads: [['dollar', -0.8]], depth: 8, spread: 0.4 },
} satisfies Record<string, Group>;

/**
 * By symbol: group, price, daily volatility in percent, and daily volume in millions of USD. The values are made up,
 * close to those of 2026.
 */
export const instruments: Record<string, readonly [keyof typeof groups, number, number, number]> = {
  AAPL: ['stock', 270, 1.5, 40],
  AAVE: ['alt', 180, 4.4, 350],
  ADA: ['major', 0.62, 4, 900],
  AERO: ['alt', 0.72, 6, 60],
  ALGO: ['alt', 0.16, 4.6, 60],
  AMD: ['chip', 220, 3.1, 60],
  AMZN: ['stock', 231, 1.9, 40],
  ANTHROPIC: ['stock', 420, 3, 12],
  APT: ['alt', 2.4, 5, 110],
  ARB: ['alt', 0.27, 5, 160],
  ARM: ['chip', 138, 3, 15],
  ASTER: ['alt', 0.95, 6, 400],
  ATOM: ['alt', 2.7, 4.6, 80],
  AVAX: ['major', 17, 4.6, 400],
  AVGO: ['chip', 345, 2.6, 40],
  BABA: ['stock', 152, 2.4, 25],
  BCH: ['alt', 560, 3.6, 250],
  BE: ['stock', 112, 5.5, 15],
  BMNR: ['coinStock', 34, 6, 60],
  BNB: ['major', 650, 2.6, 1_100],
  '1000BONK': ['meme', 0.0112, 6, 150],
  BRENTOIL: ['oil', 64, 2, 60],
  BTC: ['bitcoin', 95_000, 2.4, 36_000],
  CASHCAT: ['meme', 0.0042, 9, 4],
  CL: ['oil', 60, 2.1, 150],
  COHR: ['chip', 182, 4, 10],
  COIN: ['coinStock', 275, 3.8, 60],
  COPPER: ['copper', 5.1, 1.4, 20],
  CRCL: ['coinStock', 88, 5.5, 60],
  CRV: ['alt', 0.44, 5.6, 110],
  CRWV: ['chip', 88, 5.5, 40],
  CXMT: ['chip', 24, 4.5, 8],
  DASH: ['apart', 58, 7, 120],
  DELL: ['chip', 132, 2.8, 10],
  DOGE: ['major', 0.35, 4.2, 1_500],
  DOT: ['alt', 2.6, 4.5, 150],
  DRAM: ['chip', 31, 3.6, 10],
  ENA: ['alt', 0.29, 6.2, 300],
  ETC: ['alt', 14.5, 4, 90],
  ETH: ['ether', 3_300, 3.2, 6_800],
  ETHFI: ['alt', 0.92, 6, 70],
  EUR: ['euro', 1.16, 0.4, 25],
  EWY: ['abroad', 97, 1.8, 12],
  FARTCOIN: ['meme', 0.36, 7.5, 200],
  FET: ['alt', 0.27, 6, 80],
  FIL: ['alt', 1.7, 5, 140],
  GOLD: ['gold', 4_100, 1.1, 300],
  GOOGL: ['stock', 312, 1.8, 60],
  GRAM: ['alt', 1.8, 4.4, 70],
  HBAR: ['alt', 0.15, 5, 130],
  HOOD: ['coinStock', 122, 4, 50],
  HYPE: ['alt', 35, 4.6, 1_000],
  ICP: ['alt', 3.9, 5.2, 90],
  INJ: ['alt', 5.6, 5.4, 70],
  INTC: ['chip', 38, 3.2, 50],
  JP225: ['abroad', 50_500, 1.5, 25],
  JPY: ['yen', 156, 0.5, 20],
  JTO: ['alt', 0.42, 6, 40],
  JUP: ['alt', 0.23, 5.5, 80],
  KAITO: ['alt', 0.62, 7, 60],
  LDO: ['alt', 0.66, 5.6, 90],
  LINK: ['major', 14.2, 4.4, 500],
  LIT: ['alt', 2.4, 7, 120],
  LLY: ['stock', 1_060, 1.9, 8],
  LTC: ['major', 88, 3.7, 300],
  META: ['stock', 655, 2.1, 40],
  MON: ['alt', 0.024, 8, 120],
  MRVL: ['chip', 91, 3.6, 15],
  MSFT: ['stock', 484, 1.5, 30],
  MSTR: ['coinStock', 182, 4.6, 150],
  MU: ['chip', 255, 3.8, 80],
  NATGAS: ['gas', 4.2, 4, 40],
  NBIS: ['chip', 96, 5.5, 20],
  NEAR: ['alt', 1.9, 5.2, 250],
  NVDA: ['chip', 184, 2.4, 200],
  ONDO: ['alt', 0.48, 5.2, 110],
  OP: ['alt', 0.34, 5.4, 110],
  OPENAI: ['stock', 730, 3, 15],
  ORCL: ['stock', 198, 3, 50],
  PALLADIUM: ['metal', 1_610, 2.4, 15],
  PENDLE: ['alt', 2.3, 6, 60],
  PENGU: ['meme', 0.0121, 7, 250],
  '1000PEPE': ['meme', 0.0052, 5.8, 500],
  PLATINUM: ['metal', 1_720, 2.2, 20],
  PLTR: ['stock', 182, 3.2, 60],
  POL: ['alt', 0.136, 4.6, 60],
  PONS: ['alt', 0.052, 9, 20],
  PUMP: ['meme', 0.0029, 7.5, 300],
  PYTH: ['alt', 0.074, 5.8, 50],
  QCOM: ['chip', 174, 2.4, 12],
  QQQ: ['index', 618, 1.2, 40],
  RENDER: ['alt', 2.2, 5.6, 80],
  RKLB: ['stock', 72, 5, 25],
  SEI: ['alt', 0.136, 5.6, 110],
  '1000SHIB': ['meme', 0.0086, 4.6, 150],
  SILVER: ['metal', 61, 2.4, 500],
  SKHX: ['abroad', 405, 3.2, 40],
  SMSN: ['abroad', 74, 2.4, 30],
  SNDK: ['chip', 242, 5.5, 60],
  SOL: ['major', 190, 3.8, 5_000],
  SOXL: ['chip', 44, 7, 30],
  SP500: ['index', 6_800, 1, 400],
  SPCX: ['stock', 62, 4, 25],
  SPX: ['meme', 0.56, 7, 60],
  SUI: ['major', 1.9, 5, 900],
  TAO: ['alt', 285, 5.4, 200],
  TRUMP: ['meme', 5.6, 5.4, 180],
  TRX: ['apart', 0.29, 1.9, 150],
  TSLA: ['stock', 448, 3.2, 250],
  TSM: ['chip', 298, 2.2, 30],
  UNI: ['alt', 6.1, 5, 250],
  VVV: ['alt', 2.4, 7.5, 40],
  WDC: ['chip', 182, 4, 10],
  WIF: ['meme', 0.41, 6.5, 150],
  WLD: ['alt', 0.61, 6, 250],
  WLFI: ['alt', 0.15, 5.5, 150],
  XLM: ['alt', 0.25, 4.4, 110],
  XMR: ['apart', 430, 4.4, 150],
  XPL: ['alt', 0.17, 7.5, 150],
  XRP: ['major', 2.2, 3.8, 3_000],
  XYZ100: ['index', 25_200, 1.3, 500],
  ZEC: ['apart', 410, 8, 900],
};

/** The profile of an unknown instrument: a small crypto market. */
export function unknownInstrument(base: number): Instrument {
  return { group: groups.alt, base, dailyVolatility: 0.03, dailyUsd: 5e7 };
}
