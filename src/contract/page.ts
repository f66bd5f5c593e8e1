import { defaulted, integer, optional, string } from './schema.ts';

/** The account whose records to list. */
export const accountFilter = string('The account whose records to list.');

/** Parameters of every paginated list (API 4.8). */
export const pageFields = {
  limit: defaulted(integer('Rows per page.', { minimum: 1, maximum: 100 }), 50),
  cursor: optional(string('next_cursor of the previous page, with the same account and filters.', { maxLength: 1024 })),
} as const;
