import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import type { CredentialStore } from '../ownership/credential';
import type { FindOwner } from '../ownership/owners';
import { refusalOf, type MayUse } from './grant';

/** The credentials that a definition names, and the workflow it is for. */
export interface UseQuestion {
  readonly ownerId: string;
  /** Empty for a new workflow. */
  readonly workflowId: string;
  readonly credentialIds: readonly string[];
}

/** A credential that runs of the workflow may not use. */
export interface RefusedCredential {
  readonly credentialId: string;
  readonly name: string;
  readonly ownerId: string;
  /** Names the credential and its owner, and says how to grant it. */
  readonly message: string;
}

export interface CheckedUse {
  readonly refused: readonly RefusedCredential[];
  /** Ids of no credential, for example of an imported workflow. */
  readonly unknownIds: readonly string[];
}

export interface CheckUsePorts {
  readonly credentials: Pick<CredentialStore, 'findById'>;
  readonly findOwner: FindOwner;
  readonly mayUse: MayUse;
}

/** Finds the credentials that a workflow names without the right to use them. @throws InvalidRequest */
export type CheckCredentialUse = (question: UseQuestion) => Promise<CheckedUse>;

/** Maximum number of credentials in one question. */
const MAX_IDS = 1_000;

/** Creates the check, which applies the same rule as a use. */
export const createCheckCredentialUse = ({ credentials, findOwner, mayUse }: CheckUsePorts): CheckCredentialUse =>
  async function checkCredentialUse({ ownerId, workflowId, credentialIds }) {
    if (credentialIds.length > MAX_IDS)
      throw new InvalidRequest('Too many credentials.', [
        { field: 'credential_ids', message: `must have at most ${MAX_IDS} ids.` },
      ]);
    const using = { owner: await findOwner(ownerId), workflowId };
    const refused: RefusedCredential[] = [];
    const unknownIds: string[] = [];
    await Promise.all(
      [...new Set(credentialIds)].map(async (credentialId) => {
        const credential = isUuid(credentialId) ? await credentials.findById(credentialId) : undefined;
        if (credential === undefined) unknownIds.push(credentialId);
        else if (!mayUse(using, credential)) {
          const { name, ownerId: holderId } = credential;
          const message = refusalOf(using, credential, await findOwner(holderId));
          refused.push({ credentialId, name, ownerId: holderId, message });
        }
      }),
    );
    return { refused, unknownIds };
  };
