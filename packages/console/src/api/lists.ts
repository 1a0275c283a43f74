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

/** A list that is read page by page. @param limit entries of a page */
export const pagedQuery = <Entry>(
  key: readonly unknown[],
  read: (page: PageQuery, signal: AbortSignal) => Promise<Page<Entry>>,
  limit = PAGE,
) =>
  infiniteQueryOptions({
    queryKey: key,
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) => read({ limit, ...(pageParam === '' ? {} : { cursor: pageParam }) }, signal),
    getNextPageParam: ({ nextCursor }: Page<Entry>) => nextCursor ?? undefined,
  });

/** The parameter that limits a list to a project or user, or makes something belong to it; undefined: absent. */
export const ownedBy = (projectId: string | undefined) => (projectId === undefined ? {} : { projectId });

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
