import { type Delta, DeltaBatch } from '@weft/proto/events';
import type { ExecutionQueueNames } from '@weft/proto/execution-queue';
import type { DeltaReaders } from '../domain/event-log/delta-readers';
import type { Broker } from './broker';
import { createListener } from './ids-channel';

/** Texts of the executions that are streamed at this replica, from their runners. */
export interface DeltaChannel {
  /** Begins to receive those of an execution. @returns ends it */
  readonly subscribe: (executionId: string) => () => void;
  /** Passes parts on to the replicas that stream an id. @returns false while the broker is unavailable */
  readonly send: (executionId: string, deltas: readonly Delta[]) => boolean;
  /** Names the readers. */
  readonly connect: (readers: Pick<DeltaReaders, 'receive'>) => void;
  /** To be called every second: subscribes again after the broker was unavailable. */
  readonly tick: () => void;
}

/** Maximum bytes and parts of a message; larger ones are not of a runner. */
const MAX_BYTES = 100_000;
const MAX_PARTS = 64;

const decode = (data: Uint8Array): DeltaBatch['deltas'] => {
  if (data.byteLength > MAX_BYTES) return [];
  try {
    return DeltaBatch.decode(data).deltas.slice(0, MAX_PARTS);
  } catch {
    // A forged message, or one of a later release.
    return [];
  }
};

/** Each execution has a subject, so a replica receives only what is read here. */
export const createDeltaChannel = (
  broker: Broker,
  { deltasSubject }: Pick<ExecutionQueueNames, 'deltasSubject'>,
): DeltaChannel => {
  const listeners = new Map<string, ReturnType<typeof createListener>>();
  let readers: Pick<DeltaReaders, 'receive'> = { receive: () => undefined };
  return {
    connect: (given) => {
      readers = given;
    },
    send: (executionId, deltas) => {
      const connection = broker.connection();
      if (connection === undefined) return false;
      for (const delta of deltas)
        connection.publish(`${deltasSubject}.${executionId}`, DeltaBatch.encode({ deltas: [delta] }).finish());
      return true;
    },
    subscribe: (executionId) => {
      const listener = createListener(broker, `${deltasSubject}.${executionId}`, (data) =>
        readers.receive(executionId, decode(data)),
      );
      listeners.set(executionId, listener);
      listener.listen();
      return () => {
        listeners.delete(executionId);
        listener.stop();
      };
    },
    tick: () => {
      for (const { listen } of listeners.values()) listen();
    },
  };
};
