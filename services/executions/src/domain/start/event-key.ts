import { InvalidRequest } from '@weft/service-kit/errors';
import { idAt } from '../state/id-at';
import { MAX_KEY_LENGTH } from '../state/limits';

/** The key of a sender's event: repeated calls of a webhook with the same event have the same key. */
export interface EventKey {
  /** A digest that includes the content of the call: another content is another event. */
  readonly key: string;
  /** The digest is that of signed content. */
  readonly isSigned: boolean;
}

/** An event of a start. */
export interface EventOfStart {
  readonly workflowId: string;
  readonly startNode: string;
  readonly event: EventKey;
}

const HOUR_MS = 3_600_000;

/** Milliseconds for which the key of an unsigned event is known: longer than senders repeat calls. */
const EVENT_KEY_MS = 24 * HOUR_MS;

/** The dedupe key of an event, which no Idempotency-Key can equal. @throws InvalidRequest */
export const idempotencyKeyOfEvent = ({ workflowId, startNode, event: { key, isSigned } }: EventOfStart): string => {
  if (key === '' || key.length > MAX_KEY_LENGTH)
    throw new InvalidRequest('The start is not valid.', [
      { field: 'eventKey', message: `Use 1 to ${MAX_KEY_LENGTH} characters.` },
    ]);
  return `${isSigned ? 'signed' : 'event'}:${workflowId}:${startNode}:${key}`;
};

/**
 * True if an event may start a run again, although the execution that it started still exists.
 * @param executionId of that execution; it begins with the time of its acceptance
 */
export const isForgotten = ({ isSigned }: EventKey, executionId: string, now: number): boolean =>
  !isSigned && executionId < idAt(new Date(now - EVENT_KEY_MS));
