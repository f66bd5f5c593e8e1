const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(Z|[+-]\d\d:?\d\d)?$/i;

/** Unix ms of a date or time in ISO 8601, also with a space: UTC unless it has an offset. NaN for anything else. */
export function isoMoment(text: string): number {
  const [, date, clock = '00:00', offset = 'Z'] = iso.exec(text) ?? [];
  if (date === undefined) return Number.NaN;
  const midnight = Date.parse(`${date}T00:00Z`);
  // Date.parse would roll February 30 over into March.
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
  return exists ? Date.parse(`${date}T${clock}${offset.toUpperCase()}`) : Number.NaN;
}
