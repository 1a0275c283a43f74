import type { WebhookSettings } from '@weft/proto/channels';
import { Forbidden } from '@weft/service-kit/errors';
import { field, type Json, textField } from '@weft/service-kit/json-values';
import type { ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import type { Clients } from '../../clients';
import type { FoundCall } from './receive-webhook';

/** Maximum number of characters of a challenge, and of a body that may be one. */
const MAX_CHALLENGE = 1_000;
const MAX_BODY = 10_000;

const write = (response: ServerResponse, type: string, text: string): void => {
  const body = Buffer.from(text);
  response.setHeader('content-type', `${type}; charset=utf-8`);
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('content-length', body.length);
  response.writeHead(200).end(body);
};

/** True for a request by which Meta asks whether it may call the address of a trigger. */
export const isAddressCheck = ({ settings, method }: Pick<FoundCall, 'settings' | 'method'>): boolean =>
  settings.hook?.handshake === 'meta' && method === 'GET';

/** Repeats the challenge of a request that has the secret of the hook. @throws Forbidden for any other */
export const answerAddressCheck = async (
  { response, webhook, settings, address }: Pick<FoundCall, 'response' | 'webhook' | 'settings' | 'address'>,
  { clients }: { readonly clients: Clients },
): Promise<void> => {
  const query = parse(address.query);
  const [challenge, token] = [query['hub.challenge'], query['hub.verify_token']];
  if (settings.hook === undefined || typeof challenge !== 'string' || typeof token !== 'string')
    throw new Forbidden('This address takes POST requests of the service that it is registered with.');
  const name = 'hub.verify_token';
  const { granted } = await clients.credentials.calls.verifyWebhookAuth({
    authentication: 'hook',
    credentialId: settings.callers?.credentialId ?? '',
    ownerId: webhook.ownerId,
    workflowId: webhook.workflowId,
    headers: [{ name, value: token }],
    hook: { ...settings.hook, scheme: 'header', header: name },
  });
  if (!granted) throw new Forbidden('The verify token is not that of the trigger.');
  write(response, 'text/plain', challenge.slice(0, MAX_CHALLENGE));
};

const bodyOf = (text: string): Json => (text.length > MAX_BODY ? null : JSON.parse(text));

/** True for a call by which Slack asks whether it may call the address of a trigger. */
export const isChallenge = ({ hook }: Pick<WebhookSettings, 'hook'>, bodyJson: string): boolean =>
  hook?.handshake === 'slack' && field(bodyOf(bodyJson), 'type') === 'url_verification';

/** Repeats the challenge of such a call. */
export const answerChallenge = (response: ServerResponse, bodyJson: string): void => {
  const challenge = (textField(bodyOf(bodyJson), 'challenge') ?? '').slice(0, MAX_CHALLENGE);
  write(response, 'application/json', JSON.stringify({ challenge }));
};
