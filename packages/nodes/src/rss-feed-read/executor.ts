import type { Json } from '@weft/node-catalogue';
import { type Item, messageOf, type NodeExecutor, NodeFailure, type NodeResult, output } from '@weft/engine';
import { type FormatContext, runFormatTask } from '../shared/file-formats/run-format-task';
import { NO_CREDENTIAL } from '../http-request/apply-credential';
import { decodeText } from '../http-request/decode-text';
import type { HttpRequestContext } from '../http-request/http-request-context';
import { parametersOf } from '../http-request/parameters-of';
import { textOf } from '../http-request/read-fields';
import { contentTypeOf } from '../http-request/read-response';
import { checkedUrl } from '../http-request/read-settings';
import { statusFailure } from '../http-request/request-failed';
import { runBatches } from '../http-request/run-batches';
import { isSuccess, sendRequest } from '../http-request/send-request';
import type { Read } from '../http-request/settings';

const TIMEOUT_MS = 60_000;
/** Feeds are text that a parser takes apart, so their limit is smaller than that of other responses. */
const MAX_FEED_BYTES = 4 * 1024 * 1024;
const ACCEPT =
  'application/rss+xml, application/atom+xml, application/rdf+xml;q=0.9, application/xml;q=0.8, ' +
  'text/xml;q=0.8, */*;q=0.5';

/** Reads the entries of feeds: version 1 of one feed, later versions of one for each item. Versions 1 to 1.2. */
export const rssFeedRead: NodeExecutor = {
  kind: 'rssFeedRead',
  actsOutside: true,
  run: (context) => runRssFeedRead(context),
};

/** The part of a node run that feeds need. */
export type FeedContext = HttpRequestContext & FormatContext;

/**
 * Reads feeds and outputs an item for each entry.
 * @throws NodeFailure for the first feed that fails, unless the node continues after failures.
 */
export async function runRssFeedRead(context: FeedContext): Promise<NodeResult> {
  const isOne = context.version < 1.1;
  const count = isOne ? Math.min(context.items.length, 1) : context.items.length;
  const pairing = (index: number): Item['pairedItem'] =>
    isOne ? context.items.map((_item, item) => ({ item })) : { item: index };
  const results = await runBatches(
    count,
    { size: undefined, intervalMs: 0 },
    async (index): Promise<Item[]> => {
      await context.pause();
      const pairedItem = pairing(index);
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

async function entriesFor(read: Read, context: FeedContext, itemIndex: number): Promise<readonly Item['json'][]> {
  const response = await sendRequest(
    context.ports.http,
    {
      method: 'GET',
      url: checkedUrl(read('url')),
      query: [],
      listStyle: 'repeat',
      headers: [['accept', ACCEPT]],
      timeoutMs: TIMEOUT_MS,
      followRedirects: true,
      maxRedirects: 5,
      allowUnauthorizedCerts: read('options.ignoreSSL') === true,
    },
    {
      credential: NO_CREDENTIAL,
      format: 'text',
      item: undefined,
      files: undefined,
      idempotencyKey: '',
      signal: context.signal,
      maxResponseBytes: MAX_FEED_BYTES,
    },
    itemIndex,
  );
  if (!isSuccess(response)) throw statusFailure(response, itemIndex, (text) => text);
  const text = decodeText(response.body, contentTypeOf(response) || 'application/xml');
  try {
    const customFields = context.version < 1.2 ? [] : namesIn(read('options.customFields'));
    return await runFormatTask(context, 'readFeed', { text, customFields });
  } catch (cause) {
    throw new NodeFailure(`The feed cannot be read: ${messageOf(cause).slice(0, 300)}`, { itemIndex, cause });
  }
}

function namesIn(stated: Json | undefined): string[] {
  return textOf(stated ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
