import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFESTS, renderBase } from '@weft/e2e/rendered';
import { root, SERVICES } from '@weft/e2e/services';
import { cellsOf, totalsOf } from '@weft/e2e/sizes';
import { valueUnder, type Tree } from './annotated-tree';
import { CHART_VALUES } from './chart-values';
import { emitObject, emitTree } from './emit-template';
import { createHoles, NAMESPACE } from './holes';
import { at, type Json } from './json';
import { readBase, readManifests, type AnnotatedObject } from './read-manifests';
import { readmeOf, schemaOf, valuesYamlOf, type FilledValue } from './write-values';

/** Folder of the chart. */
export const CHART = join(root, 'deploy/helm/weft');

const DASHBOARDS = join(MANIFESTS, 'components/monitoring/dashboards');
const GENERATED = 'Made by `npm run chart:gen` from deploy/k8s; do not edit.';

const replicasInProduction = (): ReadonlyMap<string, number> => {
  const objects = readBase(['fixed-replicas'], NAMESPACE);
  return new Map(
    SERVICES.map((service) => [service, Number(at(objects.get(`Deployment/weft-${service}`), 'spec', 'replicas'))]),
  );
};

const dataOf = ({ id, tree }: AnnotatedObject): Tree => {
  const data = tree.kind === 'map' ? tree.entries.find(({ key }) => key === 'data') : undefined;
  if (data === undefined) throw new Error(`${id} has no data.`);
  return data.node;
};

/** Rows of the profiles for the README. */
const totals = (): string => {
  const profiles = {
    small: ['mongodb-single', 'nats-single', 'small'],
    production: ['production', 'nats-cluster', 'fixed-replicas'],
  } as const;
  return Object.entries(profiles)
    .map(([profile, components]) => `| \`${profile}\` | ${cellsOf(totalsOf(renderBase(components)))} |`)
    .join('\n');
};

/** Chart.yaml with the version of the repository. */
const chartYaml = (): string => {
  const { version }: { readonly version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return [
    `# ${GENERATED}`,
    'apiVersion: v2',
    'name: weft',
    'description: Workflow automation. Stores graphs of nodes and runs them by API, webhook, schedule or gRPC.',
    'type: application',
    `version: ${version}`,
    `appVersion: ${JSON.stringify(version)}`,
    'kubeVersion: ">=1.30.0-0"',
    'keywords: [workflow, automation, n8n]',
    '',
  ].join('\n');
};

/**
 * The values with their defaults, those of the manifests included.
 * @param found what the manifests have where a value has its place
 * @throws Error if a value has no place in the manifests, or a place no value
 */
const filledValues = (found: ReadonlyMap<string, Json>): readonly FilledValue[] => {
  for (const path of found.keys())
    if (!CHART_VALUES.some((value) => value.path === path)) throw new Error(`The chart has no value ${path}.`);
  return CHART_VALUES.map((value) => {
    const filled = value.default === undefined ? found.get(value.path) : value.default;
    if (filled === undefined) throw new Error(`No place in the manifests is ${value.path}.`);
    return { ...value, default: filled };
  });
};

/** Folders of the chart in which every file is generated. */
const GENERATED_FOLDERS = ['templates/manifests', 'dashboards'] as const;

/** The generated files of the chart, by their paths in its folder. */
export const makeChart = (): ReadonlyMap<string, string> => {
  const defaults = new Map<string, Json>();
  const note = (value: string, found: Json): void => {
    if (!defaults.has(value)) defaults.set(value, found);
  };
  const holes = createHoles(replicasInProduction(), note);
  const objects = readManifests(NAMESPACE);
  const ingress = objects.find(({ id }) => id === 'Ingress/weft-gateway');
  if (ingress !== undefined)
    note('ingress.annotations', at(valueUnder(ingress.tree, new Set(['ingress'])), 'metadata', 'annotations') ?? {});
  const files = new Map<string, string>();
  const mark = `{{- /* ${GENERATED} */ -}}\n`;
  for (const { id, when, tree, file } of objects) {
    const path = `templates/manifests/${file}.yaml`;
    files.set(path, `${files.get(path) ?? mark}${emitObject(id, when, tree, holes)}`);
  }
  const settings = SERVICES.map((service) => {
    const map = objects.find(({ id }) => id === `ConfigMap/weft-${service}`);
    if (map === undefined) throw new Error(`The manifests have no settings of ${service}.`);
    const lines = emitTree(dataOf(map), { path: `${map.id}:data`, indent: '', known: {}, holes });
    return [`{{- define "weft.defaults.${service}" }}`, ...lines, '{{- end }}', ''].join('\n');
  });
  files.set('templates/_settings.tpl', `${mark}${settings.join('\n')}`);
  const nats = objects.find(({ id, file }) => id === 'ConfigMap/weft-nats' && file === 'nats-cluster');
  if (nats !== undefined)
    files.set(
      'templates/_nats.tpl',
      [
        `${mark}{{- define "weft.natsConfig" }}`,
        ...emitTree(dataOf(nats), { path: `${nats.id}:data`, indent: '', known: {}, holes }),
        '{{- end }}',
        '',
      ].join('\n'),
    );
  const values = filledValues(defaults);
  files.set('values.yaml', valuesYamlOf(values));
  files.set('values.schema.json', `${JSON.stringify(schemaOf(values), null, 2)}\n`);
  const head = readFileSync(join(root, 'deploy/helm/README.head.md'), 'utf8');
  files.set('README.md', readmeOf(values, head.replace('TOTALS', totals())));
  files.set('Chart.yaml', chartYaml());
  const copies = {
    'scripts/k8s/make-secrets.mjs': join(MANIFESTS, 'make-secrets.mjs'),
    'scripts/make-keys.mjs': join(root, 'deploy/make-keys.mjs'),
    ...Object.fromEntries(readdirSync(DASHBOARDS).map((file) => [`dashboards/${file}`, join(DASHBOARDS, file)])),
  };
  for (const [path, source] of Object.entries(copies)) files.set(path, readFileSync(source, 'utf8'));
  return files;
};

/** Paths of files that `writeChart` would change or remove. */
export const staleFiles = (): readonly string[] => {
  const made = makeChart();
  const stale = [...made].filter(
    ([path, content]) => !existsSync(join(CHART, path)) || readFileSync(join(CHART, path), 'utf8') !== content,
  );
  const present = GENERATED_FOLDERS.flatMap((folder) =>
    readdirSync(join(CHART, folder)).map((file) => `${folder}/${file}`),
  );
  return [...stale.map(([path]) => path), ...present.filter((path) => !made.has(path))];
};

/** Writes the generated files into a folder with the files of the chart that are written by hand. */
export const writeChart = (folder: string): void => {
  const made = makeChart();
  for (const name of GENERATED_FOLDERS) rmSync(join(folder, name), { recursive: true, force: true });
  for (const [path, content] of made) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
};
