import type { Json, JsonObject } from '@weft/node-catalogue';
import { field, isJsonObject, listField, textField } from '@weft/node-catalogue';
import { type Item, messageOf, type NodeExecutor, NodeFailure, type NodeResult, output } from '@weft/engine';
import { applyCredential, type CredentialParts, NO_CREDENTIAL } from '../shared/http/authentication/apply-credential';
import { decodeText } from '../shared/http/response/decode-text';
import { exchangeRun } from '../shared/http/authentication/exchange';
import type { RequestContext } from '../shared/http/request-context';
import { parametersOf } from '../shared/http/parameters-of';
import { textOf } from '../shared/http/request/read-fields';
import { contentTypeOf, JSON_ANSWER, readResponse } from '../shared/http/response/read-response';
import { redactor } from '../shared/http/response/redact';
import { RequestFailed, statusFailure } from '../shared/http/request-failed';
import { ResponseBudget } from '../shared/http/response/response-budget';
import { runBatches } from '../shared/http/run-batches';
import { isSuccess, sendRequest } from '../shared/http/request/send-request';
import type { Read } from '../shared/http/settings';
import { parseStrictJson } from '../shared/values/loose-json';
import { readGraphqlCredential, readGraphqlRequest } from './read-graphql';

/** Some services only respond with this header, and none accepts anything but JSON. */
const ACCEPTS_JSON = ['accept', 'application/json'] as const;

/** Makes one GraphQL request for each item. Versions 1 and 1.1. */
export const graphql: NodeExecutor = { kind: 'graphql', actsOutside: true, run: (context) => runGraphql(context) };

/**
 * Makes one GraphQL request for each item and outputs the whole response, linked to the item.
 * @throws NodeFailure for the first item that fails, including a response with `errors`, unless the node continues on
 * failure
 */
export async function runGraphql(context: RequestContext): Promise<NodeResult> {
  const budget = new ResponseBudget();
  const items = await runBatches(
    context.items.length,
    { size: undefined, intervalMs: 0 },
    async (index): Promise<Item> => {
      await context.pause();
      const pairedItem = { item: index };
      try {
        return { json: await answerFor(parametersOf(context, index).read, context, budget, index), pairedItem };
      } catch (thrown) {
        if (!context.continueOnFail || context.signal.aborted) throw thrown;
        return { json: { error: messageOf(thrown) }, pairedItem };
      }
    },
    (ms) => context.ports.clock.sleep(ms, context.signal),
  );
  return output(items);
}

async function answerFor(
  read: Read,
  context: RequestContext,
  budget: ResponseBudget,
  itemIndex: number,
): Promise<JsonObject> {
  const settings = readGraphqlRequest(read, context.version);
  const credential = await credentialOf(read, context);
  const redact = (text: string): string => redactor(credential.secrets())(text);
  const response = await sendRequest(
    context.ports.http,
    settings,
    {
      credential: { ...credential, fallbackHeaders: [...credential.fallbackHeaders, ACCEPTS_JSON] },
      format: 'json',
      item: undefined,
      files: undefined,
      signal: context.signal,
      maxResponseBytes: budget.limit(),
    },
    itemIndex,
  );
  budget.spend(response.body.length);
  const text = decodeText(response.body, contentTypeOf(response));
  const known = parseStrictJson(text);
  // Services report errors in a query in a GraphQL response, whatever its status.
  if (!isSuccess(response) && !isJsonObject(known ?? null))
    throw statusFailure(response, itemIndex, redact, { format: 'json' });
  checkErrors(known ?? null, itemIndex, redact);
  if (read('responseFormat') === 'string')
    return {
      [textOf(read('dataPropertyName') ?? '') || 'data']: settings.body?.kind === 'json' ? (known ?? text) : text,
    };
  const answer = await readResponse(response, JSON_ANSWER, () => context.pause());
  if (answer.kind === 'json' && isJsonObject(answer.body)) return answer.body;
  throw new NodeFailure('The response is not a JSON object, so it is not a GraphQL response.', { itemIndex });
}

async function credentialOf(read: Read, context: RequestContext): Promise<CredentialParts> {
  const type = readGraphqlCredential(read);
  return type === undefined
    ? NO_CREDENTIAL
    : applyCredential(type, await context.credential(type), exchangeRun(context));
}

/** @throws RequestFailed with the messages of the errors in a response */
function checkErrors(answer: Json, itemIndex: number, redact: (text: string) => string): void {
  if ((field(answer, 'errors') ?? null) === null) return;
  const messages = listField(answer, 'errors').map((error) => textField(error, 'message') ?? JSON.stringify(error));
  const message = redact(messages.join(', ')).slice(0, 2_000) || 'The response has errors without a message.';
  throw new RequestFailed(message, { message, name: 'NodeApiError' }, { itemIndex });
}
