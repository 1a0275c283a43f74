import { ServiceError } from '@weft/service-kit/errors';
import type { WriteOutcome } from './claimed-execution';
import type { ExecutionStore } from './execution-store';

/** The executions service as a run uses it that began before it was stored. */
export interface EagerStore {
  readonly store: ExecutionStore;
  /** True once the execution is known to be durable: from then on any replica can write it. */
  readonly isStored: () => boolean;
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof ServiceError && (error.kind === 'unavailable' || error.kind === 'timeout');

/**
 * Writes one run at the replica that holds it in memory, until one of its writes was stored. A replica that cannot be
 * reached may be gone with all it held: any other one says then whether the execution exists.
 */
export const createEagerStore = (replica: ExecutionStore, service: ExecutionStore): EagerStore => {
  let isStored = false;
  const write = async (send: (store: ExecutionStore) => Promise<WriteOutcome>): Promise<WriteOutcome> => {
    const sent = async (store: ExecutionStore): Promise<WriteOutcome> => {
      const outcome = await send(store);
      if (outcome !== 'fenced') isStored = true;
      return outcome;
    };
    if (isStored) return send(service);
    try {
      return await sent(replica);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      return sent(service);
    }
  };
  return {
    isStored: () => isStored,
    store: {
      ...service,
      persist: (claim) => write((store) => store.persist(claim)),
      checkpoint: (progress) => write((store) => store.checkpoint(progress)),
      report: (end) => write((store) => store.report(end)),
      release: (release) => write((store) => store.release(release)),
      pause: (pause) => write((store) => store.pause(pause)),
      respond: (claim, answer, tokenHash) => write((store) => store.respond(claim, answer, tokenHash)),
    },
  };
};
