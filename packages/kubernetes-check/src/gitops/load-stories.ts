import { StackError } from '@weft/local-stack';
import { expectEqual, percentile, WORKFLOW, type Story } from './expectations';
import { echo, isReady, workflowObject, type Read, type Scene } from './scene';

const MANY = 500;
const HEALTHY = 20;
const HOSTILE = 40;
const LATENCIES = 20;
/** Below the 1.5 MB of an object, with its other members. */
const BIG = 1_400_000;
const LIMIT_MS = 600_000;

/** Waits until a number of objects is ready. @returns milliseconds */
const untilReady = async ({ list }: Scene, namespace: string, count: number): Promise<number> => {
  const begun = performance.now();
  for (;;) {
    const ready = (await list(WORKFLOW, namespace)).filter(isReady).length;
    const ms = performance.now() - begun;
    if (ready >= count) return ms;
    if (ms > LIMIT_MS) throw new StackError(`Only ${ready} of ${count} objects of ${namespace} are ready.`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
};

/** Applies objects one after the other. @returns milliseconds from each apply to Ready */
const latenciesOf = async (scene: Scene, namespace: string, prefix: string, count: number): Promise<number[]> => {
  const found: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const name = `${prefix}-${number}`;
    const begun = performance.now();
    await scene.apply(workflowObject(namespace, name, { definition: echo(name, 'x') }));
    await scene.until(WORKFLOW, namespace, name, isReady);
    found.push(performance.now() - begun);
  }
  return found;
};

const textOf = (values: readonly number[]): string =>
  `p50 ${percentile(values, 50)} ms, p99 ${percentile(values, 99)} ms`;

const latency: Story = {
  name: 'an applied object is ready within seconds',
  tell: async (scene) => {
    const found = await latenciesOf(scene, 'billing', 'latency', LATENCIES);
    scene.report(`        apply to Ready, with two runs of kubectl in each: ${textOf(found)}`);
  },
};

const hostile: Story = {
  name: 'a hostile namespace does not delay a healthy one',
  tell: async (scene) => {
    await scene.createTeam('hostile');
    await scene.createTeam('healthy');
    const broken = { name: 'X', type: 'weft-nodes-base.noSuchKind', position: [0, 0] };
    const big = { name: 'Big', type: 'n8n-nodes-base.noOp', position: [0, 0], notes: 'x'.repeat(BIG) };
    for (let number = 0; number < HOSTILE; number += 1) {
      const definition = echo(`hostile-${number}`, 'x', [number % 10 === 0 ? big : broken]);
      await scene.apply(workflowObject('hostile', `h-${number}`, { definition }));
    }
    const found = await latenciesOf(scene, 'healthy', 'ok', HEALTHY);
    scene.report(`        apply to Ready next to it: ${textOf(found)}`);
    await scene.kubectl(['delete', WORKFLOW, '--all', '-n', 'hostile', '--timeout=120s']);
  },
};

const many: Story = {
  name: '500 objects from scratch',
  tell: async (scene) => {
    const { operator, report } = scene;
    await scene.createTeam('many');
    await operator.stop();
    const objects = Array.from({ length: MANY }, (_, number) =>
      workflowObject('many', `m-${number}`, { definition: echo(`m-${number}`, 'x') }),
    );
    await scene.apply(...objects);
    operator.start({ RESYNC_MS: '300000' });
    const ms = await untilReady(scene, 'many', MANY);
    report(`        ${MANY} objects are ready ${Math.round(ms)} ms after the operator starts`);
    const { total, anonymous } = operator.memory();
    report(`        memory then: ${total} MB, ${anonymous} MB of it not of files`);
    const versions = async (): Promise<readonly (readonly [string, string | undefined])[]> =>
      (await scene.list(WORKFLOW, 'many')).map(({ metadata, status }: Read) => [metadata.name, status?.workflowId]);
    const before = await versions();
    expectEqual('Workflows', new Set(before.map(([, id]) => id)).size, MANY);
  },
};

export const LOAD_STORIES: readonly Story[] = [latency, hostile, many];
