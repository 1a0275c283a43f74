import { mayChange, type Principal } from '@weft/service-kit/auth';
import { Forbidden } from '@weft/service-kit/errors';
import type { RecordAudit } from '../audit';
import type { TransferCredential } from '../ownership/transfer-credentials';
import type { CheckDestination, OwnedThing, Ownership } from '../ownership/inheritance';

export interface TransferPorts {
  readonly checkDestination: CheckDestination;
  readonly ownership: Pick<Ownership, 'transferOne'>;
  readonly transferCredential: TransferCredential;
  readonly recordAudit: RecordAudit;
}

/** Moves single objects between projects. */
export interface TransferUseCases {
  /** @throws ProjectNotFound, Forbidden, the error for a missing object */
  readonly transferThing: (actor: Principal, thing: OwnedThing, toOwnerId: string) => Promise<void>;
  /** The caller may change all credentials. @throws ProjectNotFound, CredentialNotFound, CredentialBusy */
  readonly giveCredential: (actor: Principal, credentialId: string, toOwnerId: string) => Promise<void>;
}

export const transferUseCases = (ports: TransferPorts): TransferUseCases => {
  const { ownership, recordAudit } = ports;
  /** Only to owners whose objects the actor may change, so that no owner gets work or permissions unasked. */
  const checkGift = async (actor: Principal, id: string): Promise<void> => {
    await ports.checkDestination(id);
    if (!mayChange(actor, id))
      throw new Forbidden('You may only move objects to your own projects.', { projectId: id });
  };
  return {
    transferThing: async (actor, thing, toOwnerId) => {
      await checkGift(actor, toOwnerId);
      await ownership.transferOne(thing, toOwnerId, actor);
      const { kind, id } = thing;
      await recordAudit({
        action: 'project.transfer',
        actor: actor.userId,
        about: { what: kind, id, projectId: toOwnerId },
      });
    },
    giveCredential: async (actor, id, toOwnerId) => {
      await checkGift(actor, toOwnerId);
      await ports.transferCredential(id, toOwnerId);
      await recordAudit({
        action: 'project.transfer',
        actor: actor.userId,
        about: { what: 'credential', id, projectId: toOwnerId },
      });
    },
  };
};
