/** Entries per request. */
const PAGE_SIZE = 100;
/** Maximum entries of a list on the page; further ones can be managed through the API. */
const MAX_SHOWN = 1_000;

/** The newest 1,000 entries of a list, of which the page shows all or some. */
export const readShown = async <T>(
  readPage: (page: {
    readonly limit: number;
    readonly cursor: string;
  }) => Promise<{ readonly entries: readonly T[]; readonly nextCursor: string }>,
): Promise<readonly T[]> => {
  const all: T[] = [];
  let cursor = '';
  do {
    const { entries, nextCursor } = await readPage({ limit: PAGE_SIZE, cursor });
    all.push(...entries);
    cursor = nextCursor;
  } while (cursor !== '' && all.length < MAX_SHOWN);
  return all;
};
