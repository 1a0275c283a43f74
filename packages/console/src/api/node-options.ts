import type { NodeOption } from '@weft/client';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { JsonObject } from '@weft/node-catalogue/definitions';
import { weft } from './client';

/** The list that a service has for a node. */
export interface OptionsSource {
  /** Kind of the node. */
  readonly kind: string;
  readonly version: number;
  readonly list: string;
  /** Parameters of the node, on which the list may depend. */
  readonly parameters: JsonObject;
  /** Undefined for a kind without credentials. */
  readonly credentialId: string | undefined;
}

/** An option of a parameter. */
export interface ServiceOption {
  readonly label: string;
  readonly value: string | number | boolean;
}

/** A list is read up to this number of pages; further options are found by searching. */
const MAX_PAGES = 10;
/** A list that is opened again within this time is not requested again: a user may send 20 requests a minute. */
const FRESH_MS = 60_000;
/** Maximum number of characters of a search, as the API has it. */
export const MAX_SEARCH = 200;

const isOption = (option: NodeOption): option is ServiceOption =>
  ['string', 'number', 'boolean'].includes(typeof option.value);

/** Options from a service, page by page. Each request is cancelled when nothing shows its answer any more. */
export const nodeOptionsQuery = ({ kind, credentialId, ...source }: OptionsSource, search: string) =>
  infiniteQueryOptions({
    queryKey: ['node-options', kind, credentialId, source, search],
    staleTime: FRESH_MS,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    placeholderData: keepPreviousData,
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const { data, nextCursor } = await weft.call('listNodeOptions', {
        path: { id: kind },
        body: {
          ...source,
          ...(credentialId === undefined ? {} : { credentialId }),
          ...(search === '' ? {} : { search }),
          ...(pageParam === '' ? {} : { cursor: pageParam }),
        },
        signal,
      });
      return { options: data.filter(isOption), nextCursor };
    },
    getNextPageParam: ({ nextCursor }, pages) => (pages.length < MAX_PAGES ? (nextCursor ?? undefined) : undefined),
  });
