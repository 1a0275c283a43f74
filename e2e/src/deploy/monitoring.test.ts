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
    const parent = mkdtempSync(join(tmpdir(), 'weft-monitoring-'));
    const folder = join(parent, 'monitoring');
    try {
      execFileSync(process.execPath, [join(MONITORING, 'make.mjs'), folder]);
      for (const file of ['prometheus-rule.yaml', '../monitoring-replacements/replacements.yaml'])
        expect(parse(read(MONITORING, file))).toEqual(parse(read(folder, file)));
      for (const name of DASHBOARDS) expect(readDashboard(name)).toEqual(readDashboard(name, folder));
    } finally {
      rmSync(parent, { recursive: true });
    }
  });

  it('have one PrometheusRule with the alerts of the rule file, for one namespace and with runbooks to click', () => {
    const { spec }: { readonly spec: RuleFile } = parse(read(MONITORING, 'prometheus-rule.yaml'));
    const rules = spec.groups.flatMap((group) => group.rules);
    const plain = rules.map(({ expr, annotations, ...rule }) => ({
      ...rule,
      expr: expr.replaceAll('{namespace="weft"}', '').replaceAll('namespace="weft", ', ''),
      annotations: {
        ...annotations,
        runbook_url: annotations.runbook_url.replace('https://runbooks.example.org/', ''),
      },
    }));
    expect(plain).toEqual(alerts);
    // Every selector of a metric begins with the namespace.
    const selectors = rules.flatMap(
      ({ expr }) => expr.match(/\b(weft|http_server|nodejs|container|kube|kubelet)_\w+.{0,18}/g) ?? [],
    );
    expect(selectors.length).toBeGreaterThan(alerts.length);
    expect(selectors.filter((selector) => !selector.includes('{namespace="weft"'))).toEqual([]);
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
  it('accepts the rules', () => {
    const said = execFileSync(join(PROMETHEUS, 'promtool'), ['check', 'rules', 'alerts.yaml'], {
      cwd: MONITORING,
      stdio: 'pipe',
    });
    expect(said.toString()).toContain('SUCCESS');
  });
});
