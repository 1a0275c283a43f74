import type { Json } from '@weft/node-catalogue';
import { type Item, messageOf, type NodeExecutor, type NodeResult, output } from '@weft/engine';
import type { FormatContext } from '../shared/file-formats/run-format-task';
import type { RequestContext } from '../shared/http/request-context';
import { parametersOf } from '../shared/http/parameters-of';
import { textOf } from '../shared/http/request/read-fields';
import { runBatches } from '../shared/http/run-batches';
import type { Read } from '../shared/http/settings';
import { fetchFeed } from './fetch-feed';

/** Reads the entries of feeds: version 1 of one feed, later versions of one per item. Versions 1 to 1.2. */
export const rssFeedRead: NodeExecutor = {
  kind: 'rssFeedRead',
  actsOutside: true,
  run: (context) => runRssFeedRead(context),
};

/** The part of a node run that feeds need. */
export type FeedContext = RequestContext & FormatContext;

/**
 * Reads feeds and outputs an item for each entry.
 * @throws NodeFailure for the first feed that fails, unless the node continues on failure
 */
export async function runRssFeedRead(context: FeedContext): Promise<NodeResult> {
  const isOne = context.version < 1.1;
  const count = isOne ? Math.min(context.items.length, 1) : context.items.length;
  const linkTo = (index: number): Item['pairedItem'] =>
    isOne ? context.items.map((_item, item) => ({ item })) : { item: index };
  const results = await runBatches(
    count,
    { size: undefined, intervalMs: 0 },
    async (index): Promise<Item[]> => {
      await context.pause();
      const pairedItem = linkTo(index);
      const paired = pairedItem === undefined ? {} : { pairedItem };
      try {
        return (await entriesFor(parametersOf(context, index).read, context, index)).map((json) => ({
          json,
          ...paired,
        }));
      } catch (thrown) {
        if (!context.continueOnFail || context.signal.aborted) throw thrown;
        return [{ json: { error: messageOf(thrown) }, ...paired }];
      }
    },
    (ms) => context.ports.clock.sleep(ms, context.signal),
  );
  return output(results.flat());
}

function entriesFor(read: Read, context: FeedContext, itemIndex: number): Promise<readonly Item['json'][]> {
  return fetchFeed(
    context,
    {
      url: read('url'),
      allowUnauthorizedCerts: read('options.ignoreSSL') === true,
      customFields: namesIn(read('options.customFields')),
    },
    itemIndex,
  );
}

function namesIn(given: Json | undefined): string[] {
  return textOf(given ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
