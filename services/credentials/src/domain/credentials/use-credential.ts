import { Forbidden } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import type { RecordAudit } from '../audit/audit';
import { CredentialNotFound, CredentialTypeMismatch } from '../errors';
import type { Sealer } from '../sealing';
import type { UserStore } from '../users/user';
import type { CredentialStore } from './credential';
import { mayUse } from './may-use';

/** A runner's params: the credential that a node of an execution names. */
export interface CredentialUse {
  readonly executionId: string;
  readonly fence: number;
  readonly node: string;
  readonly credentialId: string;
  /** Type that the node expects. */
  readonly type: string;
}

/** A claim that holds and covers the credential. */
export interface Claim {
  readonly workflowId: string;
  /** The workflow's owner, whose rights the run has. */
  readonly ownerId: string;
}

/** Asks whether the runner holds that claim and the node names that credential; undefined if not. */
export type CheckClaim = (use: Omit<CredentialUse, 'type'>) => Promise<Claim | undefined>;

/** What a use needs. */
export interface UsePorts {
  readonly credentials: Pick<CredentialStore, 'findById'>;
  readonly users: Pick<UserStore, 'findById'>;
  readonly sealer: Pick<Sealer, 'open'>;
  readonly checkClaim: CheckClaim;
  readonly recordAudit: RecordAudit;
}

/**
 * Gives the data of a credential, as JSON text, to a run that may use it.
 * @throws Forbidden, CredentialNotFound, CredentialTypeMismatch, CredentialUnreadable
 */
export type UseCredential = (runner: string, use: CredentialUse) => Promise<string>;

const noClaim = ({ credentialId }: CredentialUse): Forbidden =>
  new Forbidden('There is no such claim, or its node does not name this credential.', { credentialId });

/** Makes the use case. The record of the use is stored before the data is handed out. */
export const createUseCredential =
  ({ credentials, users, sealer, checkClaim, recordAudit }: UsePorts): UseCredential =>
  async (runner, use) => {
    const { executionId, node, credentialId, type } = use;
    if (!isUuid(credentialId)) throw new CredentialNotFound(credentialId);
    if (!isUuid(executionId)) throw noClaim(use);
    const [claim, credential] = await Promise.all([checkClaim(use), credentials.findById(credentialId)]);
    if (claim === undefined) throw noClaim(use);
    if (credential === undefined) throw new CredentialNotFound(credentialId);
    if (!mayUse(await users.findById(claim.ownerId), credential)) {
      throw new Forbidden(
        'The owner of the workflow may not use this credential. Its owner, an admin or the owner of this instance may.',
        { credentialId, workflowId: claim.workflowId },
      );
    }
    if (credential.type !== type) throw new CredentialTypeMismatch(credentialId, type, credential.type);
    const data = sealer.open(credential, credential.sealed);
    await recordAudit({
      id: `use:${executionId}:${credentialId}`,
      action: 'credential.use',
      actor: `service:${runner}`,
      about: {
        credentialId,
        executionId,
        workflowId: claim.workflowId,
        ownerId: claim.ownerId,
        node: node.slice(0, 200),
      },
    });
    return data;
  };
