import type { CallContext } from '@weft/service-kit/grpc';
import type { SeenUseCases, UseCases } from '../compose';
import type { Actor } from '../domain/data-tables/actor';

/** The way to the use cases of what users and projects own. */
export type Within = Pick<UseCases, 'sights' | 'within'>;

/** The use cases for the caller of a method: they get nothing of what it does not see. @throws Unavailable */
export const seenBy = async ({ sights, within }: Within, { principal }: CallContext): Promise<SeenUseCases> =>
  within(await sights.ofUser(principal));

/** The same for a user or a run. @throws Unavailable */
export const seenByActor = async ({ sights, within }: Within, actor: Actor): Promise<SeenUseCases> =>
  within(await (actor.kind === 'user' ? sights.ofUser(actor.principal) : sights.ofRun(actor.ownerId)));
