/** Search parameters of the screens for administration. */
import type { DeliveryFilter, NotificationFilter } from '../api/operate';
import type { Period } from '../features/executions/search';

const textOf = (value: unknown, pattern: RegExp): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.length <= 200 && pattern.test(text) ? text : undefined;
};

const ID = /^[\w-]+$/;

/** Filter by a project or user. */
export interface OwnerSearch {
  readonly project?: string | undefined;
}

export const readOwnerSearch = (search: Record<string, unknown>): OwnerSearch => ({
  project: textOf(search['project'], ID),
});

/** Type of a new credential. */
export interface NewCredentialSearch {
  readonly type?: string | undefined;
}

export const readNewCredentialSearch = (search: Record<string, unknown>): NewCredentialSearch => ({
  type: textOf(search['type'], /^[A-Za-z0-9]+$/),
});

/** Filters of the audit log. */
export interface AuditSearch {
  /** Id of a user. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Id that the entry is about. */
  readonly target?: string | undefined;
  readonly period?: Period | undefined;
}

export const readAuditSearch = (search: Record<string, unknown>): AuditSearch => ({
  actor: textOf(search['actor'], ID),
  action: textOf(search['action'], /^[\w.-]+$/),
  target: textOf(search['target'], /^\S+$/),
  period: (['1h', '24h', '7d', '30d'] as const).find((word) => word === search['period']),
});

/** Filters of the deliveries. */
export interface DeliverySearch {
  readonly state?: DeliveryFilter | undefined;
  readonly workflow?: string | undefined;
}

export const readDeliverySearch = (search: Record<string, unknown>): DeliverySearch => ({
  state: (['pending', 'delivered', 'refused', 'parked'] as const).find((word) => word === search['state']),
  workflow: textOf(search['workflow'], ID),
});

/** Filter of the notifications of a subscription. */
export interface NotificationSearch {
  readonly state?: NotificationFilter | undefined;
}

export const readNotificationSearch = (search: Record<string, unknown>): NotificationSearch => ({
  state: (['pending', 'delivered', 'failed'] as const).find((word) => word === search['state']),
});
