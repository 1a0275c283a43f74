import type { MasterKeys } from '../master-keys';
import type { Sealer } from '../sealing';
import type { CredentialStore, StoredCredential } from '../ownership/credential';

export interface RewrapPorts {
  readonly credentials: Pick<CredentialStore, 'findSealedBy' | 'replace'>;
  readonly sealer: Pick<Sealer, 'rewrap'>;
  readonly masterKeys: MasterKeys;
}

/** Outcome of one step. */
export interface RewrapStep {
  /** Number of credentials moved to the current master key. */
  readonly moved: number;
  /** Ids of credentials that cannot be decrypted. */
  readonly unreadable: readonly string[];
  /** Start of the next step; undefined after the last one. */
  readonly nextAfterId: string | undefined;
}

/**
 * Rewraps the data keys of up to 100 credentials after `afterId` from the previous to the current master key.
 * Repeatable. A concurrently updated credential is left for the next round.
 */
export type RewrapCredentials = (afterId: string | undefined) => Promise<RewrapStep>;

const STEP_SIZE = 100;

const NOTHING: RewrapStep = { moved: 0, unreadable: [], nextAfterId: undefined };

/** Creates the use case. Without a previous master key there is nothing to do. */
export const createRewrapCredentials = ({ credentials, sealer, masterKeys }: RewrapPorts): RewrapCredentials => {
  const move = async (credential: StoredCredential): Promise<'moved' | 'changed' | 'unreadable'> => {
    let sealed;
    try {
      sealed = sealer.rewrap(credential, credential.sealed);
    } catch {
      // Left unchanged and reported by its id: a user must enter it again.
      return 'unreadable';
    }
    return (await credentials.replace(
      { ...credential, sealed, revision: credential.revision + 1 },
      credential.revision,
    ))
      ? 'moved'
      : 'changed';
  };
  return async function rewrapCredentials(afterId) {
    const { previous } = masterKeys;
    if (previous === undefined) return NOTHING;
    const found = await credentials.findSealedBy(previous.kid, afterId, STEP_SIZE);
    const outcomes = [];
    for (const credential of found) outcomes.push({ id: credential.id, outcome: await move(credential) });
    return {
      moved: outcomes.filter(({ outcome }) => outcome === 'moved').length,
      unreadable: outcomes.filter(({ outcome }) => outcome === 'unreadable').map(({ id }) => id),
      nextAfterId: found.length === STEP_SIZE ? found.at(-1)?.id : undefined,
    };
  };
};
