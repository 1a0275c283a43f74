import { type Item, type NodeContext, type NodeExecutor } from '@weft/engine';
import type { JsonObject } from '@weft/node-catalogue';
import { fetchFeed } from '../rss-feed-read/fetch-feed';
import { poll } from '../shared/polling/poll';
import { newEntries, newestFirst } from './new-entries';

/** Outputs the entries of a feed that no earlier run has output. Version 1. */
export const rssFeedReadTrigger: NodeExecutor = {
  kind: 'rssFeedReadTrigger',
  actsOutside: true,
  run: (context) =>
    poll(context, {
      ask: async ({ state }, commit) => {
        const url = String(context.parameter('feedUrl', 0) ?? '');
        const { events, next } = newEntries(await entriesOf(context, url), state, url, context.ports.clock.now());
        await commit({ hasEvents: events.length > 0, next });
        return itemsOf(events);
      },
      preview: async () => {
        const url = String(context.parameter('feedUrl', 0) ?? '');
        return itemsOf(newestFirst(await entriesOf(context, url)).slice(0, 1));
      },
    }),
};

const entriesOf = (context: NodeContext, url: string): Promise<readonly JsonObject[]> =>
  fetchFeed(context, { url, allowUnauthorizedCerts: false, customFields: [] }, 0);

const itemsOf = (entries: readonly JsonObject[]): Item[] => entries.map((json) => ({ json }));
