import fc from 'fast-check';

const halfSurrogates = { from: 0xd800, count: 0x800 };

/** Any character. The same as fast-check's unit `binary`, which first makes a table of all million of them. */
const character = fc.nat({ max: 0x10_ffff - halfSurrogates.count }).map(
  (number) => String.fromCodePoint(number < halfSurrogates.from ? number : number + halfSurrogates.count),
  (text) => {
    const code = typeof text === 'string' && text.isWellFormed() ? text.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== text) throw new Error('not one character');
    return code < halfSurrogates.from ? code : code - halfSurrogates.count;
  },
);

/** Any text, also with control characters, and names such as `__proto__`. */
export const anyText = (constraints: fc.StringSharedConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: character });
