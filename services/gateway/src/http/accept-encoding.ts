/** A content coding that the API can send. */
export type Coding = 'br' | 'gzip';

/** Codings by preference, for clients that accept several equally. */
const CODINGS: readonly Coding[] = ['br', 'gzip'];

const MAX_LENGTH = 500;

/** The weight of each named coding; an unreadable weight counts as 0. */
const weightsOf = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header
      .slice(0, MAX_LENGTH)
      .toLowerCase()
      .split(',')
      .map((entry): [string, number] => {
        const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
        const q = parameters.find((part) => part.startsWith('q='));
        const weight = q === undefined ? 1 : Number(q.slice(2));
        return [name, weight >= 0 && weight <= 1 ? weight : 0];
      }),
  );

/** The coding for a response by `Accept-Encoding` (RFC 9110, 12.5.3); undefined: none. */
export const choosesCoding = (header: string | string[] | undefined): Coding | undefined => {
  if (typeof header !== 'string') return undefined;
  const weights = weightsOf(header);
  const others = weights.get('*') ?? 0;
  const weightOf = (coding: string): number => weights.get(coding) ?? others;
  const plain = weights.get('identity') ?? 0;
  const [best] = CODINGS.filter((coding) => weightOf(coding) > 0 && weightOf(coding) >= plain).sort(
    (one, other) => weightOf(other) - weightOf(one),
  );
  return best;
};
