const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY_MS = 86_400_000;

/**
 * The time in a line of `ls -l`, which names no zone (UTC is meant here) and has the time of day instead of the year
 * for the last months: `Jan 31 10:00`, `Jan 31 2024`. Undefined for any other form.
 * @param now decides about the year that is missing
 */
export function ftpDate(text: string, now: Date): Date | undefined {
  const [, name = '', day, hours, minutes, year] =
    /^([A-Za-z]{3}) +(\d{1,2}) +(?:(\d{1,2}):(\d{2})|(\d{4}))$/.exec(text.trim()) ?? [];
  const month = MONTHS.indexOf(name.toLowerCase());
  if (month < 0) return undefined;
  if (year !== undefined) return new Date(Date.UTC(Number(year), month, Number(day)));
  const at = (fullYear: number): number => Date.UTC(fullYear, month, Number(day), Number(hours), Number(minutes));
  const thisYear = at(now.getUTCFullYear());
  // clocks and zones differ: up to a day ahead is not a file of last year
  return new Date(thisYear > now.getTime() + DAY_MS ? at(now.getUTCFullYear() - 1) : thisYear);
}
