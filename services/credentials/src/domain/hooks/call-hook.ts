import { CredentialNotFound, CredentialNotGranted, CredentialTypeMismatch } from '../errors';
import { type MayUse, refusalOf } from '../credentials/grant';
import type { RecordUse } from '../credentials/record-use';
import type { OpenForRuns } from '../oauth2/data-for-runs';
import { type CredentialStore, findCredential, type StoredCredential } from '../ownership/credential';
import type { FindOwner } from '../ownership/owners';
import type { Sealer } from '../sealing';
import { newHookSecret, openHookSecret, rewrapHookSecret } from './hook-secret';

/** A request about the webhook of a trigger. */
export interface HookCall {
  /** `prepare`: only makes the secret. */
  readonly action: 'prepare' | 'register' | 'check' | 'remove';
  readonly hookId: string;
  readonly workflowId: string;
  /** The workflow's owner, whose permissions count. */
  readonly ownerId: string;
  readonly kind: string;
  readonly version: number;
  /** JSON object. */
  readonly parametersJson: string;
  /** Empty for a kind without credentials. */
  readonly credentialType: string;
  readonly credentialId: string;
  /** The address that the service calls. */
  readonly url: string;
  /** Empty: the hook gets a secret. */
  readonly sealedSecret: string;
  /** JSON that an earlier registration kept; empty for none. */
  readonly keptJson: string;
}

/** The answer of the service that is to call the hook, or the reason why it did not answer. */
export type HookOutcome =
  | { readonly kind: 'answered'; readonly isValid: boolean; readonly keptJson: string }
  | { readonly kind: 'refused'; readonly message: string; readonly isCertain: boolean };

/** Outcome of a request about a hook. */
export interface CalledHook {
  /** Sealed under the current master key. */
  readonly sealedSecret: string;
  /** Differs after every change of the credential. */
  readonly credentialRevision: string;
  readonly outcome: HookOutcome;
}

/** Lets a runner, which has guarded network access, make the request. @throws InvalidRequest, Unavailable, TimedOut */
export type RequestHook = (
  request: Pick<HookCall, 'kind' | 'version' | 'parametersJson' | 'credentialType' | 'url' | 'keptJson' | 'ownerId'> & {
    readonly action: Exclude<HookCall['action'], 'prepare'>;
    readonly dataJson: string;
    readonly secret: string;
  },
) => Promise<HookOutcome>;

export interface CallHookPorts {
  readonly credentials: Pick<CredentialStore, 'findById'>;
  readonly findOwner: FindOwner;
  readonly mayUse: MayUse;
  readonly sealer: Pick<Sealer, 'seal' | 'open' | 'rewrap'>;
  readonly openForRuns: OpenForRuns;
  readonly recordUse: RecordUse;
  readonly requestHook: RequestHook;
}

/**
 * Makes a request about the webhook of a trigger, with a credential that the workflow may use. Its secret never leaves
 * this service and the runners in clear.
 * @throws CredentialNotFound, CredentialNotGranted, CredentialTypeMismatch, CredentialUnreadable,
 * CredentialFileUnusable, CredentialNeedsLogin, TokenRefreshFailed, InvalidRequest, Unavailable, TimedOut
 */
export type CallHook = (call: HookCall) => Promise<CalledHook>;

export const createCallHook = (ports: CallHookPorts): CallHook => {
  const { credentials, findOwner, mayUse, sealer, openForRuns, recordUse, requestHook } = ports;
  const usable = async ({ credentialId, credentialType, ownerId, workflowId }: HookCall): Promise<StoredCredential> => {
    const credential = await findCredential(credentials, credentialId);
    const using = { owner: await findOwner(ownerId), workflowId };
    if (!mayUse(using, credential)) {
      const reason = refusalOf(using, credential, await findOwner(credential.ownerId));
      throw new CredentialNotGranted(reason, { credentialId, workflowId });
    }
    if (credential.type !== credentialType)
      throw new CredentialTypeMismatch(credentialId, credentialType, credential.type);
    return credential;
  };
  const dataOf = async (credential: StoredCredential, { kind, workflowId, ownerId }: HookCall): Promise<string> => {
    const by = { hook: kind };
    await recordUse({ credentialId: credential.id, workflowId, ownerId, actor: 'service:workflows', by });
    return openForRuns({ credential });
  };
  return async function callHook(call) {
    const { action, hookId, credentialType, credentialId } = call;
    const sealedSecret =
      call.sealedSecret === '' ? newHookSecret(sealer, hookId) : rewrapHookSecret(sealer, hookId, call.sealedSecret);
    if (credentialType !== '' && credentialId === '') throw new CredentialNotFound(credentialId);
    const credential = credentialType === '' ? undefined : await usable(call);
    const credentialRevision = credential?.updatedAt.toISOString() ?? '';
    if (action === 'prepare')
      return { sealedSecret, credentialRevision, outcome: { kind: 'answered', isValid: true, keptJson: '' } };
    const { kind, version, parametersJson, url, keptJson, ownerId } = call;
    const outcome = await requestHook({
      action,
      kind,
      version,
      parametersJson,
      credentialType,
      dataJson: credential === undefined ? '' : await dataOf(credential, call),
      url,
      secret: openHookSecret(sealer, hookId, sealedSecret),
      keptJson,
      ownerId,
    });
    return { sealedSecret, credentialRevision, outcome };
  };
};
