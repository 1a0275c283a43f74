import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { isJsonObject, parseJson, type Json, type JsonObject } from '@weft/service-kit/json';
import type { CredentialStore, StoredCredential } from '../ownership/credential';
import type { MayUse } from '../credentials/grant';
import type { OpenCredential } from '../credentials/open-credential';
import type { RecordUse } from '../credentials/record-use';
import { CredentialFileUnusable } from '../errors';
import type { FindOwner } from '../ownership/owners';
import type { Sealer } from '../sealing';
import { checkJwt } from './check-jwt';
import { checkBasic, checkBearer, checkHeader } from './check-secret';
import { checkHookSecret, checkHookSignature, type HookRules, isProvenBySecret } from './check-hook';
import { checkSignature } from './check-signature';
import { WRONG, type Headers, type AuthOutcome } from './outcome';

/** A webhook request to authenticate. */
export interface WebhookRequest {
  /** basicAuth, headerAuth, bearerAuth, jwtAuth, signature or hook. */
  readonly authentication: string;
  readonly credentialId: string;
  /** The workflow's owner, whose permissions count. */
  readonly ownerId: string;
  /** The workflow, whose grants count as well; empty: unknown. */
  readonly workflowId: string;
  readonly headers: Headers;
  /** The raw body; undefined if it has not been read. */
  readonly body?: Buffer;
  /** With hook. */
  readonly hook?: HookRules | undefined;
  /** With hook: the address that was called. */
  readonly url?: string;
}

/**
 * Authenticates a webhook request by a credential that the workflow may use. A credential that was deleted, has
 * another type, may not be used by the workflow, or refers to an unusable file refuses every request.
 * @throws InvalidRequest for an unknown authentication; CredentialUnreadable
 */
export type VerifyWebhookAuth = (request: WebhookRequest) => Promise<AuthOutcome>;

export interface VerifyWebhookAuthPorts {
  readonly credentials: Pick<CredentialStore, 'findById'>;
  readonly findOwner: FindOwner;
  readonly mayUse: MayUse;
  readonly sealer: Pick<Sealer, 'open'>;
  readonly openCredential: OpenCredential;
  readonly recordUse: RecordUse;
  readonly clock: () => Date;
}

interface Method {
  /** Empty: any type is refused. */
  readonly credentialType: string;
  readonly check: (data: JsonObject, headers: Headers, now: Date, body: Buffer | undefined) => AuthOutcome;
}

const HOOK = 'hook';

const METHODS = new Map<string, Method>([
  ['basicAuth', { credentialType: 'httpBasicAuth', check: checkBasic }],
  ['headerAuth', { credentialType: 'httpHeaderAuth', check: checkHeader }],
  ['bearerAuth', { credentialType: 'httpBearerAuth', check: checkBearer }],
  ['jwtAuth', { credentialType: 'jwtAuth', check: checkJwt }],
  ['signature', { credentialType: 'webhookSignature', check: checkSignature }],
]);

const methodOf = ({ authentication, hook, url = '' }: WebhookRequest): Method => {
  const method = METHODS.get(authentication);
  if (method !== undefined) return method;
  if (authentication === HOOK)
    return {
      credentialType: hook?.credentialType ?? '',
      check: (data, headers, now, body) =>
        hook === undefined ? WRONG : checkHookSignature(hook, data, { headers, body, url }, now),
    };
  throw new InvalidRequest('The authentication is unknown.', [
    { field: 'authentication', message: `must be one of ${[...METHODS.keys(), HOOK].join(', ')}.` },
  ]);
};

/**
 * The data; undefined if a file it refers to cannot be used, which is reported to the operator but not to strangers.
 */
const openData = async (openCredential: OpenCredential, credential: StoredCredential): Promise<Json | undefined> => {
  try {
    return parseJson(Buffer.from(await openCredential(credential)));
  } catch (error) {
    if (error instanceof CredentialFileUnusable) return undefined;
    throw error;
  }
};

export const createVerifyWebhookAuth = ({
  credentials,
  findOwner,
  mayUse,
  sealer,
  openCredential,
  recordUse,
  clock,
}: VerifyWebhookAuthPorts): VerifyWebhookAuth =>
  async function verifyWebhookAuth(request) {
    const { credentialType, check } = methodOf(request);
    const { hook, headers, body, url = '' } = request;
    if (request.authentication === HOOK && hook !== undefined && isProvenBySecret(hook))
      return checkHookSecret(sealer, hook, { headers, body, url }, clock());
    if (!isUuid(request.credentialId)) return WRONG;
    const [credential, owner] = await Promise.all([
      credentials.findById(request.credentialId),
      findOwner(request.ownerId),
    ]);
    if (
      credential === undefined ||
      credential.type !== credentialType ||
      !mayUse({ owner, workflowId: request.workflowId }, credential)
    )
      return WRONG;
    const data = await openData(openCredential, credential);
    if (data === undefined || !isJsonObject(data)) return WRONG;
    const outcome = check(data, request.headers, clock(), request.body);
    if (outcome.kind === 'granted')
      await recordUse({
        credentialId: credential.id,
        ...(request.workflowId === '' ? {} : { workflowId: request.workflowId }),
        ownerId: request.ownerId,
        actor: 'service:gateway',
        by: { authentication: request.authentication },
      });
    return outcome;
  };
