import { InternalError } from '@weft/service-kit/errors';
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
import { checkCaller, recordSigned, type SignedBody } from './check-caller';
import { allowOrigin, answerPreflight } from './cross-origin';
import { eventKeyOf } from './event-key';
import { startFromWebhook } from './start-from-webhook';
import { readWebhookBody } from './webhook-body';
import { webhookItems } from './webhook-item';
import { guardWebhookAnswer } from './write-webhook-answer';

const ROOT = '/webhook/';

interface Address {
  /** As in the request. */
  readonly raw: string;
  readonly path: string;
  readonly query: string;
}

const addressOf = (request: IncomingMessage): Address => {
  const [raw = '', ...query] = (request.url ?? '').slice(ROOT.length).split('?');
  try {
    return { raw, path: decodeURIComponent(raw), query: query.join('?') };
  } catch {
    throw new WebhookNotFound(request.method ?? 'GET', raw, []);
  }
};

const receive = async (request: IncomingMessage, response: ServerResponse, options: IngressOptions): Promise<void> => {
  const { clients, readBody, gateOf } = options;
  const gate = gateOf(request, response);
  const { raw, path, query } = addressOf(request);
  const isPreflight = request.method === 'OPTIONS';
  if (!isPreflight) noteIntent();
  const asked = isPreflight ? (request.headers['access-control-request-method'] ?? 'POST') : (request.method ?? 'GET');
  const webhook = await clients.workflows.resolveWebhook({ method: asked, path });
  if (!webhook.found) throw new WebhookNotFound(asked, path, webhook.otherMethods);
  if (webhook.settings?.$case !== 'webhook')
    throw new InternalError(new Error('The webhook was resolved without its settings.'));
  const settings = webhook.settings.value;
  if (isPreflight) return answerPreflight(request, response, settings.allowedOrigins, [asked, ...webhook.otherMethods]);
  allowOrigin(request, response, settings.allowedOrigins);
  const { claimsJson, headers, caller, verifyBody } = await checkCaller(request, response, webhook, settings.callers, {
    ...options,
    verifiesBodies: true,
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
  const webhookUrl = `${ingressOrigin(request, options)}${ROOT}${raw}`;
  const input = webhookItems({
    headers,
    params: webhook.pathParams,
    query,
    bodyJson: body.json,
    files: body.files,
    webhookUrl,
    claimsJson,
    ...(settings.outputsByMethod ? { method: asked } : {}),
  });
  const digest = contentDigest(Object.entries(body.files), hashes);
  const facts = {
    headers: request.headers,
    caller,
    method: asked,
    path,
    query,
    bodyJson: body.json,
    contentDigest: digest,
    signedDigest: signed.digest,
  };
  const event = idempotencyKey === '' ? eventKeyOf(settings.eventKey, facts) : undefined;
  await startFromWebhook({
    response,
    webhook,
    settings,
    input,
    idempotencyKey,
    clients,
    executionId,
    method: asked,
    path,
    event,
    ...(digest === undefined ? {} : { contentDigest: digest }),
  });
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
