import { Forbidden } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { CredentialNotFound, CredentialNotGranted, CredentialTypeMismatch } from '../errors';
import type { OpenForRuns } from '../oauth2/data-for-runs';
import type { FindOwner } from '../ownership/owners';
import type { CredentialStore } from '../ownership/credential';
import { refusalOf, type MayUse } from './grant';
import type { RecordUse } from './record-use';

/** A runner's request for the credential of a node in an execution. */
export interface CredentialUse {
  readonly executionId: string;
  readonly fence: number;
  readonly node: string;
  readonly credentialId: string;
  /** Type that the node expects. */
  readonly type: string;
  /** SHA-256 in base64url of an access token that the service has just refused; undefined: none. */
  readonly refusedTokenHash?: string | undefined;
}

/** A valid claim that covers the credential. */
export interface Claim {
  readonly workflowId: string;
  /** The workflow's owner, whose permissions the run has. */
  readonly ownerId: string;
}

/** Conditions for checking a claim. */
export interface ClaimQuestion {
  readonly executionId: string;
  readonly fence: number;
  readonly node: string;
  /** Credential that the node must use; absent: none. */
  readonly credentialId?: string;
  /** Required kind of the node; absent: any. */
  readonly nodeKind?: string;
}

/** Checks that the claim is valid and the node meets the conditions; undefined if not. */
export type CheckClaim = (question: ClaimQuestion) => Promise<Claim | undefined>;

export interface UsePorts {
  readonly credentials: Pick<CredentialStore, 'findById'>;
  readonly findOwner: FindOwner;
  readonly mayUse: MayUse;
  readonly openForRuns: OpenForRuns;
  readonly checkClaim: CheckClaim;
  readonly recordUse: RecordUse;
}

/**
 * Returns the data of a credential, as JSON text, to a run that may use it. Its tokens of OAuth 2 can be used now.
 * @throws Forbidden, CredentialNotGranted, CredentialNotFound, CredentialTypeMismatch, CredentialUnreadable,
 * CredentialFileUnusable, CredentialNeedsLogin, TokenRefreshFailed
 */
export type UseCredential = (runner: string, use: CredentialUse) => Promise<string>;

const noClaim = ({ credentialId }: CredentialUse): Forbidden =>
  new Forbidden('The claim is not valid, or its node does not name this credential.', { credentialId });

/** Creates the use case. The audit record is stored before the data is returned. */
export const createUseCredential = ({
  credentials,
  findOwner,
  mayUse,
  openForRuns,
  checkClaim,
  recordUse,
}: UsePorts): UseCredential =>
  async function useCredential(runner, use) {
    const { executionId, node, credentialId, type } = use;
    if (!isUuid(credentialId)) throw new CredentialNotFound(credentialId);
    if (!isUuid(executionId)) throw noClaim(use);
    const [claim, credential] = await Promise.all([
      checkClaim({ executionId, fence: use.fence, node, credentialId }),
      credentials.findById(credentialId),
    ]);
    if (claim === undefined) throw noClaim(use);
    if (credential === undefined) throw new CredentialNotFound(credentialId);
    const using = { owner: await findOwner(claim.ownerId), workflowId: claim.workflowId };
    if (!mayUse(using, credential)) {
      const reason = refusalOf(using, credential, await findOwner(credential.ownerId));
      throw new CredentialNotGranted(reason, { credentialId, workflowId: claim.workflowId });
    }
    if (credential.type !== type) throw new CredentialTypeMismatch(credentialId, type, credential.type);
    const { workflowId, ownerId } = claim;
    const actor = `service:${runner}`;
    await recordUse({ credentialId, workflowId, ownerId, actor, by: { node }, first: { executionId } });
    return openForRuns({ credential, refusedTokenHash: use.refusedTokenHash });
  };
