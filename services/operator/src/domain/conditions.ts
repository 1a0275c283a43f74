import type { Condition, ConditionType, Reason } from './objects';

/** A condition before it has a time. Absent types are removed from the status. */
export interface Finding {
  readonly type: ConditionType;
  readonly status: Condition['status'];
  readonly reason: Reason;
  readonly message: string;
}

const MAX_MESSAGE = 2_000;
const ORDER: readonly ConditionType[] = [
  'Ready',
  'Synced',
  'CredentialsResolved',
  'Activated',
  'Reconciling',
  'Stalled',
];

/** RFC 3339 in seconds, as the API server writes times. */
export const timeText = (now: number): string => `${new Date(now).toISOString().slice(0, 19)}Z`;

export const conditionOf = (conditions: readonly Condition[] | undefined, type: ConditionType): Condition | undefined =>
  conditions?.find((one) => one.type === type);

/**
 * The conditions of a status. The time of one whose status and reason are the same is kept, so that an equal status is
 * not written again.
 */
export const conditionsOf = (
  findings: readonly Finding[],
  former: readonly Condition[] | undefined,
  generation: number,
  now: number,
): readonly Condition[] =>
  ORDER.flatMap((type) => {
    const finding = findings.find((one) => one.type === type);
    if (finding === undefined) return [];
    const before = conditionOf(former, type);
    const isSame = before?.status === finding.status && before.reason === finding.reason;
    return [
      {
        ...finding,
        message: finding.message.slice(0, MAX_MESSAGE),
        observedGeneration: generation,
        lastTransitionTime: isSame ? before.lastTransitionTime : timeText(now),
      },
    ];
  });

/** Milliseconds for which a condition has had its reason in this generation; undefined if it does not. */
export const reasonAge = (
  conditions: readonly Condition[] | undefined,
  type: ConditionType,
  reason: Reason,
  generation: number,
  now: number,
): number | undefined => {
  const found = conditionOf(conditions, type);
  if (found?.status !== 'True' || found.reason !== reason || found.observedGeneration !== generation) return undefined;
  return now - Date.parse(found.lastTransitionTime);
};
