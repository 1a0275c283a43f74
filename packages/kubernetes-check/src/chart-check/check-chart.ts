import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Report, runAsCommand, StackError, tryCommand } from '@weft/local-stack';
import { COMPONENTS, HAS_KUBECTL, MANIFESTS, objectsOf, render } from '@weft/e2e/rendered';
import { compareObjects, imagesOf } from './compare-objects';
import { allComparisons, imageOf, PRODUCTION, type Comparison } from './comparisons';
import { findHelm } from './find-helm';
import { isList, isMap, type Json, type JsonMap } from '../chart/json';
import { LAYERS } from '../chart/layers';
import { CHART, makeChart } from '../chart/make-chart';
import { readBase, withoutHashes } from '../chart/read-manifests';
import { proveDigests } from './prove-digests';
import { REJECTIONS } from './rejections';

/** A namespace other than that of the manifests: nothing may name that one. */
const NAMESPACE = 'other';
const MIXTURES = 12;

/** The objects of the chart with values, or what helm says. */
type Template = (values: JsonMap) => Promise<{ readonly objects: readonly JsonMap[]; readonly problem: string }>;

const templateWith =
  (helm: string, folder: string): Template =>
  async (values) => {
    const file = join(folder, 'values.json');
    writeFileSync(file, JSON.stringify(values));
    const args = ['template', 'weft', CHART, '-n', NAMESPACE, '-f', file];
    const { code, stdout, stderr } = await tryCommand(helm, args);
    if (code !== 0) return { objects: [], problem: stderr.trim() };
    const made: readonly JsonMap[] = JSON.parse(JSON.stringify(objectsOf(stdout).filter((one) => one !== null)));
    return { objects: made, problem: '' };
  };

const withImages = (value: Json): Json => {
  if (isList(value)) return value.map(withImages);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'image' && typeof inner === 'string' ? imageOf(inner) : withImages(inner),
    ]),
  );
};

/** @returns sentences on files of the chart that `npm run chart:gen` would write in another way */
const staleFiles = (): readonly string[] => {
  const made = makeChart();
  const stale = [...made].filter(
    ([path, content]) => !existsSync(join(CHART, path)) || readFileSync(join(CHART, path), 'utf8') !== content,
  );
  const left = readdirSync(join(CHART, 'templates/manifests')).filter(
    (file) => !made.has(`templates/manifests/${file}`),
  );
  const dashboards = join(MANIFESTS, 'components/monitoring/dashboards');
  const copies = readdirSync(dashboards).filter(
    (file) => readFileSync(join(dashboards, file), 'utf8') !== readFileSync(join(CHART, 'dashboards', file), 'utf8'),
  );
  return [...stale.map(([path]) => path), ...left, ...copies].map(
    (path) => `${path} is out of date: run npm run chart:gen`,
  );
};

/** @returns sentences on components that no value of the chart is */
const missingComponents = (): readonly string[] => {
  const known = ['fixed-replicas', ...LAYERS.map(({ component }) => component)];
  return COMPONENTS.filter((name) => !known.includes(name)).map(
    (name) => `The component ${name} is not in the chart: add it to layers.ts and comparisons.ts`,
  );
};

const compare = async (
  template: Template,
  { components, values }: Comparison,
  report: Report,
): Promise<readonly string[]> => {
  const expected = [...readBase(components, NAMESPACE).values()].map((object) => Object(withImages(object)));
  const { objects, problem } = await template(values);
  const name = components.join(' + ');
  if (problem !== '') return [`${name}: ${problem}`];
  const differences = compareObjects(expected, objects);
  report(`${expected.length} objects, ${differences.length} differences: ${name}`);
  return differences.map((one) => `${name}: ${one}`);
};

const compareProduction = async (helm: string, folder: string, report: Report): Promise<readonly string[]> => {
  const overlay: readonly JsonMap[] = JSON.parse(JSON.stringify(render(join(MANIFESTS, 'overlays/production'))));
  const file = join(folder, 'production.json');
  writeFileSync(file, JSON.stringify(PRODUCTION.values));
  const { code, stdout, stderr } = await tryCommand(helm, ['template', 'weft', CHART, '-n', 'weft', '-f', file]);
  if (code !== 0) return [`the overlay production: ${stderr}`];
  const made: readonly JsonMap[] = JSON.parse(JSON.stringify(objectsOf(stdout).filter((one) => one !== null)));
  const differences = compareObjects(withoutHashes(overlay), made);
  const tagged = made.flatMap(imagesOf).length;
  report(`${made.length} objects with ${tagged} images, ${differences.length} differences: the overlay production`);
  return differences.map((one) => `the overlay production: ${one}`);
};

const reject = async (template: Template, report: Report): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const { what, values, says } of REJECTIONS) {
    const { problem } = await template(values);
    if (!says.test(problem)) problems.push(`${what}: ${problem === '' ? 'accepted' : problem}, which is not ${says}`);
  }
  report(`${REJECTIONS.length - problems.length} of ${REJECTIONS.length} wrong values are refused with their message`);
  return problems;
};

const check = async (report: Report, folder: string): Promise<number> => {
  if (!HAS_KUBECTL) throw new StackError('kubectl is missing: put it on the PATH.');
  const helm = await findHelm(report);
  report(`helm ${(await tryCommand(helm, ['version', '--short'])).stdout.trim()}`);
  const template = templateWith(helm, folder);
  const problems = [...missingComponents(), ...staleFiles(), ...(await compareProduction(helm, folder, report))];
  for (const comparison of allComparisons(MIXTURES)) problems.push(...(await compare(template, comparison, report)));
  problems.push(...(await reject(template, report)));
  problems.push(...(await proveDigests(helm, folder, report)));
  const lint = await tryCommand(helm, ['lint', '--strict', CHART, '-f', join(folder, 'production.json')]);
  if (lint.code !== 0) problems.push(`helm lint: ${lint.stdout}${lint.stderr}`);
  for (const problem of problems) report(`PROBLEM ${problem}`);
  return problems.length === 0 ? 0 : 1;
};

/** `npm run check:chart`: compares the chart with the manifests, object by object, and tries wrong values. */
runAsCommand(async ({ report, interrupted }) => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-chart-'));
  try {
    return await Promise.race([check(report, folder), interrupted]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
