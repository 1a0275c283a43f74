import { decodeHint, encodeHint, type ExecutionQueueNames } from '@weft/proto/execution-queue';
import { isConnected, type NatsConnection } from '@weft/service-kit/nats';

/** Subscribes to hints; what is none is ignored. */
const subscribe = (connection: NatsConnection, subject: string, onHint: (about: string) => void): void => {
  connection.subscribe(subject, {
    callback: (error, message) => {
      const about = error === null ? decodeHint(message.data) : undefined;
      if (about !== undefined) onHint(about);
    },
  });
};

const announce = (connection: NatsConnection, subject: string, owner: string): void => {
  if (isConnected(connection)) connection.publish(subject, encodeHint(owner));
};

/** Tells the other runners of an owner with large data. A hint: one that is lost is learned by each runner itself. */
export const announceHeavy = (
  connection: NatsConnection,
  { heavySubject }: ExecutionQueueNames,
  ownerKey: string,
): void => announce(connection, heavySubject, ownerKey);

/** Tells executions of an owner who has many in this runner, which has hardly any slot left. A hint, told again. */
export const announceCrowded = (
  connection: NatsConnection,
  { crowdedSubject }: ExecutionQueueNames,
  ownerId: string,
): void => announce(connection, crowdedSubject, ownerId);

/**
 * Subscribes to what runners say about owners with large data. Whoever invents it makes the runs of an owner go to
 * another process, which executes them all the same.
 */
export const subscribeToHeavy = (
  connection: NatsConnection,
  { heavySubject }: ExecutionQueueNames,
  onHeavy: (ownerKey: string) => void,
): void => subscribe(connection, heavySubject, onHeavy);

/**
 * Subscribes to what the executions service says about versions in quarantine. Whoever invents it makes the runs of a
 * version go to another process, which executes them all the same.
 */
export const subscribeToQuarantine = (
  connection: NatsConnection,
  { quarantineSubject }: ExecutionQueueNames,
  onQuarantined: (versionId: string) => void,
): void => subscribe(connection, quarantineSubject, onQuarantined);
