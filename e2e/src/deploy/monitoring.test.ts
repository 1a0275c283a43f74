import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PROMETHEUS } from '../support/stand-ins/prometheus';
import { DASHBOARDS, MONITORING, readAlerts, readDashboard, type RuleFile } from './monitoring';
import { root } from './services';

const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');
const alerts = readAlerts();
const cases: { readonly tests: readonly { readonly name: string }[] } = parse(read(MONITORING, 'alerts.test.yaml'));

describe('the files of the monitoring component', () => {
  it('are as make.mjs makes them from the alerts and the panels', () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-monitoring-'));
    try {
      execFileSync(process.execPath, [join(MONITORING, 'make.mjs'), folder]);
      expect(parse(read(MONITORING, 'prometheus-rule.yaml'))).toEqual(parse(read(folder, 'prometheus-rule.yaml')));
      for (const name of DASHBOARDS) expect(readDashboard(name)).toEqual(readDashboard(name, folder));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('have one PrometheusRule with exactly the alerts of the rule file', () => {
    const rule: { readonly spec: RuleFile } = parse(read(MONITORING, 'prometheus-rule.yaml'));
    expect(rule.spec).toEqual(parse(read(MONITORING, 'alerts.yaml')));
  });
});

describe.each(alerts)('the alert $alert', ({ alert, labels, annotations }) => {
  it('pages or files a ticket, and has a runbook', () => {
    expect(['page', 'ticket']).toContain(labels.severity);
    const [page = '', anchor = ''] = annotations.runbook_url.split('#');
    const headings = [...read(root, page).matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase());
    expect(headings).toContain(anchor);
    expect(anchor).toBe(alert.toLowerCase());
  });

  it('has a case in which it fires and one in which it is silent', () => {
    const names = cases.tests.map(({ name }) => name);
    expect(names.filter((name) => name.startsWith(`${alert} fires`)).length).toBeGreaterThan(0);
    expect(names.filter((name) => name.startsWith(`${alert} is silent`)).length).toBeGreaterThan(0);
  });
});

// Needs promtool, which is set up on Debian machines only: PROMETHEUS is unset elsewhere.
(PROMETHEUS === '' ? describe.skip : describe)('promtool', () => {
  it.each(['check', 'test'])('%ss the rules', (verb) => {
    const file = verb === 'check' ? 'alerts.yaml' : 'alerts.test.yaml';
    const said = execFileSync(join(PROMETHEUS, 'promtool'), [verb, 'rules', file], { cwd: MONITORING, stdio: 'pipe' });
    expect(said.toString()).toContain('SUCCESS');
  });
});
