// Writes the generated files: prometheus-rule.yaml and the component monitoring-replacements from alerts.yaml, and the
// dashboards from panels.mjs.
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

const STAT_HEIGHT = 5;

/** Left edge of a figure in a row of `count`: Grafana accepts only whole units. */
const edge = (index, count) => Math.round((index * 24) / count);

const targetsOf = (queries) =>
  queries.map(([legendFormat, expr], number) => ({
    refId: String.fromCharCode(65 + number),
    datasource,
    expr,
    legendFormat,
  }));

const panel = ([title, unit, ...queries], index, first, top) => ({
  id: first + index,
  type: 'timeseries',
  title,
  datasource,
  gridPos: {
    x: (index % PANELS_IN_ROW) * WIDTH,
    y: top + Math.floor(index / PANELS_IN_ROW) * HEIGHT,
    w: WIDTH,
    h: HEIGHT,
  },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  targets: targetsOf(queries),
});

const row = (title, id, y) => ({
  id,
  type: 'row',
  title,
  collapsed: false,
  gridPos: { x: 0, y, w: 24, h: 1 },
  panels: [],
  targets: [],
});

/** One number: green below `bad`, and red from `bad` on; with `isGoodAbove` the other way round. */
const stat = ({ title, description, unit, bad, isGoodAbove = false, query }, index, count, first, y) => ({
  id: first + index,
  type: 'stat',
  title,
  description,
  datasource,
  gridPos: { x: edge(index, count), y, w: edge(index + 1, count) - edge(index, count), h: STAT_HEIGHT },
  options: {
    colorMode: 'background',
    graphMode: 'area',
    reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
  },
  fieldConfig: {
    defaults: {
      unit,
      min: 0,
      noValue: 'no data',
      thresholds: {
        mode: 'absolute',
        steps: [
          { color: isGoodAbove ? 'red' : 'green', value: null },
          { color: isGoodAbove ? 'green' : 'red', value: bad },
        ],
      },
    },
    overrides: [],
  },
  targets: targetsOf([['', query]]),
});

/** All panels of a dashboard: the row of figures that answers a question first, if there is one. */
const panelsOf = ({ panels, answer }) => {
  if (answer === undefined) return panels.map((one, index) => panel(one, index, 1, 0));
  const count = answer.stats.length;
  const first = count + 3;
  return [
    row(answer.question, 1, 0),
    ...answer.stats.map((one, index) => stat(one, index, count, 2, 1)),
    row('Details', count + 2, 1 + STAT_HEIGHT),
    ...panels.map((one, index) => panel(one, index, first, 2 + STAT_HEIGHT)),
  ];
};

const variable = (name, label, more) => ({ name, label, ...more });

const dashboard = (name, { title, ...content }) => ({
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
  panels: panelsOf(content),
});

/** Namespace of the base, and the address below which its readers find the folder docs/. Overlays replace both. */
const NAMESPACE = 'weft';
const RUNBOOKS = 'https://runbooks.example.org';

const METRIC = /\b((?:weft|http_server|nodejs|container|kube|kubelet)_\w+)(\{)?/g;

/** A query that sees one instance only: the filter is the first of every selector. */
const inNamespace = (expr) =>
  expr.replace(METRIC, (_, metric, brace) => `${metric}{namespace="${NAMESPACE}"${brace ? ', ' : '}'}`);

const { groups } = parse(readFileSync(join(here, 'alerts.yaml'), 'utf8'));
const ruleOf = (alert) => ({
  ...alert,
  expr: inNamespace(alert.expr),
  annotations: { ...alert.annotations, runbook_url: `${RUNBOOKS}/${alert.annotations.runbook_url}` },
});
const rule = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'weft', labels: { 'app.kubernetes.io/name': 'weft' } },
  spec: { groups: groups.map((group) => ({ ...group, rules: group.rules.map(ruleOf) })) },
};

/** Where a query names the namespace: the numbers of the pieces between its quotes. */
const piecesOf = (expr) =>
  expr.split('"').flatMap((piece, index, pieces) => (pieces[index - 1]?.endsWith('namespace=') ? [index] : []));
const select = { kind: 'PrometheusRule', name: 'weft' };
const podMonitor = { kind: 'PodMonitor', name: 'weft' };
const replacements = [
  {
    source: { ...podMonitor, fieldPath: 'metadata.namespace' },
    targets: rule.spec.groups.flatMap(({ rules }, group) =>
      rules.flatMap(({ expr }, number) =>
        piecesOf(expr).map((index) => ({
          select,
          fieldPaths: [`spec.groups.${group}.rules.${number}.expr`],
          options: { delimiter: '"', index },
        })),
      ),
    ),
  },
  {
    source: { ...podMonitor, fieldPath: 'metadata.annotations.[weft.dev/runbooks]' },
    targets: [
      {
        select,
        fieldPaths: ['spec.groups.*.rules.*.annotations.runbook_url'],
        options: { delimiter: '/docs/', index: 0 },
      },
    ],
  },
];

const replaced = join(target, '../monitoring-replacements');
for (const folder of [join(target, 'dashboards'), replaced]) mkdirSync(folder, { recursive: true });
const writeYaml = (file, head, content) =>
  writeFileSync(file, `# Made by make.mjs from alerts.yaml${head}.\n${stringify(content, { lineWidth: 120 })}`);
writeYaml(join(target, 'prometheus-rule.yaml'), '', rule);
writeYaml(
  join(replaced, 'replacements.yaml'),
  ': puts the namespace of the overlay, and the address of its runbooks, into the alerts',
  replacements,
);
for (const [name, one] of Object.entries(DASHBOARDS))
  writeFileSync(join(target, 'dashboards', `${name}.json`), `${JSON.stringify(dashboard(name, one), null, 2)}\n`);
