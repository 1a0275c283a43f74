import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@weft/service-kit/logging';
import { API_VERSION } from '../domain/objects';
import { ApiError, type ApiClient } from './api-client';

/** The part of an object that the loop reads. */
interface Versioned {
  readonly metadata: { readonly resourceVersion: string };
}

interface Page<Item> {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly Item[];
}

interface WatchEvent<Item> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Item;
}

export interface ListAndWatchOptions<Item> {
  readonly client: ApiClient;
  readonly logger: Logger;
  /** Plural of the kind, such as `weftworkflows`. */
  readonly plural: string;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  /** Reduces an object to what is kept, while a page is in memory. */
  readonly reduce: (item: Item) => Item;
  /** All objects, after each list. */
  readonly onList: (items: readonly Item[], namespace: string | undefined) => void;
  readonly onChange: (item: Item) => void;
  readonly onDelete: (item: Item) => void;
  /** Milliseconds before the next list; doubles with each failure, up to 30 s. Default: 1,000. */
  readonly pauseMs?: number;
}

export interface ListAndWatch {
  /** True after the first list. */
  readonly hasListed: () => boolean;
  readonly stop: () => Promise<void>;
}

const PAGE = 50;
/** After this, everything is listed again, so that nothing depends on a single event. */
const RELIST_S = 600;
/** The server sends a bookmark every minute: longer silence means that the connection is dead. */
const SILENCE_MS = 90_000;
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/**
 * Lists objects, watches them, and lists again: after ten minutes, after an error such as 410, after a lost connection
 * and after 90 s of silence. Events only say that an object may have changed.
 */
export const listAndWatch = <Item extends Versioned>(options: ListAndWatchOptions<Item>): ListAndWatch => {
  const { client, logger, plural, namespace, reduce, onList, onChange, onDelete } = options;
  const { pauseMs = MIN_PAUSE_MS } = options;
  const path = `/apis/${API_VERSION}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${plural}`;
  const stopping = new AbortController();
  const { signal } = stopping;
  let hasListed = false;

  const list = async (): Promise<string> => {
    const items: Item[] = [];
    for (let next = ''; ;) {
      const query = `limit=${PAGE}${next === '' ? '' : `&continue=${encodeURIComponent(next)}`}`;
      const page = await client.send<Page<Item>>({ method: 'GET', path: `${path}?${query}` });
      items.push(...page.items.map(reduce));
      next = page.metadata.continue ?? '';
      if (next !== '') continue;
      onList(items, namespace);
      hasListed = true;
      return page.metadata.resourceVersion;
    }
  };

  const watch = async (from: string): Promise<void> => {
    const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=${RELIST_S}&resourceVersion=${from}`;
    await client.stream(`${path}?${query}`, { silenceMs: SILENCE_MS, signal }, (value) => {
      // The API server is trusted, and the schema of its objects is ours.
      const { type, object } = value as WatchEvent<Item>;
      if (type === 'ADDED' || type === 'MODIFIED') onChange(reduce(object));
      else if (type === 'DELETED') onDelete(object);
      else if (type === 'ERROR') throw new ApiError(410, `The watch of ${path} ended: ${JSON.stringify(object)}`);
    });
  };

  const run = async (): Promise<void> => {
    let failures = 0;
    while (!signal.aborted) {
      try {
        const from = await list();
        failures = 0;
        await watch(from);
      } catch (err) {
        if (signal.aborted) return;
        logger.warn({ err, path }, 'the watch of the API server ended; everything is listed again');
        failures += 1;
      }
      const ms = Math.min(MAX_PAUSE_MS, pauseMs * 2 ** Math.min(failures, 10));
      await pause(ms, undefined, { signal }).catch(() => undefined);
    }
  };

  const running = run();
  return {
    hasListed: () => hasListed,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
