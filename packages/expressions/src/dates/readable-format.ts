const MAX_FIELDS = 16;
/** Fields that a letter standing for a whole date or time is made of. */
const FIELDS_OF_MACRO = 5;

/**
 * True if a string may be read by this luxon format. Each field of a format can match in a few ways, and a string that
 * fits none is tried in all their combinations: so their number is bounded. No usual format has more than ten.
 */
export function isReadableFormat(format: string): boolean {
  const unquoted = format.replace(/'[^']*'/g, ' ');
  let fields = 0;
  for (const [run] of unquoted.matchAll(/([a-z])\1*/gi)) fields += /[DtTfF]/.test(run) ? FIELDS_OF_MACRO : 1;
  return fields <= MAX_FIELDS;
}
