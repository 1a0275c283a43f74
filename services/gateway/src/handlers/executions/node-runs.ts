import type { ReadItemsRequest } from '@weft/proto/executions';
import type { Principal } from '@weft/service-kit/auth';
import { ServiceError } from '@weft/service-kit/errors';
import type { Clients } from '../../clients';
import { furtherMembers, quote } from '../../http/json-text';
import { numberParameter, type Query, type QueryParameter, wholeParameter } from '../../http/read-query';
import { dataAnswer } from '../../middleware/responses/write-answer';
import {
  ANY_OBJECT,
  BOOLEAN,
  component,
  COUNT,
  described,
  listOf,
  record,
  type Schema,
  TEXT,
} from '../../openapi/schema';
import { RUN_RECORD_FIELDS } from '../../openapi/run-data-schemas';
import type { ApiHandler } from '../api-handler';

/** Schema of a node run. The other members of its record are returned as they are stored. */
export const NODE_RUN: Schema = component('NodeRun', {
  ...record(
    {
      node: TEXT,
      run: described('Number of earlier runs of the node.', COUNT),
      executionIndex: described('Position in the order of all node runs.', COUNT),
      failed: BOOLEAN,
      bytes: described('Size of the record with its items.', COUNT),
      items: described('Number of items of each output.', listOf(COUNT)),
    },
    RUN_RECORD_FIELDS,
  ),
  additionalProperties: true,
});

/** Body of a page of items. */
export const ITEMS_BODY: Schema = record({
  data: described(
    'Items; one that is too long is `{"truncated": true, "bytes", "text"}` with the beginning of its JSON.',
    listOf(ANY_OBJECT),
  ),
  total: described('Number of items of the output.', COUNT),
});

const OUTPUT = wholeParameter('output', 0, 999, 'Number of the output, from 0.', 0);
const OFFSET = wholeParameter('offset', 0, 2_000_000_000, 'Items to skip.', 0);
const LIMIT = numberParameter('limit', 100, 'Number of items.', 50);
const MAX_ITEM_BYTES = wholeParameter('maxItemBytes', 1_024, 1_048_576, 'Longer items are truncated.', 262_144);

/** Query parameters of a page of items. */
export const ITEMS_QUERY: readonly QueryParameter<unknown>[] = [OUTPUT, OFFSET, LIMIT, MAX_ITEM_BYTES];

const readItemsQuery = (query: Query) => ({
  output: OUTPUT.read(query) ?? 0,
  offset: OFFSET.read(query) ?? 0,
  limit: LIMIT.read(query) ?? 0,
  maxItemBytes: MAX_ITEM_BYTES.read(query) ?? 0,
});

/** The position in a path. @throws NODE_RUN_NOT_FOUND for anything else */
const readIndex = (executionId: string, ref: string): number => {
  if (/^\d{1,9}$/.test(ref)) return Number(ref);
  const shown = ref.slice(0, 100);
  throw new ServiceError({
    reason: 'NODE_RUN_NOT_FOUND',
    kind: 'not-found',
    message: `A node run is named by its executionIndex, a number from 0, not by ${JSON.stringify(shown)}.`,
    details: { executionId, executionIndex: shown },
  });
};

/** GET /executions/:id/node-runs/:executionIndex, an addition: the record of one node run, without its items. */
export const getNodeRun: ApiHandler = async ({ id, ref, principal }, { executions }) => {
  const found = await executions.calls.getNodeRun(
    { executionId: id, executionIndex: readIndex(id, ref) },
    { principal },
  );
  const { node, run, executionIndex, failed, bytes, outputItems, recordJson } = found;
  return dataAnswer(
    `{"node":${quote(node)},"run":${run},"executionIndex":${executionIndex},"failed":${failed},"bytes":${bytes},` +
      `"items":${JSON.stringify(outputItems)}${furtherMembers(recordJson.toString('utf8'))}}`,
  );
};

/** The page as parts of JSON text. Yields nothing before the service has begun to respond. */
const itemParts = async function* (
  request: ReadItemsRequest,
  principal: Principal,
  { executions }: Clients,
): AsyncGenerator<string | Uint8Array> {
  let before = '{"data":';
  for await (const { jsonPart, total } of executions.calls.readItems(request, { principal, deadlineMs: 30_000 })) {
    if (before !== '') yield before;
    before = '';
    yield jsonPart;
    if (total !== undefined) yield `,"total":${total}}`;
  }
};

/** GET /executions/:id/node-runs/:executionIndex/items, an addition: a page of the items of one output. */
export const listItems: ApiHandler = async ({ id, ref, query, principal }, clients) => {
  const request = { executionId: id, executionIndex: readIndex(id, ref), ...readItemsQuery(query) };
  return Promise.resolve({ status: 200, parts: itemParts(request, principal, clients) });
};
