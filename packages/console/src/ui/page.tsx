import { type ReactNode, useEffect } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { At } from './values/time';
import { Icon } from './icon';

/** Shows the title of a page in the window as well. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Weft`;
  }, [title]);
};

/** The head of a page, with its title in the window as well. */
export const PageHead = ({ title, children }: { title: string; children?: ReactNode }) => {
  useTitle(title);
  return (
    <header className="top">
      <h1>{title}</h1>
      {children}
    </header>
  );
};

/** Reads the next page of a list; nothing on the last one. */
export const LoadMore = ({
  list: { hasNextPage, isFetchingNextPage, fetchNextPage },
}: {
  list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}) =>
  hasNextPage && (
    <button type="button" className="btn" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {isFetchingNextPage ? 'Loading …' : 'Load more'}
    </button>
  );

/** Says that what is shown is old because the server cannot be reached. */
export const Stale = ({
  query: { isError, dataUpdatedAt, isRefetchError },
}: {
  query: Pick<UseQueryResult, 'isError' | 'dataUpdatedAt' | 'isRefetchError'>;
}) =>
  (isRefetchError || isError) && dataUpdatedAt > 0 ? (
    <span className="st waiting" role="status">
      <Icon name="offline" />
      Not updated since <At at={new Date(dataUpdatedAt).toISOString()} />
    </span>
  ) : null;
