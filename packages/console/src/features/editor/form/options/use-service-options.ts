import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { nodeOptionsQuery, type OptionsSource, type ServiceOption } from '../../../../api/node-options';
import { noteLabels } from './known-labels';

/** Pause after a key before a search is sent. */
const DEBOUNCE_MS = 300;

const useDebounced = (text: string): string => {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => settle(text), text === '' ? 0 : DEBOUNCE_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  return settled;
};

/** True if the label or the value of an option contains the text. */
export const matchesText = ({ label, value }: ServiceOption, text: string): boolean =>
  `${label} ${String(value)}`.toLowerCase().includes(text.toLowerCase());

/** Options of a service as far as they were read. */
export interface ServiceOptions {
  /**
   * Those that contain the text come first: not every list is searched by its service. While options for what was typed
   * are missing, the others are left out.
   */
  readonly options: readonly ServiceOption[];
  readonly error: unknown;
  /** True while options for what was typed are missing. */
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
}

const NO_SOURCE: OptionsSource = { kind: '', version: 1, list: '', parameters: {}, credentialId: undefined };

/** Searches a list of a service while the user types. @param source undefined: there is no list */
export const useServiceOptions = (source: OptionsSource | undefined, text: string): ServiceOptions => {
  const wanted = text.trim();
  const search = useDebounced(wanted);
  const query = useInfiniteQuery({
    ...nodeOptionsQuery(source ?? NO_SOURCE, search),
    enabled: source !== undefined,
  });
  const { data, isFetching, isPlaceholderData, isError, error, hasNextPage, refetch, fetchNextPage } = query;
  const list = source?.list;
  const read = useMemo(() => data?.pages.flatMap(({ options }) => options) ?? [], [data]);
  useEffect(() => {
    if (list !== undefined) noteLabels(list, read);
  }, [list, read]);
  const all = isError || source === undefined ? [] : read;
  const matching = all.filter((option) => matchesText(option, wanted));
  const isMissing = isPlaceholderData || search !== wanted;
  return {
    options: isMissing ? matching : [...matching, ...all.filter((option) => !matching.includes(option))],
    error: isError && !isFetching ? error : undefined,
    isLoading: source !== undefined && (isFetching || isMissing),
    hasMore: hasNextPage && !isError,
    loadMore: () => {
      if (hasNextPage && !isFetching) void fetchNextPage();
    },
    retry: () => void refetch(),
  };
};
