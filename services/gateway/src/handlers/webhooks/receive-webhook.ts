import type { ResolvedWebhook } from '@weft/proto/workflows';
import { Forbidden, Unauthorized } from '@weft/service-kit/errors';
import type { Logger } from '@weft/service-kit/logging';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clients } from '../../clients';
import { WebhookNotFound } from '../../errors';
import { clientAddress, requestOrigin, type ProxyTrust } from '../../middleware/client-origin';
import { writeError } from '../../middleware/error-response';
import type { ReadBody } from '../../middleware/read-body';
import { assignRequestId } from '../../middleware/request-id';
import { runWithinLimit } from '../../middleware/time-limit';
import { readIdempotencyKey } from '../idempotency-key';
import { allowOrigin, answerPreflight } from './cross-origin';
import { startFromWebhook } from './start-from-webhook';
import { readWebhookBody } from './webhook-body';
import { webhookItems } from './webhook-item';
import { createSettingsReader, type WebhookSettings } from './webhook-settings';
import { guardWebhookAnswer } from './write-webhook-answer';

/** What the intake is made of. */
export interface WebhookOptions extends ProxyTrust {
  readonly clients: Clients;
  readonly logger: Logger;
  readonly readBody: ReadBody;
  readonly requestTimeLimitMs: number;
}

const ROOT = '/webhook/';
const BOTS = /bot\b|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|bingpreview|headless/i;

/** A caller who was let in. */
interface Admission {
  /** JSON text of the claims of the caller's token; empty if it showed none. */
  readonly claimsJson: string;
  /** The request's headers without the one that carried the secret: every reader of executions would find it in the run data. */
  readonly headers: IncomingMessage['headers'];
}

interface Address {
  /** As it stands in the request. */
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

const withoutSecret = (headers: IncomingMessage['headers'], secretHeader: string): IncomingMessage['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== secretHeader));

const checkCaller = async (request: IncomingMessage, response: ServerResponse, webhook: ResolvedWebhook, settings: WebhookSettings, { clients, ...trust }: WebhookOptions): Promise<Admission> => {
  if (!settings.isAllowedAddress(clientAddress(request, trust))) throw new Forbidden('Your address may not call this webhook.');
  if (settings.ignoreBots && BOTS.test(request.headers['user-agent'] ?? '')) throw new Forbidden('Crawlers may not call this webhook.');
  if (settings.authentication === undefined) return { claimsJson: '', headers: request.headers };
  const { kind, credentialId } = settings.authentication;
  const headers = Object.entries(request.headers).flatMap(([name, value]) => (typeof value === 'string' ? [{ name, value }] : []));
  const { granted, refusalStatus, claimsJson, secretHeader } = await clients.credentials.calls.verifyWebhookAuth({ authentication: kind, credentialId, ownerId: webhook.ownerId, headers });
  if (granted) return { claimsJson, headers: withoutSecret(request.headers, secretHeader) };
  if (refusalStatus === 403) throw new Forbidden('The webhook refused the caller.');
  if (kind === 'basicAuth') response.setHeader('www-authenticate', 'Basic realm="webhook"');
  throw new Unauthorized('The webhook refused the caller.');
};

const receive = async (request: IncomingMessage, response: ServerResponse, options: WebhookOptions, readSettings: (json: string) => WebhookSettings): Promise<void> => {
  const { clients, readBody } = options;
  const { raw, path, query } = addressOf(request);
  const isPreflight = request.method === 'OPTIONS';
  const asked = isPreflight ? (request.headers['access-control-request-method'] ?? 'POST') : (request.method ?? 'GET');
  const webhook = await clients.workflows.resolveWebhook({ method: asked, path });
  if (!webhook.found) throw new WebhookNotFound(asked, path, webhook.otherMethods);
  const settings = readSettings(webhook.settingsJson);
  if (isPreflight) return answerPreflight(request, response, settings.allowedOrigins, [asked, ...webhook.otherMethods]);
  allowOrigin(request, response, settings.allowedOrigins);
  const { claimsJson, headers } = await checkCaller(request, response, webhook, settings, options);
  const idempotencyKey = readIdempotencyKey(request.headers);
  const bodyJson = await readWebhookBody(request, response, readBody);
  const webhookUrl = `${requestOrigin(request, options)}${ROOT}${raw}`;
  const inputJson = webhookItems({ headers, params: webhook.pathParams, query, bodyJson, webhookUrl, claimsJson });
  await startFromWebhook({ response, webhook, settings, inputJson, idempotencyKey, clients });
};

/**
 * Takes the requests to /webhook/<path>, for every method. The body is read only after a workflow was found to listen
 * and the caller was let in. No API key, no rate limit of a key; the shape of errors is that of the API.
 */
export const createWebhookReceiver = (options: WebhookOptions): RequestListener => {
  const readSettings = createSettingsReader();
  const { logger, requestTimeLimitMs: limitMs } = options;
  return (request, response) => {
    const requestId = assignRequestId(request, response);
    guardWebhookAnswer(response);
    runWithinLimit(response, { requestId, limitMs, logger }, () => {
      receive(request, response, options, readSettings).catch((error: unknown) => writeError(response, error, logger));
    });
  };
};
