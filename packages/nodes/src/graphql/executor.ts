import type { Json, JsonObject } from '@weft/node-catalogue';
import { field, isJsonObject, listField, textField } from '@weft/node-catalogue';
import { type Item, messageOf, type NodeExecutor, NodeFailure, type NodeResult, output } from '@weft/engine';
import { applyCredential, type CredentialParts, NO_CREDENTIAL } from '../http-request/authentication/apply-credential';
import { decodeText } from '../http-request/response/decode-text';
import { exchangeRun } from '../http-request/authentication/exchange';
import type { HttpRequestContext } from '../http-request/http-request-context';
import { parametersOf } from '../http-request/parameters-of';
import { textOf } from '../http-request/request/read-fields';
import { contentTypeOf, JSON_ANSWER, readResponse } from '../http-request/response/read-response';
import { redactor } from '../http-request/response/redact';
import { RequestFailed, statusFailure } from '../http-request/request-failed';
import { ResponseBudget } from '../http-request/response/response-budget';
import { runBatches } from '../http-request/run-batches';
import { isSuccess, sendRequest } from '../http-request/request/send-request';
import type { Read } from '../http-request/settings';
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
export async function runGraphql(context: HttpRequestContext): Promise<NodeResult> {
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
  context: HttpRequestContext,
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

async function credentialOf(read: Read, context: HttpRequestContext): Promise<CredentialParts> {
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
