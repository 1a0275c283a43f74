import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isInOwnNetwork, runAsCommand, runInOwnNetwork, StackError, type Report } from '@weft/local-stack';
import { prepareLoad } from './pods-load';
import { proveMemory } from './pods-memory';
import { proveOutage } from './pods-outage';
import { proveNewReplica, proveRestarts } from './pods-rollouts';
import { NAMESPACE, openPodsScene, type PodsScene } from './pods-scene';
import { proveUpgrade } from './pods-upgrade';
import { HAS_KUBECTL } from './rendered';

/** Proves something on the scene. @returns what is wrong, each as a sentence */
type Prove = (scene: PodsScene, report: Report) => Promise<readonly string[]>;

/** The parts, in their order: the upgrade begins with pods of the release before. */
const PARTS: Readonly<Record<string, Prove>> = {
  upgrade: proveUpgrade,
  memory: proveMemory,
  restarts: proveRestarts,
  replica: proveNewReplica,
  outage: proveOutage,
};

interface Options {
  readonly parts: readonly string[];
  /** Built checkout of the release before. */
  readonly previous: string | undefined;
}

const readOptions = (): Options => {
  const { values } = parseArgs({ options: { only: { type: 'string' }, previous: { type: 'string' } } });
  const previous = values.previous === undefined ? undefined : resolve(values.previous);
  const parts = values.only?.split(',') ?? Object.keys(PARTS).filter((name) => name !== 'upgrade' || previous);
  for (const name of parts)
    if (PARTS[name] === undefined)
      throw new StackError(`There is no part ${name}; the parts are ${Object.keys(PARTS).join(', ')}.`);
  if (parts.includes('upgrade') && previous === undefined)
    throw new StackError('The upgrade needs a built checkout of the release before: --previous FOLDER.');
  if (previous !== undefined && !existsSync(join(previous, 'services/gateway/dist/src/main.js')))
    throw new StackError(`${previous} is not a built checkout.`);
  return { parts, previous: parts.includes('upgrade') ? previous : undefined };
};

const check = async (folder: string, { parts, previous }: Options, report: Report): Promise<number> => {
  const began = Date.now();
  const scene = await openPodsScene({ folder, previous, report });
  try {
    report(`all Deployments have rolled out after ${Date.now() - began} ms; ${scene.node.pods().length} pods`);
    await prepareLoad(scene);
    const problems: string[] = [];
    for (const name of parts) problems.push(...((await PARTS[name]?.(scene, report)) ?? []));
    problems.forEach((problem) => report(`PROBLEM ${problem}`));
    if (!parts.includes('upgrade')) report('no upgrade was tried: it needs --previous FOLDER');
    return problems.length === 0 ? 0 : 1;
  } finally {
    await scene.stop();
  }
};

/** `npm run check:pods`: processes of ours as pods under the controllers of a real Kubernetes; decision 0081. */
runAsCommand(async ({ report, interrupted }) => {
  if (!HAS_KUBECTL) throw new StackError('kubectl is missing: put it on the PATH.');
  const options = readOptions();
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
