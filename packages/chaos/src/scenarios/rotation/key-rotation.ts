import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES, waitUntil, type ServiceName, type StackProcess } from '@weft/local-stack';
import type { Violation } from '../../checks/evidence';
import { chain, node, webhook } from '../../load/workflow-file';
import type { ScenarioResult } from '../scenario-result';
import { createKeyFiles, makeMasterKey, makeServiceKeys, type KeyFiles, type ServiceKeys } from './key-files';
import { STEADY_KINDS } from '../kinds';
import { broken, LOOK_MS, rotateUnderLoad, type RotationOptions } from './rotation';
import { openScene, type Scene } from '../scene';

/** A token of the former key is valid for a minute; after that no service sends one. */
const TOKEN_LIFETIME_MS = 65_000;
/** Processes check their files every 5 s when they use a key. */
const TAKEN_LIMIT_MS = 60_000;
const USES_EVERY_MS = 200;
const MAX_NAMED = 5;
const CHANGED = 'settings in files have changed and are in use';
const REWRAPPED = 'all readable credentials are sealed under the current master key';
const SEALED_PATH = 'sealed';
/** Services that check the tokens of all calls between services. */
const VERIFIERS = ['workflows', 'executions', 'credentials'] as const satisfies readonly ServiceName[];

/** State of a rotation, for its steps. */
interface Rotation {
  readonly scene: Scene;
  readonly files: KeyFiles;
  readonly violations: Violation[];
  readonly report: (line: string) => void;
}

const linesWith = (each: StackProcess, ...words: readonly string[]): readonly string[] =>
  readFileSync(each.logFile, 'utf8')
    .split('\n')
    .filter((line) => words.every((word) => line.includes(word)));

/** Changes files, and waits until every process of those services has logged that it uses the variable. */
const change = async (
  { scene, violations, report }: Rotation,
  step: string,
  services: readonly ServiceName[],
  variable: string,
  put: () => void,
): Promise<void> => {
  const processes = services.flatMap((service) => scene.environment.stack.of(service));
  const count = (each: StackProcess): number => linesWith(each, CHANGED, `"${variable}"`).length;
  const before = processes.map(count);
  const began = Date.now();
  put();
  const lagging = (): StackProcess[] => processes.filter((each, index) => count(each) <= (before[index] ?? 0));
  const isTaken = await waitUntil(() => Promise.resolve(lagging().length === 0), {
    limitMs: TAKEN_LIMIT_MS,
    everyMs: 500,
  });
  report(`${step}: ${isTaken ? `in use after ${Date.now() - began} ms` : 'not in use everywhere'}`);
  if (!isTaken)
    for (const { service, index } of lagging())
      broken(violations, 'changed files are in use within a minute', `${step}: ${service}-${index}`);
  await sleep(LOOK_MS);
};

const rotateServiceKeys = async (rotation: Rotation, old: ServiceKeys, next: ServiceKeys): Promise<void> => {
  const { files } = rotation;
  await change(rotation, 'service keys 1: both are known', VERIFIERS, 'SERVICE_PUBLIC_KEYS', () =>
    files.putPublic(old, next),
  );
  await change(rotation, 'service keys 2: the new ones sign', SERVICES, 'SERVICE_KEY', () => files.putPrivate(next));
  await sleep(TOKEN_LIFETIME_MS);
  await change(rotation, 'service keys 3: the old ones are unknown', VERIFIERS, 'SERVICE_PUBLIC_KEYS', () =>
    files.putPublic(next),
  );
};

/** Restarts credentials one by one: the job that reseals begins with its process, and ten minutes later again. */
const restartCredentials = async ({ scene, report }: Rotation): Promise<void> => {
  for (const each of scene.environment.stack.of('credentials')) {
    await each.restart();
    report(`credentials-${each.index} was restarted`);
    await sleep(LOOK_MS / 2);
  }
};

const rotateMasterKey = async (rotation: Rotation, old: string, next: string): Promise<void> => {
  const { files, scene, violations } = rotation;
  await change(rotation, 'master key 1: the new one opens', ['credentials'], 'MASTER_KEY_PREVIOUS', () =>
    files.putMaster(old, next),
  );
  await change(rotation, 'master key 2: the new one seals', ['credentials'], 'MASTER_KEY', () =>
    files.putMaster(next, old),
  );
  await restartCredentials(rotation);
  const told = (): readonly string[] =>
    scene.environment.stack.of('credentials').flatMap((each) => linesWith(each, REWRAPPED));
  if (!(await waitUntil(() => Promise.resolve(told().length > 0), { limitMs: TAKEN_LIMIT_MS, everyMs: 500 })))
    broken(violations, 'credentials are sealed under the new master key', 'no line of the log says so');
  const [last = ''] = told().slice(-1);
  if (last !== '' && !last.includes('"apiKeysLeft":0'))
    broken(violations, 'keys in use are hashed under the new master key', last);
  await change(rotation, 'master key 3: the old one is gone', ['credentials'], 'MASTER_KEY_PREVIOUS', () =>
    files.putMaster(next, ''),
  );
};

/** Stores a workflow whose webhook answers only if its node could use a sealed credential. */
const storeSealed = async ({ api, sink }: Scene): Promise<void> => {
  const id = await api.createCredential({
    name: 'token',
    type: 'httpHeaderAuth',
    data: { name: 'x-token', value: 'a token' },
  });
  const call = {
    ...node('Call', 'httpRequest', 4.2, {
      method: 'POST',
      url: `${sink.url}/effect?ms=1`,
      authentication: 'genericCredentialType',
      genericAuthType: 'httpHeaderAuth',
      options: {},
    }),
    credentials: { httpHeaderAuth: { id, name: 'token' } },
  };
  await api.create(chain(SEALED_PATH, [webhook(SEALED_PATH, 'lastNode'), call], true));
};

/** Uses the credential repeatedly until the end. @returns the number of uses, and the failures */
const useSealed = async (
  { ingress }: Scene,
  isOver: () => boolean,
): Promise<{ readonly uses: number; readonly refused: readonly string[] }> => {
  const refused: string[] = [];
  let uses = 0;
  while (!isOver()) {
    const reply = await ingress.crowd.send({ path: `/webhook/${SEALED_PATH}`, body: '{}', headers: {} });
    uses += 1;
    // A replica that restarts may tell callers to come again.
    const isFine = reply.kind === 'answer' && (reply.status === 200 || reply.status === 503);
    if (!isFine) refused.push(reply.kind === 'answer' ? `${reply.status} ${reply.text.slice(0, 200)}` : reply.what);
    await sleep(USES_EVERY_MS);
  }
  return { uses, refused };
};

const run = async (
  scene: Scene,
  files: KeyFiles,
  keys: { readonly service: ServiceKeys; readonly master: string },
  options: RotationOptions,
): Promise<ScenarioResult> => {
  const violations: Violation[] = [];
  const rotation = { scene, files, violations, report: options.report };
  let isOver = false;
  await storeSealed(scene);
  const using = useSealed(scene, () => isOver);
  const figures = await rotateUnderLoad(scene, options, violations, async () => {
    try {
      await sleep(LOOK_MS);
      await rotateServiceKeys(rotation, keys.service, makeServiceKeys());
      await rotateMasterKey(rotation, keys.master, makeMasterKey());
    } finally {
      isOver = true;
    }
    await using;
  });
  const { uses, refused } = await using;
  for (const what of refused.slice(0, MAX_NAMED)) broken(violations, 'a sealed credential is used at any time', what);
  const unauthenticated = scene.environment.stack.processes.flatMap((each) => linesWith(each, 'UNAUTHENTICATED'));
  for (const what of unauthenticated.slice(0, MAX_NAMED))
    broken(violations, 'no call between services is refused', what);
  return {
    scenario: 'key-rotation',
    figures: [
      ...figures,
      ['uses of a sealed credential', `${uses}, refused ${refused.length}`],
      ['calls between services that were refused', String(unauthenticated.length)],
    ],
    violations,
  };
};

/** Replaces all service keys and the master key under load, as the runbooks say; see docs/guides/chaos.md. */
export const keyRotation = async (options: RotationOptions): Promise<ScenarioResult> => {
  const files = createKeyFiles();
  const keys = { service: makeServiceKeys(), master: makeMasterKey() };
  files.putPublic(keys.service);
  files.putPrivate(keys.service);
  files.putMaster(keys.master, '');
  try {
    const scene = await openScene(STEADY_KINDS, options.report, files.environment);
    try {
      return await run(scene, files, keys, options);
    } finally {
      await scene.stop();
    }
  } finally {
    files.remove();
  }
};
