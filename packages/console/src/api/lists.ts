import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';

/** A page of any list of the API. */
export interface Page<Entry> {
  readonly data: readonly Entry[];
  readonly nextCursor?: string | null;
}

/** Parameters of the request for a page. */
export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

const PAGE = 50;

/** A list that is read page by page. */
export const pagedQuery = <Entry>(
  key: readonly unknown[],
  read: (page: PageQuery, signal: AbortSignal) => Promise<Page<Entry>>,
) =>
  infiniteQueryOptions({
    queryKey: key,
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      read({ limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) }, signal),
    getNextPageParam: ({ nextCursor }: Page<Entry>) => nextCursor ?? undefined,
  });

/** All entries that were read so far; undefined before the first page. */
export const entriesOf = <Entry>(
  data: { readonly pages: readonly Page<Entry>[] } | undefined,
): readonly Entry[] | undefined => data?.pages.flatMap((page) => page.data);

/** Most entries of a list that is read at once, to choose from. */
const MAX_CHOICES = 1_000;

/** The first 1,000 entries of a list. */
export const readChoices = async <Entry>(
  read: (page: PageQuery) => Promise<Page<Entry>>,
): Promise<readonly Entry[]> => {
  const all: Entry[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...page.data);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && all.length < MAX_CHOICES);
  return all;
};
