import { createHash } from 'node:crypto';
import { withoutTrailing } from '@weft/service-kit/text';
import type { ShownExecution } from '../read/shown-executions';
import { eventIdOf, type Notification } from './notification';

/** JSON text of an execution as lists show it. */
export type ToJson = (execution: ShownExecution) => string;

/** Maximum bytes of an event. */
export const MAX_EVENT_BYTES = 16 * 1024;

const MAX_MESSAGE = 1_000;
const MAX_NAME = 200;

const eventOf = (execution: ShownExecution, publicUrl: string, toJson: ToJson): string => {
  const attributes = {
    specversion: '1.0',
    id: eventIdOf(execution._id),
    source: `${withoutTrailing(publicUrl, '/')}/api/v1/workflows/${execution.workflowId}`,
    type: 'weft.execution.ended',
    subject: execution._id,
    time: (execution.finishedAt ?? execution.createdAt).toISOString(),
    datacontenttype: 'application/json',
  };
  return `${JSON.stringify(attributes).slice(0, -1)},"data":${toJson(execution)}}`;
};

/** Without the details of its error, which have no limit. */
const withoutDetails = ({ error, ...rest }: ShownExecution): ShownExecution => ({
  ...rest,
  ...(error === undefined
    ? {}
    : {
        error: {
          reason: error.reason,
          message: error.message.slice(0, MAX_MESSAGE),
          node: error.node.slice(0, MAX_NAME),
          errorJson: '',
        },
      }),
});

/** With what always fits. */
const shortest = (execution: ShownExecution): ShownExecution => {
  const { customData: _customData, lastNode, ...rest } = withoutDetails(execution);
  return { ...rest, ...(lastNode === undefined ? {} : { lastNode: lastNode.slice(0, MAX_NAME) }) };
};

/**
 * The CloudEvent of the end of an execution, as JSON text. If it is too large, it leaves out the details of the error,
 * and then the custom data.
 */
export const endedEvent = (execution: ShownExecution, publicUrl: string, toJson: ToJson): string => {
  for (const shortened of [execution, withoutDetails(execution)]) {
    const event = eventOf(shortened, publicUrl, toJson);
    if (Buffer.byteLength(event) <= MAX_EVENT_BYTES) return event;
  }
  return eventOf(shortest(execution), publicUrl, toJson);
};

/** The CloudEvent of a test, as JSON text. */
export const testEvent = (id: string, subscriptionId: string, publicUrl: string, now: Date): string =>
  JSON.stringify({
    specversion: '1.0',
    id: `${id}:test`,
    source: `${withoutTrailing(publicUrl, '/')}/api/v1/event-subscriptions/${subscriptionId}`,
    type: 'weft.subscription.test',
    subject: subscriptionId,
    time: now.toISOString(),
    datacontenttype: 'application/json',
    data: { subscriptionId },
  });

/** One request to a receiver, without its signature. */
export interface EventRequest {
  /** The header webhook-id: the same for the same events. */
  readonly id: string;
  readonly contentType: string;
  readonly body: Buffer;
}

const ID_LENGTH = 22;

/**
 * The request with some events. A subscription to batches gets lists, whatever their length, so that its receiver
 * handles one format.
 */
export const requestOf = (
  events: readonly Pick<Notification, 'event'>[],
  ids: readonly string[],
  isBatch: boolean,
): EventRequest => {
  if (!isBatch)
    return {
      id: ids[0] ?? '',
      contentType: 'application/cloudevents+json; charset=utf-8',
      body: Buffer.from(events[0]?.event ?? ''),
    };
  return {
    id: `batch:${createHash('sha256').update(ids.join('\n')).digest('base64url').slice(0, ID_LENGTH)}`,
    contentType: 'application/cloudevents-batch+json; charset=utf-8',
    body: Buffer.from(`[${events.map(({ event }) => event).join(',')}]`),
  };
};
