import type { Category, MarketDefinition, Ms, Price } from '../../engine/model.ts';
import { fraction, hash32, keyOf, signedUnit } from './hashing.ts';

/*
 * The touch under version 1 of the prices, from which a state of that version continues. Never change this file, even
 * when the current model changes.
 */

const slotMs = 450;
const bookJitterMs = 100;
const longestRestSlots = 8;
const movingShare = 64;
const widestSpread = 12;

/** The path: displacements in the middle of dyadic cells of slots, whose roots are 2^28 slots apart. */
const rootLevel = 28;
const rootSlots = 2 ** rootLevel;
const revertLevel = 20;
const revertRatio = 0.7;
const clusterLevel = 18;
const sessionLevel = 13;
const blockLevel = 8;
const volatilityMemory = 0.8;
const volatilityStep = 0.16;
const uniformScale = Math.sqrt(3);
const fatScale = 0.5843;

/** Base price, daily volatility, share of wide spreads. */
const profiles: Record<string, readonly [base: number, dailyVolatility: number, wideShare: number]> = {
  BTC: [95_000, 0.024, 0.008],
  ETH: [3_300, 0.032, 0.01],
  SOL: [190, 0.038, 0.01],
  XRP: [2.2, 0.038, 0.01],
  DOGE: [0.35, 0.042, 0.02],
  BNB: [650, 0.026, 0.03],
  HYPE: [35, 0.04, 0.25],
  GOLD: [4_100, 0.011, 0.2],
  SP500: [6_800, 0.01, 0.25],
  EUR: [1.16, 0.004, 0.1],
};

/** Activity by hour of the UTC day, and relative activity on weekends. */
const sessions: Record<string, { hours: readonly number[]; weekend: number }> = {
  crypto: {
    hours: [
      1.1, 1.0, 0.9, 0.8, 0.75, 0.7, 0.7, 0.8, 0.95, 0.95, 0.9, 0.9, 1.05, 1.35, 1.75, 1.75, 1.5, 1.3, 1.15, 1.05, 1.0,
      0.95, 0.85, 0.85,
    ],
    weekend: 0.7,
  },
  tradfi: {
    hours: [
      0.5, 0.5, 0.5, 0.4, 0.35, 0.35, 0.5, 0.8, 0.9, 0.8, 0.7, 0.7, 0.9, 1.4, 2.4, 2.1, 1.5, 1.2, 1.2, 1.6, 2.2, 0.5,
      0.2, 0.4,
    ],
    weekend: 0.2,
  },
  fx: {
    hours: [
      0.6, 0.6, 0.55, 0.5, 0.5, 0.6, 0.9, 1.5, 1.6, 1.4, 1.2, 1.2, 1.6, 1.9, 1.9, 1.7, 1.3, 0.9, 0.7, 0.6, 0.5, 0.4,
      0.35, 0.5,
    ],
    weekend: 0.2,
  },
};
const slotsPerHour = 3_600_000 / slotMs;

/** Best bid and best ask of version 1 at a time; null before the Unix epoch. */
export function firstModelTouch(
  seed: number,
  definition: MarketDefinition,
  time: Ms,
): { bid: Price; ask: Price } | null {
  const { marketId, symbol, priceDecimals, category } = definition;
  const plain = definition.tick === null ? 50 : (definition.tick / 10 ** priceDecimals) * 50_000;
  const [base, dailyVolatility, wideShare] = profiles[symbol] ?? [plain, 0.03, 0.05];
  const gridStep = gridStepOf(definition, base);
  const touchKey = keyOf(seed, marketId, 'touch');
  let slot = slotAt(keyOf(seed, marketId, 'times'), time);
  if (slot < 0) return null;
  while (slot % longestRestSlots !== 0 && ((hash32(touchKey, slot, 0) >>> 12) & 255) >= movingShare) slot -= 1;
  const hash = hash32(touchKey, slot, 1);
  const u = fraction(hash << 16);
  const isWide = hash >>> 16 < Math.round(wideShare * 65_536);
  const spread = isWide ? 2 + Math.floor((widestSpread - 1) * u * u * u) : 1;
  const value = pathValue(keyOf(seed, marketId, 'path'), dailyVolatility, category, slot);
  const baseGrid = (base * 10 ** priceDecimals) / gridStep;
  const bid = Math.floor((baseGrid * (2 + value)) / (2 - value)) - ((spread - 1) >> 1);
  return { bid: bid * gridStep, ask: (bid + spread) * gridStep };
}

function gridStepOf(definition: MarketDefinition, base: number): number {
  if (definition.tick !== null) return definition.tick;
  let decimals = 4;
  for (let rest = base; rest >= 10; rest /= 10) decimals -= 1;
  for (let rest = base; rest < 1; rest *= 10) decimals += 1;
  return 10 ** Math.max(0, definition.priceDecimals - Math.max(0, decimals));
}

function slotAt(timingKey: number, time: Ms): number {
  const slot = Math.floor(time / slotMs);
  if (slot < 0) return -1;
  return slot * slotMs + ((hash32(timingKey, slot, 0) >>> 8) % bookJitterMs) <= time ? slot : slot - 1;
}

function pathValue(key: number, dailyVolatility: number, category: Category, slot: number): number {
  const amplitudes = amplitudesOf(dailyVolatility);
  const root = Math.floor(slot / rootSlots);
  const rootValue = (of: number) => amplitudes[rootLevel]! * 2 * signedUnit(hash32(key, of, 0));
  let left = rootValue(root);
  let right = rootValue(root + 1);
  let start = root * rootSlots;
  let v = 1;
  for (let level = rootLevel; level > 0; level -= 1) {
    const half = 2 ** (level - 1);
    const hash = hash32(key, start / 2 ** level, level);
    const amplitude = amplitudes[level]!;
    const displacement =
      level > clusterLevel
        ? amplitude * (signedUnit(hash) * uniformScale)
        : level > sessionLevel
          ? amplitude * fatUnit(hash) * (v * v)
          : amplitude * activityOf(category, level, start) * fatUnit(hash) * (v * v);
    const middle = (left + right) * 0.5 + displacement;
    const isLate = slot >= start + half;
    if (level <= clusterLevel) {
      const bits = isLate ? (hash >>> 8) & 0xff : hash & 0xff;
      v = 1 + volatilityMemory * (v - 1) + volatilityStep * ((bits - 127.5) / 127.5);
    }
    if (isLate) {
      left = middle;
      start += half;
    } else right = middle;
  }
  return left;
}

function amplitudesOf(dailyVolatility: number): Float64Array {
  const perSlot = dailyVolatility / Math.sqrt(24 * slotsPerHour);
  const amplitudes = new Float64Array(rootLevel + 1);
  for (let level = 1; level <= rootLevel; level += 1) {
    amplitudes[level] =
      level <= revertLevel ? (perSlot * Math.sqrt(2 ** level)) / 2 : amplitudes[level - 1]! * revertRatio;
  }
  return amplitudes;
}

function activityOf(category: Category, level: number, slot: number): number {
  const { hours, weekend } = sessions[category] ?? sessions.crypto!;
  const blockSlots = 2 ** blockLevel;
  const start = level > blockLevel ? slot : Math.floor(slot / blockSlots) * blockSlots;
  // The Unix epoch was a Thursday; weeks start on Monday here.
  const hour = (Math.floor(start / slotsPerHour) + 72) % 168;
  return Math.sqrt(hours[hour % 24]! * (hour >= 120 ? weekend : 1));
}

function fatUnit(hash: number): number {
  const u = signedUnit(hash);
  const square = u * u;
  return u * (fatScale + 4 * fatScale * (square * square));
}
