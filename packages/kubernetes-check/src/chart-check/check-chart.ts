import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Report, runAsCommand, StackError, tryCommand } from '@weft/local-stack';
import { COMPONENTS, HAS_KUBECTL, MANIFESTS, objectsOf, render } from '@weft/e2e/rendered';
import { compareObjects } from './compare-objects';
import { allComparisons, imageOf, PRODUCTION, type Comparison } from './comparisons';
import { findHelm } from './find-helm';
import { toJsonMaps, type JsonMap } from '../chart/json';
import { LAYERS } from '../chart/layers';
import { CHART, staleFiles } from '../chart/make-chart';
import { readBase, withoutHashes } from '../chart/read-manifests';
import { proveDigests } from './prove-digests';
import { REJECTIONS } from './rejections';

/** A namespace other than that of the manifests: nothing may name that one. */
const NAMESPACE = 'other';
const MIXTURES = 12;

/** The objects of the chart with values, or what helm says. */
type Template = (
  values: JsonMap,
  namespace: string,
) => Promise<{ readonly objects: readonly JsonMap[]; readonly problem: string }>;

const templateWith =
  (helm: string): Template =>
  async (values, namespace) => {
    const args = ['template', 'weft', CHART, '-n', namespace, '-f', '-'];
    const { code, stdout, stderr } = await tryCommand(helm, args, { input: JSON.stringify(values) });
    if (code !== 0) return { objects: [], problem: stderr.trim() };
    return { objects: toJsonMaps(objectsOf(stdout)), problem: '' };
  };

/** @returns sentences on components that no value of the chart is */
const missingComponents = (): readonly string[] => {
  // gitops-namespace is for the namespaces of teams, which this chart does not install.
  const known = ['fixed-replicas', 'gitops-namespace', ...LAYERS.map(({ component }) => component)];
  return COMPONENTS.filter((name) => !known.includes(name)).map(
    (name) => `The component ${name} is not in the chart: add it to layers.ts and comparisons.ts`,
  );
};

/** Objects that the chart must make of values. */
interface Expected {
  readonly name: string;
  readonly values: JsonMap;
  readonly namespace: string;
  readonly objects: readonly JsonMap[];
}

const overlayProduction = (): Expected => ({
  name: 'the overlay production',
  values: PRODUCTION.values,
  namespace: 'weft',
  objects: withoutHashes(toJsonMaps(render(join(MANIFESTS, 'overlays/production')))),
});

const baseWith = ({ components, values }: Comparison): Expected => ({
  name: components.join(' + '),
  values,
  namespace: NAMESPACE,
  objects: toJsonMaps([...readBase(components, NAMESPACE).values()], (key, value) =>
    key === 'image' && typeof value === 'string' ? imageOf(value) : value,
  ),
});

const compare = async (template: Template, expected: Expected, report: Report): Promise<readonly string[]> => {
  const { name, values, namespace, objects } = expected;
  const made = await template(values, namespace);
  if (made.problem !== '') return [`${name}: ${made.problem}`];
  const differences = compareObjects(objects, made.objects);
  report(`${objects.length} objects, ${differences.length} differences: ${name}`);
  return differences.map((one) => `${name}: ${one}`);
};

const reject = async (template: Template, report: Report): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const { what, values, says } of REJECTIONS) {
    const { problem } = await template(values, NAMESPACE);
    if (!says.test(problem)) problems.push(`${what}: ${problem === '' ? 'accepted' : problem}, which is not ${says}`);
  }
  report(`${REJECTIONS.length - problems.length} of ${REJECTIONS.length} wrong values are refused with their message`);
  return problems;
};

const check = async (report: Report, folder: string): Promise<number> => {
  if (!HAS_KUBECTL) throw new StackError('kubectl is missing: put it on the PATH.');
  const helm = await findHelm(report);
  report(`helm ${(await tryCommand(helm, ['version', '--short'])).stdout.trim()}`);
  const template = templateWith(helm);
  const stale = staleFiles().map((path) => `${path} is out of date: run npm run chart:gen`);
  const problems = [...missingComponents(), ...stale];
  problems.push(...(await compare(template, overlayProduction(), report)));
  for (const comparison of allComparisons(MIXTURES))
    problems.push(...(await compare(template, baseWith(comparison), report)));
  problems.push(...(await reject(template, report)));
  problems.push(...(await proveDigests(helm, folder, report)));
  const lint = await tryCommand(helm, ['lint', '--strict', CHART, '-f', '-'], {
    input: JSON.stringify(PRODUCTION.values),
  });
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
