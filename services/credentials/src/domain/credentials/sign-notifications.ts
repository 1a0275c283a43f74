import { createHmac } from 'node:crypto';
import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { isJsonObject, parseJson, type JsonObject } from '@weft/service-kit/json';
import { CredentialNotFound, CredentialNotGranted, CredentialTypeMismatch } from '../errors';
import type { CredentialStore } from '../ownership/credential';
import type { FindOwner } from '../ownership/owners';
import { STANDARD, standardKeysOf, standardPrefix } from '../webhook-auth/standard-webhooks';
import { refusalOf, type MayUse } from './grant';
import type { OpenCredential } from './open-credential';
import type { RecordUse } from './record-use';

/** A request that is to be sent. */
export interface NotificationToSign {
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly body: Uint8Array;
}

/** Notifications of one subscription. */
export interface SigningRequest {
  readonly credentialId: string;
  /** Owner of the subscription, whose permissions count. */
  readonly ownerId: string;
  readonly subscriptionId: string;
  /** Empty: the credential is checked, and its use is not recorded. */
  readonly messages: readonly NotificationToSign[];
}

export interface SigningPorts {
  readonly credentials: Pick<CredentialStore, 'findById'>;
  readonly findOwner: FindOwner;
  readonly mayUse: MayUse;
  readonly openCredential: OpenCredential;
  readonly recordUse: RecordUse;
}

/**
 * Signs notifications according to Standard Webhooks, with the secret and the previous one if there is one.
 * @param service the calling service, for the audit record
 * @returns the value of the header webhook-signature for each message, in order
 * @throws InvalidRequest, CredentialNotFound, CredentialNotGranted, CredentialTypeMismatch, CredentialUnreadable,
 * CredentialFileUnusable
 */
export type SignNotifications = (service: string, request: SigningRequest) => Promise<readonly string[]>;

const TYPE = 'webhookSignature';
const MAX_MESSAGES = 50;

const readData = (dataJson: string): JsonObject => {
  const data = parseJson(Buffer.from(dataJson));
  return isJsonObject(data) ? data : {};
};

const signatureOf = (key: Buffer, { id, timestamp, body }: NotificationToSign): string =>
  `v1,${createHmac('sha256', key)
    .update(standardPrefix(id, String(timestamp)))
    .update(body)
    .digest('base64')}`;

/** Creates the use case. The secret never leaves this service. */
export const createSignNotifications = ({
  credentials,
  findOwner,
  mayUse,
  openCredential,
  recordUse,
}: SigningPorts): SignNotifications =>
  async function signNotifications(service, { credentialId, ownerId, subscriptionId, messages }) {
    if (messages.length > MAX_MESSAGES)
      throw new InvalidRequest('There are too many messages.', [
        { field: 'messages', message: `must be at most ${MAX_MESSAGES}.` },
      ]);
    const credential = isUuid(credentialId) ? await credentials.findById(credentialId) : undefined;
    if (credential === undefined) throw new CredentialNotFound(credentialId);
    const using = { owner: await findOwner(ownerId), workflowId: '' };
    if (!mayUse(using, credential)) {
      const reason = refusalOf(using, credential, await findOwner(credential.ownerId), 'event subscription');
      throw new CredentialNotGranted(reason, { credentialId });
    }
    if (credential.type !== TYPE) throw new CredentialTypeMismatch(credentialId, TYPE, credential.type);
    const data = readData(await openCredential(credential));
    const keys = data['scheme'] === STANDARD ? standardKeysOf(data) : [];
    if (keys.length === 0)
      throw new CredentialTypeMismatch(
        credentialId,
        `${TYPE} with the scheme ${STANDARD}`,
        `${TYPE} with the scheme ${String(data['scheme'])}`,
      );
    if (messages.length > 0)
      await recordUse({ credentialId, ownerId, actor: `service:${service}`, by: { subscriptionId } });
    return messages.map((message) => keys.map((key) => signatureOf(key, message)).join(' '));
  };
