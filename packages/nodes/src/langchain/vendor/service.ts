import { type NodeContext, NodeFailure } from '@weft/engine';
import { isJsonObject, type JsonObject, textField } from '@weft/node-catalogue';
import { headersOf } from '@weft/models';
import type { OutboundResponse } from '@weft/outbound';
import {
  applyCredential,
  type CredentialParts,
  NO_CREDENTIAL,
} from '../../shared/http/authentication/apply-credential';
import { exchangeRun } from '../../shared/http/authentication/exchange';
import { isSuccess, sendRequest } from '../../shared/http/request/send-request';
import { statusFailure } from '../../shared/http/request-failed';
import { JSON_ANSWER, readResponse } from '../../shared/http/response/read-response';
import { redactor } from '../../shared/http/response/redact';
import type { ResponseBudget } from '../../shared/http/response/response-budget';
import type { BodySettings, RequestSettings, ResponseSettings } from '../../shared/http/settings';
import { allowedHostsOfModel } from '../models/model-credential';

/** Milliseconds for one request, as for a call of a model. */
const TIMEOUT_MS = 300_000;

/** A service that a node sends requests to, with a credential. */
export interface Service {
  readonly credentialType: string;
  /** Field of the credential with the address of the service. */
  readonly addressField: string;
  /** The address if the credential has none. */
  readonly address: string;
  /** Makes the address of the fields of a credential, for services with several fields. */
  readonly readAddress?: (credential: JsonObject) => string | undefined;
  /** Further host patterns that get the credential; none if absent. */
  readonly hosts?: readonly string[];
  /** False if its requests are not calls of a model. True if absent. */
  readonly callsModels?: false;
  /** Milliseconds for one request, 300,000 if absent. */
  readonly timeoutMs?: number;
  /** Headers of each request. */
  readonly headers?: RequestSettings['headers'];
}

/** A request for one item. */
export interface ServiceRequest {
  /** `POST` if absent. */
  readonly method?: 'DELETE' | 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** After the address of the credential; or a whole address, which the credential must allow. */
  readonly path: string;
  /** Fields of the query. */
  readonly query?: RequestSettings['query'];
  readonly headers?: RequestSettings['headers'];
  readonly body?: BodySettings;
  readonly itemIndex: number;
  readonly budget: ResponseBudget;
}

/**
 * Sends a request to the service with the credential. A `POST` to a service of models counts as a call. The key goes to
 * the host of the credential and those of the service, or to those that the credential allows.
 * @throws NodeFailure with the message of the service
 */
export async function requestService(
  context: NodeContext,
  service: Service,
  request: ServiceRequest,
  format: ResponseSettings['format'] = 'file',
): Promise<OutboundResponse> {
  const data = await context.credential(service.credentialType);
  const address = addressOf(service, data, request.itemIndex);
  const applied = applyCredential(service.credentialType, data, exchangeRun(context));
  const own = [new URL(address).host, ...(service.hosts ?? [])];
  const credential = {
    ...applied,
    headers: [...applied.headers, ...headersOf(data)],
    allowedHosts: allowedHostsOfModel(data) ?? own,
  };
  if ((request.method ?? 'POST') === 'POST' && service.callsModels !== false) await context.countModelCall();
  const url = /^https?:\/\//i.test(request.path) ? request.path : `${address}${request.path}`;
  const headers = [...(service.headers ?? []), ...(request.headers ?? [])];
  return exchange(context, { ...request, path: url, headers }, credential, format, service.timeoutMs);
}

/** The same for a response that is a JSON object. @throws NodeFailure for any other response */
export async function requestJson(
  context: NodeContext,
  service: Service,
  request: ServiceRequest,
): Promise<JsonObject> {
  return jsonOf(context, await requestService(context, service, request, 'json'), request.itemIndex);
}

/** Sends a request without a credential to an address. @throws NodeFailure */
export function requestAddress(context: NodeContext, request: ServiceRequest): Promise<OutboundResponse> {
  return exchange(context, request, NO_CREDENTIAL, 'file');
}

/** The JSON object of a response. @throws NodeFailure for anything else */
export async function jsonOf(context: NodeContext, response: OutboundResponse, itemIndex: number): Promise<JsonObject> {
  const answer = await readResponse(response, JSON_ANSWER, () => context.pause());
  if (answer.kind === 'json' && isJsonObject(answer.body)) return answer.body;
  throw new NodeFailure('The response of the service is not a JSON object. Check the address in the credential.', {
    itemIndex,
  });
}

/** The address of the service, without a slash at its end. @throws NodeFailure */
export function addressOf(
  { addressField, address, readAddress }: Service,
  credential: JsonObject,
  itemIndex: number,
): string {
  const found = readAddress?.(credential) ?? (textField(credential, addressField)?.trim() || address);
  if (!/^https?:\/\//i.test(found) || !URL.canParse(found))
    throw new NodeFailure(`The credential has no valid address in "${addressField}". Write it in full.`, { itemIndex });
  return found.replace(/\/$/, '');
}

async function exchange(
  context: NodeContext,
  { method = 'POST', path, query = [], headers = [], body, itemIndex, budget }: ServiceRequest,
  credential: CredentialParts,
  format: ResponseSettings['format'],
  timeoutMs = TIMEOUT_MS,
): Promise<OutboundResponse> {
  const response = await sendRequest(
    context.ports.http,
    {
      method,
      url: path,
      query,
      listStyle: 'repeat',
      headers,
      ...(body === undefined ? {} : { body }),
      timeoutMs,
      followRedirects: true,
      maxRedirects: 5,
      allowUnauthorizedCerts: false,
    },
    {
      credential,
      format,
      item: context.items[itemIndex],
      files: context.ports.files,
      signal: context.signal,
      maxResponseBytes: budget.limit(),
    },
    itemIndex,
  );
  budget.spend(response.body.length);
  if (!isSuccess(response))
    throw statusFailure(response, itemIndex, redactor(credential.secrets()), { format: 'json' });
  return response;
}
