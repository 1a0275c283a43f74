import type { CallContext } from '@weft/service-kit/grpc';
import { demandSight } from '@weft/service-kit/sight';
import type { SeenUseCases, UseCases } from '../compose';
import type { HeldExecution } from '../domain/execution';

/** The way to the use cases of what users and projects own. */
export type Within = Pick<UseCases, 'sights' | 'within'>;

/** The use cases for the caller of a method: they get nothing of what it does not see. @throws Unavailable */
export const seenBy = async (
  { sights, within }: Within,
  { principal }: Pick<CallContext, 'principal'>,
): Promise<SeenUseCases> => within(await sights.ofUser(principal));

/** Pieces of a stream, for as long as its caller sees the execution that they are of. @throws Forbidden, Unavailable */
export async function* whileSeen(
  pieces: AsyncIterable<Buffer>,
  { _id, ownerId }: Pick<HeldExecution, '_id' | 'ownerId'>,
  { sights }: Pick<Within, 'sights'>,
  { principal }: Pick<CallContext, 'principal'>,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    demandSight(await sights.ofUser(principal), ownerId, { executionId: _id });
    yield piece;
  }
}
