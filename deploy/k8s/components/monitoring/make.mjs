// Writes the generated files: prometheus-rule.yaml from alerts.yaml, and the dashboards from panels.mjs.
//   npm run monitoring:gen [-- FOLDER]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { DASHBOARDS } from './panels.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? here;
const PANELS_IN_ROW = 3;
const [WIDTH, HEIGHT] = [24 / PANELS_IN_ROW, 8];
const datasource = { type: 'prometheus', uid: '${datasource}' };

const panel = ([title, unit, ...queries], index) => ({
  id: index + 1,
  type: 'timeseries',
  title,
  datasource,
  gridPos: {
    x: (index % PANELS_IN_ROW) * WIDTH,
    y: Math.floor(index / PANELS_IN_ROW) * HEIGHT,
    w: WIDTH,
    h: HEIGHT,
  },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  targets: queries.map(([legendFormat, expr], number) => ({
    refId: String.fromCharCode(65 + number),
    datasource,
    expr,
    legendFormat,
  })),
});

const variable = (name, label, more) => ({ name, label, ...more });

const dashboard = (name, { title, panels }) => ({
  uid: `weft-${name}`,
  title,
  tags: ['weft'],
  schemaVersion: 39,
  editable: true,
  refresh: '30s',
  time: { from: 'now-1h', to: 'now' },
  templating: {
    list: [
      variable('datasource', 'Data source', { type: 'datasource', query: 'prometheus' }),
      variable('namespace', 'Namespace', {
        type: 'query',
        datasource,
        query: { query: 'label_values(weft_build_info, namespace)', refId: 'namespace' },
        refresh: 2,
        includeAll: true,
        allValue: '.*',
        current: { text: 'All', value: '$__all' },
      }),
    ],
  },
  panels: panels.map(panel),
});

const rule = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'weft', labels: { 'app.kubernetes.io/name': 'weft' } },
  spec: parse(readFileSync(join(here, 'alerts.yaml'), 'utf8')),
};

mkdirSync(join(target, 'dashboards'), { recursive: true });
writeFileSync(
  join(target, 'prometheus-rule.yaml'),
  `# Made by make.mjs from alerts.yaml.\n${stringify(rule, { lineWidth: 120 })}`,
);
for (const [name, one] of Object.entries(DASHBOARDS))
  writeFileSync(join(target, 'dashboards', `${name}.json`), `${JSON.stringify(dashboard(name, one), null, 2)}\n`);
