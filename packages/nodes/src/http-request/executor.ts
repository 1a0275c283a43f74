import type { JsonObject } from '@weft/node-catalogue';
import { type FileStore, type Item, messageOf, type NodeExecutor, type NodeResult, output } from '@weft/engine';
import type { RequestContext } from '../shared/http/request-context';
import { asNewest } from './older-versions';
import { parametersOf } from '../shared/http/parameters-of';
import { readBatches } from './read-settings';
import { requestForItem, type RunShared } from './request-for-item';
import { RequestFailed } from '../shared/http/request-failed';
import { ResponseBudget } from '../shared/http/response/response-budget';
import { runBatches } from '../shared/http/run-batches';
import type { Parameters } from '../shared/http/settings';

/** Makes one request for each item. Versions 1 to 4.5. */
export const httpRequest: NodeExecutor = {
  kind: 'httpRequest',
  actsOutside: true,
  run: (context) => runHttpRequest(context, context.ports.files),
};

/**
 * Makes one request for each item and outputs the responses, linked to the items. Without `files`, it rejects requests
 * and responses that are files.
 * @throws NodeFailure for the first item that fails, unless the node continues on failure: an item with `error` then
 * replaces the failed one
 */
export async function runHttpRequest(context: RequestContext, files: FileStore | undefined): Promise<NodeResult> {
  if (context.items.length === 0) return output([]);
  const shared: RunShared = { files, budget: new ResponseBudget(), credentials: new Map() };
  const sleep = (ms: number): Promise<void> => context.ports.clock.sleep(ms, context.signal);
  const batches = readBatches(newest(context, 0).read);
  const results = await runBatches(
    context.items.length,
    batches,
    async (index): Promise<readonly Item[]> => {
      await context.pause();
      try {
        return await requestForItem(newest(context, index), context, shared, index);
      } catch (thrown) {
        if (!context.continueOnFail || context.signal.aborted) throw thrown;
        return [{ json: errorJson(thrown, context.version), pairedItem: { item: index } }];
      }
    },
    sleep,
  );
  return output(results.flat());
}

function newest(context: RequestContext, itemIndex: number): Parameters {
  const { read, isSet } = parametersOf(context, itemIndex);
  return { read: asNewest(context.version, read), isSet: (path) => context.version >= 3 && isSet(path) };
}

/** A failed request includes all its details, any other failure only its message. */
function errorJson(thrown: unknown, version: number): JsonObject {
  if (!(thrown instanceof RequestFailed)) return { error: messageOf(thrown) };
  return { error: thrown.itemError, ...(version < 4.5 ? {} : { details: thrown.itemDetails }) };
}
