import type { Principal } from '@weft/service-kit/auth';
import { isUuid } from '@weft/service-kit/ids';
import { CredentialBusy, CredentialNotFound } from '../errors';
import type { Sealer } from '../sealing';
import { checkData, checkName, checkType } from './check-credential';
import type { ChangePorts } from './create-credential';
import type { Credential, StoredCredential } from './credential';

/** What to change; what is undefined stays. */
export interface CredentialChange {
  readonly name: string | undefined;
  readonly type: string | undefined;
  /** JSON object that takes the place of the data as a whole. */
  readonly dataJson: string | undefined;
}

/** Changes a credential. @throws CredentialNotFound, CredentialBusy, CredentialUnreadable, InvalidRequest */
export type UpdateCredential = (changer: Principal, id: string, change: CredentialChange) => Promise<Credential>;

const TRIES = 3;

/** The data is sealed for its type, so a change of the type seals it again, and it has to fit the new type. */
const reseal = (
  sealer: Sealer,
  { id, type: oldType, sealed }: StoredCredential,
  { type = oldType, dataJson }: CredentialChange,
): StoredCredential['sealed'] => {
  if (dataJson === undefined && type === oldType) return sealed;
  const data = checkData(type, dataJson ?? sealer.open({ id, type: oldType }, sealed));
  return sealer.seal({ id, type }, JSON.stringify(data));
};

/** Makes the use case. */
export const createUpdateCredential = ({
  credentials,
  sealer,
  recordAudit,
  clock,
}: Omit<ChangePorts, 'newId'>): UpdateCredential => {
  const attempt = async (id: string, change: CredentialChange): Promise<Credential | undefined> => {
    const old = await credentials.findById(id);
    if (old === undefined) throw new CredentialNotFound(id);
    const changed: StoredCredential = {
      ...old,
      name: change.name ?? old.name,
      type: change.type ?? old.type,
      sealed: reseal(sealer, old, change),
      updatedAt: clock(),
      revision: old.revision + 1,
    };
    return (await credentials.replace(changed, old.revision)) ? changed : undefined;
  };
  return async (changer, id, change) => {
    if (!isUuid(id)) throw new CredentialNotFound(id);
    if (change.name !== undefined) checkName(change.name);
    if (change.type !== undefined) checkType(change.type);
    for (let tried = 0; tried < TRIES; tried += 1) {
      const changed = await attempt(id, change);
      if (changed === undefined) continue;
      await recordAudit({
        action: 'credential.update',
        actor: changer.userId,
        about: { credentialId: id, type: changed.type },
      });
      return changed;
    }
    throw new CredentialBusy(id);
  };
};
