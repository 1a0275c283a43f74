import { createCounter, createGauge } from '@weft/service-kit/metrics';
import type { Result } from './domain/facts';
import { conditionOf } from './domain/conditions';
import type { Condition, Kind } from './domain/objects';

const KINDS = ['WeftWorkflow', 'WeftCredential', 'WeftApp'] as const;
const RESULTS = ['unchanged', 'applied', 'waiting', 'refused', 'failed', 'deleted'] as const;
const STATES = ['ready', 'reconciling', 'stalled', 'other'] as const;

/** Read whenever metrics are collected. */
export interface MetricSources {
  readonly queueSize: () => number;
  /** Unix seconds; 0: never. */
  readonly lastSuccess: () => number;
  readonly conditions: (kind: Kind) => Iterable<readonly Condition[] | undefined>;
}

const isTrue = (conditions: readonly Condition[] | undefined, type: Condition['type']): boolean =>
  conditionOf(conditions, type)?.status === 'True';

const stateOf = (conditions: readonly Condition[] | undefined): (typeof STATES)[number] => {
  if (isTrue(conditions, 'Stalled')) return 'stalled';
  if (isTrue(conditions, 'Reconciling')) return 'reconciling';
  return isTrue(conditions, 'Ready') ? 'ready' : 'other';
};

/** Shows the state of the operator. @returns a function that counts a reconciliation, and one that ends the display */
export const createOperatorMetrics = ({ queueSize, lastSuccess, conditions }: MetricSources) => {
  const reconciliations = createCounter({
    name: 'weft_operator_reconciliations_total',
    help: 'Reconciliations of objects, by kind and result.',
    labels: { kind: KINDS, result: RESULTS },
  });
  const queue = createGauge({
    name: 'weft_operator_queue_objects',
    help: 'Objects that are due or being reconciled.',
    labels: {},
  });
  const success = createGauge({
    name: 'weft_operator_last_success_timestamp_seconds',
    help: 'Unix time of the last reconciliation or poll of Weft that succeeded, in seconds.',
    labels: {},
  });
  const objects = createGauge({
    name: 'weft_operator_objects',
    help: 'Objects in the cluster, by kind and state: ready, reconciling, stalled, or other.',
    labels: { kind: KINDS, state: STATES },
  });
  const removals = [
    queue.read(() => [[{}, queueSize()]]),
    success.read(() => [[{}, lastSuccess()]]),
    objects.read(() =>
      KINDS.flatMap((kind) => {
        const counts = new Map<(typeof STATES)[number], number>(STATES.map((state) => [state, 0]));
        for (const found of conditions(kind)) counts.set(stateOf(found), (counts.get(stateOf(found)) ?? 0) + 1);
        return [...counts].map(([state, count]) => [{ kind, state }, count] as const);
      }),
    ),
  ];
  return {
    count: (kind: Kind, result: Result): void => reconciliations.inc({ kind, result }),
    remove: (): void => removals.forEach((remove) => remove()),
  };
};
