import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './services';

/** Folder of the alerts and dashboards. */
export const MONITORING = join(root, 'deploy', 'k8s', 'components', 'monitoring');

/** Names of the dashboards. */
export const DASHBOARDS = ['overview', 'executions', 'dependencies'] as const;

/** An alert of the rule file. */
export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}
/** A rule file of Prometheus. */
export interface RuleFile {
  readonly groups: readonly { readonly rules: readonly Alert[] }[];
}
/** The fields of a Grafana dashboard that tests read. */
export interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

/** All alerts of the rule file. */
export const readAlerts = (): readonly Alert[] => {
  const file: RuleFile = parse(readFileSync(join(MONITORING, 'alerts.yaml'), 'utf8'));
  return file.groups.flatMap(({ rules }) => rules);
};

/** A dashboard as it is shipped. */
export const readDashboard = (name: string, folder = MONITORING): Dashboard => {
  const dashboard: Dashboard = JSON.parse(readFileSync(join(folder, 'dashboards', `${name}.json`), 'utf8'));
  return dashboard;
};
