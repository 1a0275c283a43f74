import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { parseJson, type JsonObject } from '@weft/service-kit/json';
import type { CredentialStore } from '../credentials/credential';
import { mayUse } from '../credentials/may-use';
import type { Sealer } from '../sealing';
import type { UserStore } from '../users/user';
import { checkBasic } from './check-basic';
import { checkHeader } from './check-header';
import { checkJwt } from './check-jwt';
import { WRONG, type Headers, type AuthOutcome } from './outcome';

/** A webhook request to be checked. */
export interface WebhookRequest {
  /** basicAuth, headerAuth or jwtAuth. */
  readonly authentication: string;
  readonly credentialId: string;
  /** The workflow's owner, whose rights count. */
  readonly ownerId: string;
  readonly headers: Headers;
}

/**
 * Whether a webhook request proves itself by a credential that the workflow's owner may use. A credential that is
 * gone, of another type or not the owner's to use lets nobody in.
 * @throws InvalidRequest for an authentication that is not known; CredentialUnreadable
 */
export type VerifyWebhookAuth = (request: WebhookRequest) => Promise<AuthOutcome>;

/** What a verification needs. */
export interface VerifyWebhookAuthPorts {
  readonly credentials: Pick<CredentialStore, 'findById'>;
  readonly users: Pick<UserStore, 'findById'>;
  readonly sealer: Pick<Sealer, 'open'>;
  readonly clock: () => Date;
}

interface Method {
  readonly credentialType: string;
  readonly check: (data: JsonObject, headers: Headers, now: Date) => AuthOutcome;
}

const METHODS = new Map<string, Method>([
  ['basicAuth', { credentialType: 'httpBasicAuth', check: checkBasic }],
  ['headerAuth', { credentialType: 'httpHeaderAuth', check: checkHeader }],
  ['jwtAuth', { credentialType: 'jwtAuth', check: checkJwt }],
]);

const methodOf = (authentication: string): Method => {
  const method = METHODS.get(authentication);
  if (method !== undefined) return method;
  throw new InvalidRequest('The authentication is not known.', [
    { field: 'authentication', message: `Use one of ${[...METHODS.keys()].join(', ')}.` },
  ]);
};

/** Makes the use case. */
export const createVerifyWebhookAuth =
  ({ credentials, users, sealer, clock }: VerifyWebhookAuthPorts): VerifyWebhookAuth =>
  async (request) => {
    const { credentialType, check } = methodOf(request.authentication);
    if (!isUuid(request.credentialId)) return WRONG;
    const [credential, owner] = await Promise.all([
      credentials.findById(request.credentialId),
      users.findById(request.ownerId),
    ]);
    if (credential === undefined || credential.type !== credentialType || !mayUse(owner, credential)) return WRONG;
    const data = parseJson(Buffer.from(sealer.open(credential, credential.sealed)));
    return typeof data === 'object' && data !== null && !Array.isArray(data)
      ? check(data, request.headers, clock())
      : WRONG;
  };
