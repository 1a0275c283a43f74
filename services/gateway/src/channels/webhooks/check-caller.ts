import { Forbidden, Unauthorized } from '@weft/service-kit/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clients } from '../../clients';
import { clientAddress, type ProxyTrust } from '../../middleware/client-origin';
import type { AllowList } from './allow-list';

/** Who may call an address that a workflow has. */
export interface CallerRules {
  /** Undefined: everyone may call. */
  readonly authentication: { readonly kind: string; readonly credentialId: string } | undefined;
  readonly isAllowedAddress: AllowList;
  readonly ignoreBots: boolean;
}

/** A caller who was let in. */
export interface Admission {
  /** JSON text of the claims of the caller's token; empty if it showed none. */
  readonly claimsJson: string;
  /**
   * The request's headers without the one that carried the secret: every reader of executions would find it in the run
   * data.
   */
  readonly headers: IncomingMessage['headers'];
}

/** Dependencies of the check. */
export interface CallerCheck extends ProxyTrust {
  readonly clients: Clients;
}

const BOTS = /bot\b|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|bingpreview|headless/i;

const withoutSecret = (headers: IncomingMessage['headers'], secretHeader: string): IncomingMessage['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== secretHeader));

/**
 * Lets a caller in, by its address and by what it shows of a credential. Nothing of the body is read.
 * @throws Forbidden; Unauthorized
 */
export const checkCaller = async (
  request: IncomingMessage,
  response: ServerResponse,
  ownerId: string,
  rules: CallerRules,
  { clients, ...trust }: CallerCheck,
): Promise<Admission> => {
  if (!rules.isAllowedAddress(clientAddress(request, trust)))
    throw new Forbidden('Your IP address is not allowed to call this webhook.');
  if (rules.ignoreBots && BOTS.test(request.headers['user-agent'] ?? ''))
    throw new Forbidden('Bots are not allowed to call this webhook.');
  if (rules.authentication === undefined) return { claimsJson: '', headers: request.headers };
  const { kind, credentialId } = rules.authentication;
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [{ name, value }] : [],
  );
  const { granted, refusalStatus, claimsJson, secretHeader } = await clients.credentials.calls.verifyWebhookAuth({
    authentication: kind,
    credentialId,
    ownerId,
    headers,
  });
  if (granted) return { claimsJson, headers: withoutSecret(request.headers, secretHeader) };
  if (refusalStatus === 403) throw new Forbidden('The webhook refused the caller.');
  if (kind === 'basicAuth') response.setHeader('www-authenticate', 'Basic realm="webhook"');
  throw new Unauthorized('The webhook refused the caller.');
};
