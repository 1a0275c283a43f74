import { type ReactNode, useEffect } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { At } from './time';
import { Icon } from './icon';

/** The head of a page, with its title in the window as well. */
export const PageHead = ({ title, children }: { title: string; children?: ReactNode }) => {
  useEffect(() => {
    document.title = `${title} · Weft`;
  }, [title]);
  return (
    <header className="top">
      <h1>{title}</h1>
      {children}
    </header>
  );
};

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
