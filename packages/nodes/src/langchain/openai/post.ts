import { type NodeContext, NodeFailure } from '@weft/engine';
import { isJsonObject, type JsonObject, textField } from '@weft/node-catalogue';
import { applyCredential } from '../../shared/http/authentication/apply-credential';
import { exchangeRun } from '../../shared/http/authentication/exchange';
import { isSuccess, sendRequest } from '../../shared/http/request/send-request';
import { statusFailure } from '../../shared/http/request-failed';
import { JSON_ANSWER, readResponse } from '../../shared/http/response/read-response';
import { redactor } from '../../shared/http/response/redact';
import type { ResponseBudget } from '../../shared/http/response/response-budget';
import type { BodySettings } from '../../shared/http/settings';
import { allowedHostsOfModel } from '../models/model-credential';
import { CREDENTIAL } from './model';

const ADDRESS = 'https://api.openai.com/v1';
/** For one request, as for a call of a model. */
const TIMEOUT_MS = 300_000;

/** A request to the service for one item. */
export interface Post {
  /** After the address of the credential. */
  readonly path: string;
  readonly body: BodySettings;
  readonly itemIndex: number;
  readonly budget: ResponseBudget;
}

/**
 * Posts to the service, and returns the bytes of its response. The request counts as a call of a model. The key goes
 * to the host of the credential, or to those that it allows.
 * @throws NodeFailure with the message of the service
 */
export async function postForBytes(context: NodeContext, post: Post): Promise<Uint8Array> {
  return (await send(context, post, 'file')).body;
}

/** The same for a response that is a JSON object. @throws NodeFailure for any other response */
export async function postForJson(context: NodeContext, post: Post): Promise<JsonObject> {
  const answer = await readResponse(await send(context, post, 'json'), JSON_ANSWER, () => context.pause());
  if (answer.kind === 'json' && isJsonObject(answer.body)) return answer.body;
  throw new NodeFailure('The response of the service is not a JSON object. Check the base URL of the credential.', {
    itemIndex: post.itemIndex,
  });
}

async function send(context: NodeContext, { path, body, itemIndex, budget }: Post, format: 'json' | 'file') {
  const data = await context.credential(CREDENTIAL);
  const address = textField(data, 'url')?.trim() || ADDRESS;
  if (!URL.canParse(address))
    throw new NodeFailure('The credential has no valid address in "url". Write it in full.', { itemIndex });
  const applied = applyCredential(CREDENTIAL, data, exchangeRun(context));
  const credential = { ...applied, allowedHosts: allowedHostsOfModel(data) ?? [new URL(address).host] };
  context.countModelCall(0);
  const response = await sendRequest(
    context.ports.http,
    {
      method: 'POST',
      url: `${address.replace(/\/$/, '')}${path}`,
      query: [],
      listStyle: 'repeat',
      headers: [],
      body,
      timeoutMs: TIMEOUT_MS,
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
