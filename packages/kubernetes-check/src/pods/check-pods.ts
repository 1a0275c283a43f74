import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { builtOnce, findPlaces, type Report, runAsCommand, StackError } from '@weft/local-stack';
import { isInOwnNetwork, runInOwnNetwork } from '../node/own-network';
import { prepareLoad } from './pods-load';
import { proveMemory } from './pods-memory';
import { proveOutage } from './pods-outage';
import { proveNewReplica, proveRestarts } from './pods-rollouts';
import { NAMESPACE, openPodsScene, type PodsScene, type Size } from './pods-scene';
import { proveUpgrade } from './pods-upgrade';
import { findPreviousRelease, releaseRecipe } from './previous-release';
import { HAS_KUBECTL } from '@weft/e2e/rendered';

/** Proves something on the scene. @returns the violations, each as a sentence */
type Prove = (scene: PodsScene, report: Report) => Promise<readonly string[]>;

/** The parts, in their order: the upgrade begins with pods of the previous version. */
const PARTS: Readonly<Record<string, Prove>> = {
  upgrade: proveUpgrade,
  memory: proveMemory,
  restarts: proveRestarts,
  replica: proveNewReplica,
  outage: proveOutage,
};

interface Options {
  readonly size: Size;
  readonly parts: readonly string[];
  /** Built checkout of the previous version. */
  readonly previous: string | undefined;
}

const FLAGS = {
  only: { type: 'string' },
  size: { type: 'string', default: 'local' },
  previous: { type: 'boolean' },
  'previous-checkout': { type: 'string' },
} as const;

const WAYS = '--previous, or --previous-checkout FOLDER with a built checkout';

/** The built checkout of the previous version, if one is asked for. @throws StackError if no release is earlier */
const findPrevious = async (
  { previous, folder }: { readonly previous: boolean; readonly folder: string | undefined },
  report: Report,
): Promise<string | undefined> => {
  if (folder !== undefined) {
    if (!existsSync(join(folder, 'services/gateway/dist/src/main.js')))
      throw new StackError(`${folder} is not a built checkout.`);
    return resolve(folder);
  }
  if (!previous) return undefined;
  const { cache, checkout } = findPlaces(process.env);
  return builtOnce(cache, releaseRecipe(checkout, findPreviousRelease(checkout), report), report);
};

const readOptions = async (report: Report): Promise<Options> => {
  const { values } = parseArgs({ options: FLAGS });
  const asked = { previous: values.previous === true, folder: values['previous-checkout'] };
  const hasPrevious = asked.previous || asked.folder !== undefined;
  const parts = values.only?.split(',') ?? Object.keys(PARTS).filter((name) => name !== 'upgrade' || hasPrevious);
  for (const name of parts)
    if (PARTS[name] === undefined)
      throw new StackError(`There is no part ${name}; the parts are ${Object.keys(PARTS).join(', ')}.`);
  const { size } = values;
  if (size !== 'local' && size !== 'small') throw new StackError(`There is no size ${size}: use local or small.`);
  const needsPrevious = parts.includes('upgrade');
  if (needsPrevious && !hasPrevious) throw new StackError(`The upgrade needs the previous version: ${WAYS}.`);
  return { size, parts, previous: needsPrevious ? await findPrevious(asked, report) : undefined };
};

const check = async (folder: string, { size, parts, previous }: Options, report: Report): Promise<number> => {
  const began = Date.now();
  const scene = await openPodsScene({ folder, size, previous, report });
  try {
    report(`all Deployments have rolled out after ${Date.now() - began} ms; ${scene.node.pods().length} pods`);
    await prepareLoad(scene);
    const problems: string[] = [];
    for (const name of parts) problems.push(...((await PARTS[name]?.(scene, report)) ?? []));
    problems.forEach((problem) => report(`PROBLEM ${problem}`));
    if (!parts.includes('upgrade')) report(`no upgrade was tried: it needs ${WAYS}`);
    return problems.length === 0 ? 0 : 1;
  } finally {
    await scene.stop();
  }
};

/** `npm run check:pods`: processes of Weft as pods under the controllers of a real Kubernetes; decision 0081. */
runAsCommand(async ({ report, interrupted }) => {
  if (!HAS_KUBECTL) throw new StackError('kubectl is missing: put it on the PATH.');
  const options = await readOptions(report);
  if (!isInOwnNetwork()) return runInOwnNetwork(NAMESPACE);
  const folder = mkdtempSync(join(tmpdir(), 'weft-pods-'));
  // Processes of pods are not root, and read their files below it.
  chmodSync(folder, 0o755);
  try {
    return await Promise.race([check(folder, options, report), interrupted]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
