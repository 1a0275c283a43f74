import {
  decodeExecutionIds,
  decodeHint,
  encodeExecutionIds,
  encodeHint,
  type ExecutionQueueNames,
} from '@weft/proto/execution-queue';
import { isConnected, type NatsConnection } from '@weft/service-kit/nats';

/** Subscribes to hints; ignores those that `decode` returns undefined for. */
const subscribe = <Hint>(
  connection: NatsConnection,
  subject: string,
  decode: (data: Uint8Array) => Hint | undefined,
  onHint: (hint: Hint) => void,
): void => {
  connection.subscribe(subject, {
    callback: (error, message) => {
      const hint = error === null ? decode(message.data) : undefined;
      if (hint !== undefined) onHint(hint);
    },
  });
};

const announce = (connection: NatsConnection, subject: string, owner: string): void => {
  if (isConnected(connection)) connection.publish(subject, encodeHint(owner));
};

/** Reports an owner with large data to the other runners. A hint: if it is lost, each runner finds out itself. */
export const announceOverShare = (
  connection: NatsConnection,
  { overShareSubject }: ExecutionQueueNames,
  ownerKey: string,
): void => announce(connection, overShareSubject, ownerKey);

/** Reports an owner with many executions in this nearly full runner to executions. A hint, repeated. */
export const announceSaturating = (
  connection: NatsConnection,
  { saturatingSubject }: ExecutionQueueNames,
  ownerId: string,
): void => announce(connection, saturatingSubject, ownerId);

/**
 * Subscribes to reports of runners about owners with large data. A forged report only moves the runs of an owner to
 * another process, which executes them anyway.
 */
export const subscribeToOverShare = (
  connection: NatsConnection,
  { overShareSubject }: ExecutionQueueNames,
  onOverShare: (ownerKey: string) => void,
): void => subscribe(connection, overShareSubject, decodeHint, onOverShare);

/**
 * Subscribes to reports of the executions service about quarantined versions. A forged report only moves the runs of a
 * version to another process, which executes them anyway.
 */
export const subscribeToQuarantine = (
  connection: NatsConnection,
  { quarantineSubject }: ExecutionQueueNames,
  onQuarantined: (versionId: string) => void,
): void => subscribe(connection, quarantineSubject, decodeHint, onQuarantined);

/**
 * Subscribes to the ids of executions that were cancelled or timed out. A hint only: a forged message makes a runner
 * check its claims, and cannot end them; a lost message delays the abort to the next heartbeat.
 */
export const subscribeToStopped = (
  connection: NatsConnection,
  { stoppedSubject }: ExecutionQueueNames,
  onStopped: (executionIds: readonly string[]) => void,
): void => subscribe(connection, stoppedSubject, decodeExecutionIds, onStopped);

/** Maximum ids per message. */
const MAX_IDS = 200;

/** Notifies the replicas at which these executions are followed. A hint: if it is lost, they find out by a poll. */
export const announceProgressed = (
  connection: NatsConnection,
  { progressedSubject }: ExecutionQueueNames,
  executionIds: readonly string[],
): void => {
  if (!isConnected(connection)) return;
  for (let from = 0; from < executionIds.length; from += MAX_IDS)
    connection.publish(progressedSubject, encodeExecutionIds(executionIds.slice(from, from + MAX_IDS)));
};

/** Sends parts of text to the replicas at which an execution is followed. Lost ones are not repeated. */
export const sendStreamed = (
  connection: NatsConnection,
  { deltasSubject }: ExecutionQueueNames,
  executionId: string,
  batch: Uint8Array,
): void => {
  if (isConnected(connection)) connection.publish(`${deltasSubject}.${executionId}`, batch);
};

/**
 * Subscribes to announcements of followed executions. A forged one costs a heartbeat for each change of a run, as long
 * as it is repeated.
 */
export const subscribeToFollowed = (
  connection: NatsConnection,
  { followedSubject }: ExecutionQueueNames,
  onFollowed: (executionIds: readonly string[]) => void,
): void => subscribe(connection, followedSubject, decodeExecutionIds, onFollowed);
