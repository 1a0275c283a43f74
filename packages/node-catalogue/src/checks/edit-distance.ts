/** Number of letters to insert, delete or change to turn one text into the other. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Names that are compared with a misspelt one. */
const MAX_NAMES = 500;
const MAX_NAME_LENGTH = 100;

/** The name that was probably meant: the one that differs least, if it differs little. Case does not count. */
export function nearestName(name: string, others: readonly string[]): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined;
  const lower = name.toLowerCase();
  const [best] = others
    .slice(0, MAX_NAMES)
    .filter((one) => Math.abs(one.length - name.length) <= 3 && one.length <= MAX_NAME_LENGTH)
    .map((one) => ({ one, distance: editDistance(lower, one.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const limit = name.length < 4 ? 1 : name.length < 8 ? 2 : 3;
  return best !== undefined && best.distance <= limit ? best.one : undefined;
}
