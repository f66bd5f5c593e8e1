import { defaulted, integer, optional, string } from './schema.ts';

/** The account whose records are listed. */
export const accountFilter = string('The account whose records are listed.');

/** What every paginated list takes (API 4.8). */
export const pageFields = {
  limit: defaulted(integer('Rows per page.', { minimum: 1, maximum: 100 }), 50),
  cursor: optional(string('next_cursor of the page before, for the same account and filter.', { maxLength: 1024 })),
} as const;
