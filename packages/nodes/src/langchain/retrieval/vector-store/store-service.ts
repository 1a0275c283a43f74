import { type NodeContext, NodeFailure } from '@weft/engine';
import { field, isJsonObject, type Json, type JsonObject, textField } from '@weft/node-catalogue';
import { RequestFailed } from '../../../shared/http/request-failed';
import { JSON_ANSWER, readResponse } from '../../../shared/http/response/read-response';
import { ResponseBudget } from '../../../shared/http/response/response-budget';
import { requestService, type Service, type ServiceRequest } from '../../vendor/service';

/** Bytes of one response of a store. */
const MAX_RESPONSE = 16 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** A vector database with an API over HTTP. */
export type StoreService = Service & Required<Pick<Service, 'callsModels' | 'timeoutMs'>>;

/** Describes the service. */
export const storeService = (service: Omit<Service, 'callsModels' | 'timeoutMs'>): StoreService => ({
  ...service,
  callsModels: false,
  timeoutMs: TIMEOUT_MS,
});

/** A request to a store. */
export interface StoreRequest extends Pick<ServiceRequest, 'method' | 'path' | 'headers' | 'itemIndex'> {
  /** JSON, or text that is JSON. */
  readonly body?: JsonObject | string;
  /** Message for a response that says that the index, collection or table does not exist. */
  readonly missing: string;
}

/**
 * Sends a request to a store.
 * @returns the JSON of the response; an empty object for a response without content
 * @throws NodeFailure with the message of the service
 */
export async function askStore(
  context: NodeContext,
  service: StoreService,
  { body, missing, ...request }: StoreRequest,
): Promise<Json> {
  const budget = new ResponseBudget(MAX_RESPONSE);
  const settings =
    body === undefined
      ? {}
      : {
          body:
            typeof body === 'string'
              ? ({ kind: 'text', text: body, contentType: 'application/json', isTypeFixed: true } as const)
              : ({ kind: 'json', value: body } as const),
        };
  try {
    const response = await requestService(context, service, { ...request, ...settings, budget }, 'json');
    const answer = await readResponse(response, JSON_ANSWER, () => context.pause());
    return answer.kind === 'json' ? answer.body : {};
  } catch (thrown) {
    throw storeFailure(thrown, missing, request.itemIndex);
  }
}

/** The status of a response that made a request fail; undefined for other failures. */
export function statusOf(thrown: unknown): number | undefined {
  const code = thrown instanceof NodeFailure ? thrown.context?.['httpCode'] : undefined;
  return typeof code === 'string' ? Number(code) : undefined;
}

/** The words of the service come first: they name what is wrong. */
function storeFailure(thrown: unknown, missing: string, itemIndex: number): unknown {
  if (!(thrown instanceof RequestFailed)) return thrown;
  const status = statusOf(thrown);
  if (status === undefined) return thrown;
  const said = sayingOf(thrown.responseBody) ?? thrown.description;
  const details = { itemIndex, cause: thrown, context: { httpCode: String(status) } };
  if (status === 404)
    return new NodeFailure(missing, {
      ...details,
      description: `${said === undefined ? '' : `${said}. `}Check the name, and the address in the credential.`,
    });
  if (status === 401 || status === 403)
    return new NodeFailure(thrown.message, {
      ...details,
      description: `${said === undefined ? '' : `${said}. `}Check the key in the credential.`,
    });
  if (said === undefined) return thrown;
  return new NodeFailure(said, { ...details, ...hintOf(said) });
}

const hintOf = (said: string): { readonly description?: string } =>
  /dimension/i.test(said)
    ? { description: 'Use the embedding model with which the documents of the store were embedded.' }
    : {};

/** The message of a service, at the places where vector databases have it. */
function sayingOf(body: Json | undefined): string | undefined {
  if (body === undefined || !isJsonObject(body)) return undefined;
  const error = field(body, 'error');
  const [first] = Array.isArray(error) ? error : [error];
  const places = [field(field(body, 'status'), 'error'), field(first, 'message'), first, field(body, 'message')];
  const found = places.find((one) => typeof one === 'string' && one.trim() !== '');
  const details = textField(body, 'details');
  return typeof found === 'string' ? [found.trim(), details].filter(Boolean).join('. ').slice(0, 1_000) : undefined;
}

/** The objects of a list. */
export const objectsIn = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
