import type { EffectFigures } from './checks/check-effects';
import type { Violation } from './checks/evidence';
import type { Plan } from './plan/make-plan';
import type { Recoveries } from './watch/recovery';

/** Result of a run. */
export interface ChaosResult {
  readonly plan: Plan;
  readonly without: readonly string[];
  readonly violations: readonly Violation[];
  readonly records: number;
  /** Records by state. */
  readonly states: Readonly<Record<string, number>>;
  readonly accepted: number;
  /** Executions that were offered to a runner before they were stored. */
  readonly offered: number;
  readonly retries: number;
  readonly slowestAcceptMs: number;
  readonly acceptP99Ms: number;
  /** Faults that were carried out, by category; runners killed by a poisoned run among them. */
  readonly faults: Readonly<Record<string, number>>;
  readonly kills: number;
  /** Reports under expired claims, sent to show that they are refused. */
  readonly lateReports: number;
  readonly effects: EffectFigures;
  /** Runs that were claimed more than once; with the crashes counted. */
  readonly repeated: number;
  readonly crashCount: number;
  readonly recoveries: Recoveries;
  readonly loadMs: number;
  readonly settleMs: number;
}

const MAX_SHOWN = 12;

/** The value below which that share of the values is. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? 0;
};

const recoveryRows = (recoveries: ReadonlyMap<string, readonly number[]>): string[] =>
  [...recoveries]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(
      ([category, values]) =>
        `    ${category.padEnd(26)} ${String(values.length).padStart(5)} ` +
        `${quantile(values, 0.5).toFixed(0).padStart(8)} ms ${quantile(values, 0.99).toFixed(0).padStart(8)} ` +
        'ms',
    );

const counts = (record: Readonly<Record<string, number>>): string =>
  Object.entries(record)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** Violations as lines for readers, grouped by check. */
export const violationLines = (violations: readonly Violation[]): string[] => {
  const byCheck = new Map<string, Violation[]>();
  for (const each of violations) byCheck.set(each.check, [...(byCheck.get(each.check) ?? []), each]);
  return [...byCheck].flatMap(([check, all]) => [
    `  ${all.length} x ${check}`,
    ...all
      .slice(0, MAX_SHOWN)
      .map(({ executionId, what }) => `      ${executionId === '' ? '' : `${executionId}: `}${what}`),
    ...(all.length > MAX_SHOWN ? [`      and ${all.length - MAX_SHOWN} more`] : []),
  ]);
};

/** A result as lines for readers. */
export const resultLines = (result: ChaosResult): string[] => [
  `accepted ${result.accepted}, records ${result.records} (${counts(result.states)}); ` +
    `offered to a runner before they were stored: ${result.offered}`,
  `load ${(result.loadMs / 1_000).toFixed(0)} s, then ${(result.settleMs / 1_000).toFixed(1)} s until all had ended`,
  `faults: ${Object.values(result.faults).reduce((sum, count) => sum + count, 0)}, kills among them ` +
    `${result.kills} (${counts(result.faults)})`,
  `clients: ${result.retries} retries, accepted within ${result.acceptP99Ms.toFixed(0)} ms (p99), slowest ` +
    `${result.slowestAcceptMs.toFixed(0)} ms`,
  `runs claimed more than once: ${result.repeated}; crashes counted at the end: ${result.crashCount}`,
  `late reports under claims that were over: ${result.lateReports}`,
  `side effects: ${result.effects.calls} calls, ${result.effects.duplicates} duplicates, ` +
    `${result.effects.unexcused} of them on no runner that was hit`,
  '  from a fault to the first run that was started after it and answered (count, p50, p99):',
  ...recoveryRows(result.recoveries.service),
  '  from a fault to the next claim or the end of runs on the runner that was hit (count, p50, p99):',
  ...recoveryRows(result.recoveries.runs),
  ...(result.violations.length === 0
    ? ['no violation: all invariants hold']
    : [
        `VIOLATIONS: ${result.violations.length} (seed ${result.plan.seed}, ${result.plan.executions} executions)`,
        ...violationLines(result.violations),
      ]),
];

const millis = (recoveries: ReadonlyMap<string, readonly number[]>): Record<string, unknown> =>
  Object.fromEntries(
    [...recoveries].map(([category, values]) => [
      category,
      { count: values.length, p50Ms: quantile(values, 0.5), p99Ms: quantile(values, 0.99) },
    ]),
  );

/** A result as one JSON object. */
export const resultJson = ({ recoveries, plan, ...rest }: ChaosResult): string =>
  JSON.stringify({
    seed: plan.seed,
    executions: plan.executions,
    ...rest,
    recoveries: { service: millis(recoveries.service), runs: millis(recoveries.runs) },
  });
