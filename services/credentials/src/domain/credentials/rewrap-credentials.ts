import type { MasterKeys } from '../master-keys';
import type { Sealer } from '../sealing';
import type { CredentialStore, StoredCredential } from './credential';

/** What the move to the current master key needs. */
export interface RewrapPorts {
  readonly credentials: Pick<CredentialStore, 'findSealedBy' | 'replace'>;
  readonly sealer: Pick<Sealer, 'rewrap'>;
  readonly masterKeys: MasterKeys;
}

/** Outcome of one step of the move. */
export interface RewrapStep {
  /** Credentials that are under the current master key now. */
  readonly moved: number;
  /** Ids of credentials that cannot be opened. */
  readonly unreadable: readonly string[];
  /** Where the next step goes on; undefined after the last one. */
  readonly nextAfterId: string | undefined;
}

/**
 * Wraps the data keys of up to a hundred credentials after `afterId` by the current master key, where the previous one
 * wraps them. Repeating it changes nothing; a credential that is changed meanwhile is left to the next round.
 */
export type RewrapCredentials = (afterId: string | undefined) => Promise<RewrapStep>;

const STEP = 100;

/** Makes the use case; undefined if there is no previous key to move from. */
export const createRewrapCredentials = ({
  credentials,
  sealer,
  masterKeys: { previous },
}: RewrapPorts): RewrapCredentials | undefined => {
  if (previous === undefined) return undefined;
  const move = async (credential: StoredCredential): Promise<'moved' | 'changed' | 'unreadable'> => {
    let sealed;
    try {
      sealed = sealer.rewrap(credential, credential.sealed);
    } catch {
      // Left as it is and reported by its id: a user has to enter it again.
      return 'unreadable';
    }
    return (await credentials.replace(
      { ...credential, sealed, revision: credential.revision + 1 },
      credential.revision,
    ))
      ? 'moved'
      : 'changed';
  };
  return async (afterId) => {
    const found = await credentials.findSealedBy(previous.kid, afterId, STEP);
    const outcomes = [];
    for (const credential of found) outcomes.push({ id: credential.id, outcome: await move(credential) });
    return {
      moved: outcomes.filter(({ outcome }) => outcome === 'moved').length,
      unreadable: outcomes.filter(({ outcome }) => outcome === 'unreadable').map(({ id }) => id),
      nextAfterId: found.length === STEP ? found.at(-1)?.id : undefined,
    };
  };
};
