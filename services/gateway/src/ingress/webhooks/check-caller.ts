import type { CallerRules, HookRules } from '@weft/proto/channels';
import type { ResolvedWebhook } from '@weft/proto/workflows';
import { Forbidden, InternalError, Unauthorized } from '@weft/service-kit/errors';
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clients } from '../../clients';
import { clientAddress, type ProxyTrust } from '../../middleware/client-origin';
import { rememberAllowLists } from './allow-list';
import { callerOf } from './caller-key';
import { withoutOwnCredentials } from './own-credentials';

/** An admitted caller. */
export interface Admission {
  /** JSON text of the claims of the caller's token; empty if there is none. */
  readonly claimsJson: string;
  /**
   * The request's headers without the one that carried the secret, and without credentials for this service, which
   * would otherwise be visible in the run data.
   */
  readonly headers: IncomingMessage['headers'];
  /** Identifies the caller among all who may call; empty for one without any proof. */
  readonly caller: string;
  /** Present if the caller signs its body: admits or refuses it by the raw body. @throws Forbidden */
  readonly verifyBody?: VerifyBody;
}

/** SHA-256 of the raw body that a caller has signed, once it has been verified. */
export interface SignedBody {
  digest?: Buffer;
}

/** The same check, which records the digest of a body that it admits. */
export const recordSigned =
  (verify: VerifyBody, signed: SignedBody): VerifyBody =>
  async (body) => {
    await verify(body);
    signed.digest = createHash('sha256').update(body).digest();
  };

/** Admits or refuses a caller by the raw body of its request. @throws Forbidden */
export type VerifyBody = (body: Buffer) => Promise<void>;

/** Dependencies of the check. */
export interface CallerCheck extends ProxyTrust {
  readonly clients: Clients;
  /** True if the API accepts Basic. */
  readonly basicAuth: boolean;
  /** True if the ingress calls `verifyBody`; otherwise callers that sign their bodies are refused. */
  readonly verifiesBodies?: boolean;
  /** The hook of the trigger of an app that is called, and the called address. */
  readonly hook?: { readonly rules: HookRules; readonly url: string } | undefined;
}

const BOTS = /bot\b|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|bingpreview|headless/i;

const withoutSecret = (headers: IncomingMessage['headers'], secretHeader: string): IncomingMessage['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== secretHeader));

const allowListOf = rememberAllowLists();

/** True if callers must authenticate. */
export const isGuarded = (rules: CallerRules | undefined): boolean => rules?.authentication !== 'none';

/**
 * Admits a caller by its address and credentials, without reading the body. Callers that sign their body are admitted
 * once it has been read.
 * @throws Forbidden; Unauthorized; InternalError if there are no rules
 */
export const checkCaller = async (
  request: IncomingMessage,
  response: ServerResponse,
  { ownerId, workflowId }: Pick<ResolvedWebhook, 'ownerId' | 'workflowId'>,
  rules: CallerRules | undefined,
  { clients, basicAuth, verifiesBodies = false, hook, ...trust }: CallerCheck,
): Promise<Admission> => {
  // Settings without rules for callers must not open the ingress.
  if (rules === undefined || rules.authentication === '')
    throw new InternalError(new Error('The settings do not say how callers are checked.'));
  if (!allowListOf(rules.ipWhitelist)(clientAddress(request, trust)))
    throw new Forbidden('Your IP address is not allowed to call this webhook.');
  if (rules.ignoreBots && BOTS.test(request.headers['user-agent'] ?? ''))
    throw new Forbidden('Bots are not allowed to call this webhook.');
  const shown = withoutOwnCredentials(request.headers, basicAuth);
  if (!isGuarded(rules)) return { claimsJson: '', headers: shown, caller: callerOf(request.headers, undefined) };
  const { authentication, credentialId } = rules;
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [{ name, value }] : [],
  );
  const called = hook === undefined ? {} : { hook: hook.rules, url: hook.url };
  const proof = { authentication, credentialId, ownerId, workflowId, headers, ...called };
  const { verifyWebhookAuth } = clients.credentials.calls;
  const { granted, refusalStatus, claimsJson, secretHeader, needsBody } = await verifyWebhookAuth(proof);
  const caller = callerOf(request.headers, { authentication, credentialId, claimsJson, secretHeader });
  if (granted) return { claimsJson, headers: withoutSecret(shown, secretHeader), caller };
  if (needsBody === true && verifiesBodies) {
    const verifyBody = async (body: Buffer): Promise<void> => {
      if (!(await verifyWebhookAuth({ ...proof, body })).granted)
        throw new Forbidden('The signature does not fit the body of the request.');
    };
    return { claimsJson: '', headers: withoutSecret(shown, secretHeader), caller, verifyBody };
  }
  if (refusalStatus === 403) throw new Forbidden('The webhook refused the caller.');
  if (authentication === 'basicAuth') response.setHeader('www-authenticate', 'Basic realm="webhook"');
  if (authentication === 'bearerAuth') response.setHeader('www-authenticate', 'Bearer realm="webhook"');
  throw new Unauthorized('The webhook refused the caller.');
};
