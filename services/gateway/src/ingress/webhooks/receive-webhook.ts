import type { HookRules, WebhookSettings } from '@weft/proto/channels';
import type { ResolvedWebhook } from '@weft/proto/workflows';
import { InternalError, type ServiceError } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { WebhookNotFound } from '../../errors';
import { noteIntent } from '../../clients/send-start';
import { readIdempotencyKey } from '../../http/idempotency-key';
import { ingressOrigin } from '../../middleware/client-origin';
import { writeError } from '../../middleware/responses/error-response';
import { contentDigest, type ContentHashes, createStoreFile } from '../../uploads/store-file';
import { type IngressOptions, openIngress } from '../open-ingress';
import { keyOfCaller } from './caller-key';
import { writeChatPage } from '../chat/chat-page';
import { checkCaller, isGuarded, recordSigned, type SignedBody } from './check-caller';
import { allowOrigin, answerPreflight } from './cross-origin';
import { type EventKey, eventKeyOf } from './event-key';
import { answerAddressCheck, answerChallenge, isAddressCheck, isChallenge } from './handshakes';
import { isStreamed, startFromWebhook } from './start-from-webhook';
import { readWebhookBody } from './webhook-body';
import { webhookItems } from './webhook-item';
import { guardWebhookAnswer } from './write-webhook-answer';

const ROOT = '/webhook/';

/** The address of a request, below the root of its ingress. */
export interface Address {
  /** As in the request. */
  readonly raw: string;
  readonly path: string;
  readonly query: string;
}

/** @throws the error that `notFound` returns for a path that cannot be decoded */
export const addressOf = (
  request: IncomingMessage,
  root: string,
  notFound: (method: string, path: string) => ServiceError,
): Address => {
  const [raw = '', ...query] = (request.url ?? '').slice(root.length).split('?');
  try {
    return { raw, path: decodeURIComponent(raw), query: query.join('?') };
  } catch {
    throw notFound(request.method ?? 'GET', raw);
  }
};

/** True for a request by which a browser asks whether it may call a webhook. */
export const isPreflight = (request: IncomingMessage): boolean => request.method === 'OPTIONS';

/** The method of a call, or of the one that a preflight asks for. */
export const calledMethod = (request: IncomingMessage): string =>
  isPreflight(request) ? (request.headers['access-control-request-method'] ?? 'POST') : (request.method ?? 'GET');

/** Settings of a resolved webhook. @throws InternalError */
export const webhookSettingsOf = ({ settings }: ResolvedWebhook): WebhookSettings => {
  if (settings?.$case !== 'webhook')
    throw new InternalError(new Error('The webhook was resolved without its settings.'));
  return settings.value;
};

/** A call whose webhook is known. */
export interface FoundCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly webhook: ResolvedWebhook;
  readonly settings: WebhookSettings;
  readonly address: Address;
  readonly method: string;
  /** Prefix of the address. */
  readonly root: string;
  /** As the run sees it. */
  readonly executionMode: 'production' | 'test';
}

/** An admitted call with its body. */
export interface ReadCall {
  readonly executionId: string;
  readonly input: Buffer;
  readonly idempotencyKey: string;
  readonly event?: EventKey | undefined;
  readonly contentDigest?: Buffer;
  /** JSON text. */
  readonly bodyJson: string;
}

/** The query without the parameter that has the secret of a hook: it would be in the run data. */
const withoutSecret = (query: string, hook: HookRules | undefined): string => {
  if (hook?.scheme !== 'query') return query;
  const fields = new URLSearchParams(query);
  fields.delete(hook.header);
  return fields.toString();
};

/** Admits the caller and reads the body. @throws Forbidden, Unauthorized; InvalidRequest, PayloadTooLarge */
export const readCall = async (call: FoundCall, options: IngressOptions): Promise<ReadCall> => {
  const { request, response, webhook, settings, address, method, root, executionMode } = call;
  const { clients, readBody, gateOf } = options;
  const gate = gateOf(request, response);
  allowOrigin(request, response, settings.allowedOrigins);
  const webhookUrl = `${ingressOrigin(request, options)}${root}${address.raw}`;
  const calledUrl = address.query === '' ? webhookUrl : `${webhookUrl}?${address.query}`;
  const { claimsJson, headers, caller, verifyBody } = await checkCaller(request, response, webhook, settings.callers, {
    ...options,
    verifiesBodies: true,
    hook: settings.hook === undefined ? undefined : { rules: settings.hook, url: calledUrl },
  });
  const idempotencyKey = keyOfCaller(readIdempotencyKey(request.headers), caller);
  const executionId = uuidv7();
  const hashes: ContentHashes = new Map();
  const signed: SignedBody = {};
  const body = await readWebhookBody(
    request,
    response,
    {
      readBody,
      gate,
      verifyBody: verifyBody === undefined ? undefined : recordSigned(verifyBody, signed),
      storeFile: createStoreFile(clients, executionId, hashes),
      owner: webhook,
    },
    settings,
  );
  const input = webhookItems({
    headers,
    params: webhook.pathParams,
    query: withoutSecret(address.query, settings.hook),
    bodyJson: body.json,
    files: body.files,
    webhookUrl,
    executionMode,
    claimsJson,
    ...(settings.outputsByMethod ? { method } : {}),
  });
  const digest = contentDigest(Object.entries(body.files), hashes);
  const facts = {
    headers: request.headers,
    caller,
    method,
    path: address.path,
    query: address.query,
    bodyJson: body.json,
    contentDigest: digest,
    signedDigest: signed.digest,
  };
  const event = idempotencyKey === '' ? eventKeyOf(settings.eventKey, facts) : undefined;
  const { json: bodyJson } = body;
  return {
    executionId,
    input,
    idempotencyKey,
    event,
    bodyJson,
    ...(digest === undefined ? {} : { contentDigest: digest }),
  };
};

const receive = async (request: IncomingMessage, response: ServerResponse, options: IngressOptions): Promise<void> => {
  const { clients, underWay } = options;
  const address = addressOf(request, ROOT, (method, path) => new WebhookNotFound(method, path, []));
  if (!isPreflight(request)) noteIntent();
  const method = calledMethod(request);
  const { path } = address;
  const webhook = await clients.workflows.resolveWebhook({ method, path });
  if (!webhook.found) throw new WebhookNotFound(method, path, webhook.otherMethods);
  const settings = webhookSettingsOf(webhook);
  if (isPreflight(request))
    return answerPreflight(request, response, settings.allowedOrigins, [method, ...webhook.otherMethods]);
  const found = {
    request,
    response,
    webhook,
    settings,
    address,
    method,
    root: ROOT,
    executionMode: 'production',
  } as const;
  if (isAddressCheck(found)) return answerAddressCheck(found, options);
  if (settings.chat !== undefined && method === 'GET') {
    await checkCaller(request, response, webhook, settings.callers, { ...options, verifiesBodies: false });
    return writeChatPage(response, settings.chat, {
      isGuarded: isGuarded(settings.callers),
      streams: isStreamed(settings),
    });
  }
  const call = await readCall(found, options);
  if (isChallenge(settings, call.bodyJson)) return answerChallenge(response, call.bodyJson);
  await startFromWebhook({ ...call, response, webhook, settings, clients, method, path, underWay });
};

/**
 * Handles requests to /webhook/<path>, for every method. The body is read only after a listening workflow was found and
 * the caller was admitted. Requires no API key and has no rate limit; errors have the same format as in the API.
 */
export const createWebhookReceiver = (options: IngressOptions): RequestListener =>
  openIngress(options, {
    root: ROOT,
    isSecret: false,
    guard: guardWebhookAnswer,
    receive: (request, response) => receive(request, response, options),
    writeError,
  });
