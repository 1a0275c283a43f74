import type { Violation } from '../checks/evidence';
import { quantile, violationLines } from '../report';

/** One line of the table. */
export type Figure = readonly [name: string, value: string];

/** Result of a scenario. */
export interface ScenarioResult {
  readonly scenario: string;
  readonly figures: readonly Figure[];
  readonly violations: readonly Violation[];
}

/** Median, 99th percentile and maximum of some times. */
export const spread = (values: readonly number[]): string =>
  values.length === 0
    ? 'none'
    : `p50 ${quantile(values, 0.5).toFixed(0)} ms, p99 ${quantile(values, 0.99).toFixed(0)} ms, most ` +
      `${values.reduce((most, value) => Math.max(most, value), 0).toFixed(0)} ms (${values.length})`;

/** A result as lines for readers. */
export const scenarioLines = ({ scenario, figures, violations }: ScenarioResult): string[] => {
  const width = Math.max(...figures.map(([name]) => name.length));
  return [
    `${scenario}:`,
    ...figures.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    ...(violations.length === 0
      ? ['no violation']
      : [`VIOLATIONS: ${violations.length}`, ...violationLines(violations)]),
  ];
};

/** A result as one JSON object. */
export const scenarioJson = ({ scenario, figures, violations }: ScenarioResult): string =>
  JSON.stringify({ scenario, figures: Object.fromEntries(figures), violations });
