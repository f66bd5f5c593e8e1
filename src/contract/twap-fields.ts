import type { ValidationIssue } from './errors.ts';
import type { FieldRule } from './operation.ts';

/** Default seconds between slices (simulation 7.1). */
export const defaultSliceIntervalSeconds = 30;

/** Rules between the fields of a TWAP or VWAP request (API 4.6). */
export const twapFieldIssues: FieldRule = (body) => {
  const issues: ValidationIssue[] = [];
  const { duration_minutes: minutes, slice_interval_seconds: interval, min_price: min, max_price: max } = body;
  if (typeof minutes === 'number' && typeof interval === 'number' && interval * 2 > minutes * 60) {
    const half = minutes * 30;
    issues.push({
      field: 'slice_interval_seconds',
      issue: `must be at most half the duration, ${half} for ${minutes} minutes`,
    });
  }
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    issues.push({ field: 'min_price', issue: 'must not be above max_price' });
  }
  return issues;
};
