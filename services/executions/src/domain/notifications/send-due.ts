import { isRetryable, messageOf, ServiceError } from '@weft/service-kit/errors';
import type { Clock } from '../state/ports';
import { requestOf, type EventRequest } from './event';
import {
  eventIdOf,
  retryDelayMs,
  type Attempt,
  type Notification,
  type NotificationStore,
  type Taken,
} from './notification';
import { FAILING_MS, type EventSubscription, type PauseReason, type SubscriptionStore } from './subscription';

/** A request that is to be signed. */
export interface UnsignedRequest {
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly body: Buffer;
}

/**
 * Signs requests with the credential of a subscription. Without requests, it checks the credential.
 * @returns the value of the header webhook-signature for each, in order
 * @throws the refusal of the credentials service; Unavailable
 */
export type SignRequests = (
  subscription: Pick<EventSubscription, 'id' | 'ownerId'> & { readonly credentialId: string },
  requests: readonly UnsignedRequest[],
) => Promise<readonly string[]>;

/** One request to a receiver. */
export interface SignedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The previous request of the subscription failed. */
  readonly isFailing: boolean;
}

/** Response of a receiver: its status, or why there was none. */
export type ReceiverResponse = { readonly status: number } | { readonly error: string };

/** Lets a runner send a request. @throws Unavailable if no runner can send it now */
export type SendRequest = (request: SignedRequest) => Promise<ReceiverResponse>;

/** Ports of sending. */
export interface SendPorts {
  readonly notifications: Pick<NotificationStore, 'take' | 'complete'>;
  readonly subscriptions: Pick<SubscriptionStore, 'pause' | 'setFailing'>;
  readonly sign: SignRequests;
  readonly send: SendRequest;
  /** Called when a subscription has been changed. */
  readonly onChanged: (subscriptionId: string) => Promise<void>;
  /** Called with the number of notifications in each attempt. */
  readonly onAttempt: (isDelivered: boolean, count: number) => void;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
}

/**
 * Outcome of sending the due notifications of a subscription. `idle`: there were none; `unavailable`: a service that is
 * needed for sending is not available, and no attempt counts.
 */
export type SendOutcome =
  | { readonly kind: 'idle' }
  | { readonly kind: 'delivered' | 'failed'; readonly mayHaveMore: boolean }
  | { readonly kind: 'unavailable'; readonly error: unknown };

/** Maximum number of notifications that one pass takes. */
export const MAX_TAKEN = 50;

/** Milliseconds after which a pass sends no further request. */
const PASS_MS = 20_000;
/** Milliseconds after which another pass may send what a pass has taken: more than the last request takes. */
const TAKEN_MS = 40_000;

const GONE = 410;

const MAX_ERROR = 300;

interface Group {
  readonly notifications: readonly Notification[];
  readonly request: EventRequest;
}

const groupsOf = (taken: readonly Notification[], batch: number): readonly Group[] => {
  const groups: Group[] = [];
  for (let from = 0; from < taken.length; from += batch) {
    const notifications = taken.slice(from, from + batch);
    const ids = notifications.map(({ executionId }) => eventIdOf(executionId));
    groups.push({ notifications, request: requestOf(notifications, ids, batch > 1) });
  }
  return groups;
};

/** Why a request failed; undefined: it did not. */
export const failureOf = (response: ReceiverResponse): string | undefined => {
  if ('error' in response) return response.error.slice(0, MAX_ERROR);
  const { status } = response;
  if (status >= 200 && status < 300) return undefined;
  const hint = status >= 300 && status < 400 ? ': redirects are not followed' : '';
  return `The receiver responded with ${status}${hint}.`;
};

/** Headers of a signed or unsigned request. */
export const headersOf = (
  { id, contentType }: EventRequest,
  timestamp: number,
  signature: string | undefined,
): Readonly<Record<string, string>> => ({
  'content-type': contentType,
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  ...(signature === undefined ? {} : { 'webhook-signature': signature }),
});

/** Reason of an unexpected error, which says nothing about the credential. */
const INTERNAL = 'INTERNAL_ERROR';

/** A refusal that repeating does not change: the credential was deleted, or may not be used any more. */
const refusalOf = (error: unknown): string | undefined =>
  error instanceof ServiceError && !isRetryable(error.kind) && error.reason !== INTERNAL
    ? `The request could not be signed: ${messageOf(error)}`.slice(0, MAX_ERROR)
    : undefined;

/** Attempts of one pass, and what ended it early. */
interface Pass {
  readonly attempts: Attempt[];
  isGone: boolean;
  unavailable?: unknown;
}

const signAll = async (
  subscription: EventSubscription,
  groups: readonly Group[],
  timestamp: number,
  sign: SignRequests,
): Promise<readonly (string | undefined)[]> => {
  const { credentialId } = subscription;
  if (credentialId === undefined) return [];
  const requests = groups.map(({ request: { id, body } }) => ({ id, timestamp, body }));
  return sign({ ...subscription, credentialId }, requests);
};

/** Sends one request after the other, up to the first that fails. */
const sendGroups = async (
  subscription: EventSubscription,
  groups: readonly Group[],
  { sign, send, clock }: SendPorts,
  isStopping: () => boolean,
): Promise<Pass> => {
  const startedAt = clock();
  const timestamp = Math.floor(startedAt / 1_000);
  const pass: Pass = { attempts: [], isGone: false };
  let signatures: readonly (string | undefined)[];
  try {
    signatures = await signAll(subscription, groups, timestamp, sign);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) pass.unavailable = error;
    else
      pass.attempts.push({
        notifications: groups.flatMap(({ notifications }) => notifications),
        at: new Date(clock()),
        error: refusal,
      });
    return pass;
  }
  for (const [index, { notifications, request }] of groups.entries()) {
    if (isStopping() || clock() - startedAt >= PASS_MS) return pass;
    let response: ReceiverResponse;
    try {
      response = await send({
        url: subscription.url,
        headers: headersOf(request, timestamp, signatures[index]),
        body: request.body,
        isFailing: subscription.failingSince !== undefined,
      });
    } catch (error) {
      pass.unavailable = error;
      return pass;
    }
    const error = failureOf(response);
    pass.attempts.push({
      notifications,
      at: new Date(clock()),
      ...('status' in response ? { responseStatus: response.status } : {}),
      ...(error === undefined ? {} : { error }),
    });
    pass.isGone = 'status' in response && response.status === GONE;
    if (error !== undefined) return pass;
  }
  return pass;
};

/** Records whether the receiver works, and pauses the subscription if it must not be called any more. */
const judge = async (
  { id, failingSince }: EventSubscription,
  { isGone }: Pass,
  isFailed: boolean,
  { subscriptions, onChanged, clock }: SendPorts,
): Promise<void> => {
  const now = new Date(clock());
  const pause = async (reason: PauseReason): Promise<boolean> => subscriptions.pause(id, { reason, at: now });
  const isChanged = async (): Promise<boolean> => {
    if (!isFailed) return failingSince !== undefined && subscriptions.setFailing(id, undefined);
    if (isGone) return pause('gone');
    if (failingSince === undefined) return subscriptions.setFailing(id, now);
    return now.getTime() - failingSince.getTime() >= FAILING_MS && pause('failing');
  };
  if (await isChanged()) await onChanged(id);
};

/**
 * Sends the due notifications of one subscription, at most 50 and for 20 s. A pass that dies loses nothing: another one
 * sends what it had taken 40 s later, under the same ids.
 * @throws Unavailable if the store cannot be reached
 */
export type SendDue = (subscription: EventSubscription, isStopping: () => boolean) => Promise<SendOutcome>;

/** Signs the requests first: if their credential cannot be used, nothing is sent. */
export const createSendDue =
  (ports: SendPorts): SendDue =>
  async (subscription, isStopping) => {
    const { notifications: store, onAttempt, clock, random } = ports;
    const now = clock();
    const taken: Taken = await store.take(subscription.id, new Date(now), new Date(now + TAKEN_MS), MAX_TAKEN);
    if (taken.notifications.length === 0) return { kind: 'idle' };
    const groups = groupsOf(taken.notifications, subscription.batch);
    const pass = await sendGroups(subscription, groups, ports, isStopping);
    const { attempts, unavailable } = pass;
    await store.complete(taken, attempts, new Date(clock()), (failures) => {
      const delay = retryDelayMs(failures, random());
      return delay === undefined ? undefined : new Date(clock() + delay);
    });
    for (const { error, notifications } of attempts) onAttempt(error === undefined, notifications.length);
    const last = attempts.at(-1);
    const isFailed = last?.error !== undefined;
    if (last !== undefined) await judge(subscription, pass, isFailed, ports);
    if (unavailable !== undefined) return { kind: 'unavailable', error: unavailable };
    const mayHaveMore = taken.notifications.length === MAX_TAKEN || attempts.length < groups.length;
    return { kind: isFailed ? 'failed' : 'delivered', mayHaveMore };
  };
