const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/**
 * True for a string as `Date.prototype.toISOString` writes it: dates in JSON look like this, and have the methods of
 * dates.
 */
export function looksLikeIsoDate(text: string): boolean {
  return text.length === 24 && ISO_INSTANT.test(text) && !Number.isNaN(Date.parse(text));
}
