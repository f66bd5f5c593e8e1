import type { Chance } from '../exchange/engine/chance.ts';

// biome-ignore lint/suspicious/noExplicitAny: frames of every shape.
type Value = any;

/** Values that no field of a frame should have, and some that it may. */
const strange: readonly (() => Value)[] = [
  () => null,
  () => [],
  () => ({}),
  () => [null],
  () => '',
  () => 'NaN',
  () => '1e999',
  () => '\u001b[2J\u0007',
  () => 'x'.repeat(300),
  () => -1,
  () => 1.5,
  () => 1e300,
  () => 8.64e15 + 1,
  () => true,
  () => ({ toString: 1, constructor: null }),
  () => '12.5',
  () => '__proto__',
  () => JSON.parse('['.repeat(60) + ']'.repeat(60)),
];

/** Texts that are no frame at all. */
const noFrames = ['', ' ', 'not json', 'null', '1', '"text"', '[]', '{', '[[[[', '{}', '\u0000'];

/** A frame with something wrong somewhere, most of the time; the text as it is received. */
export function drawnFrame(samples: readonly Value[], chance: Chance): string {
  if (chance.chance(0.05)) return chance.pick(noFrames);
  const frame = structuredClone(chance.pick(samples));
  for (let faults = chance.between(0, 2); faults > 0; faults -= 1) disturb(frame, chance);
  const text = JSON.stringify(frame);
  if (chance.chance(0.03)) return text.slice(0, chance.between(0, text.length));
  return chance.chance(0.02) ? '{"op":'.repeat(20_000) + text : text;
}

/** Changes one place of a frame. */
function disturb(frame: Value, chance: Chance): void {
  const places = placesIn(frame);
  if (places.length === 0) return;
  const [parent, key] = chance.pick(places);
  const what = chance.between(0, 5);
  if (what === 0) delete parent[key];
  else if (what === 1) parent[key] = JSON.stringify(parent[key]) ?? '';
  else if (what === 2 && typeof parent[key] === 'number') parent[key] = parent[key] * chance.pick([-1, 1e9, 1e20, 0.1]);
  else if (what === 3) parent[`new_${chance.between(0, 9)}`] = chance.pick(strange)();
  else parent[key] = chance.pick(strange)();
}

function placesIn(value: Value): [parent: Value, key: string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => [[value, key] as [Value, string], ...placesIn(value[key])]);
}
