import { StackError } from '@weft/local-stack';
import { answerOf, expectEqual, hasCondition, WORKFLOW, workflowsWith, type Story } from './expectations';
import { conditionText, echo, isReady, workflowObject } from './scene';

const outage: Story = {
  name: 'while Weft is down, ready objects stay ready and a new one waits for it',
  tell: async ({ apply, until, get, proxy }) => {
    proxy.setMode({ kind: 'reset' });
    await apply(workflowObject('billing', 'late', { definition: echo('late', 'late') }));
    await until(WORKFLOW, 'billing', 'late', hasCondition('Reconciling', 'True WeftUnavailable'));
    expectEqual('Ready of another object', isReady(await get(WORKFLOW, 'billing', 'orders')), true);
    proxy.setMode({ kind: 'pass' });
    await until(WORKFLOW, 'billing', 'late', isReady);
  },
};

const revoked: Story = {
  name: 'a revoked key stops its namespace and no other; a new key continues it',
  tell: async (scene) => {
    const { apply, until, get, rest } = scene;
    const keyId = await scene.createTeam('shop');
    await apply(workflowObject('shop', 'cart', { definition: echo('cart', 'one') }));
    await until(WORKFLOW, 'shop', 'cart', isReady);
    await rest('DELETE', `/keys/${keyId}`);
    await until(WORKFLOW, 'shop', 'cart', hasCondition('Synced', 'False NoKey'));
    expectEqual('The answer of its workflow', await answerOf(scene, 'cart'), '{"word":"one"}');
    expectEqual('Ready in another namespace', isReady(await get(WORKFLOW, 'billing', 'orders')), true);
    await scene.writeKey('shop');
    await until(WORKFLOW, 'shop', 'cart', isReady);
  },
};

const samePath: Story = {
  name: 'of two objects with one webhook path the second waits, and gets it once it is free',
  tell: async (scene) => {
    const { apply, until, kubectl } = scene;
    await apply(workflowObject('shop', 'rival', { definition: echo('cart', 'rival') }));
    await until(WORKFLOW, 'shop', 'rival', hasCondition('Activated', 'False WebhookPathTaken'));
    expectEqual('The answer', await answerOf(scene, 'cart'), '{"word":"one"}');
    await kubectl(['delete', WORKFLOW, 'cart', '-n', 'shop', '--timeout=30s']);
    await until(WORKFLOW, 'shop', 'rival', isReady);
    expectEqual('The answer then', await answerOf(scene, 'cart'), '{"word":"rival"}');
  },
};

const taken: Story = {
  name: 'a workflow that the object does not manage is taken over only with the annotation',
  tell: async ({ apply, until, rest, kubectl }) => {
    const key = 'k8s/check/shop/foreign';
    const made = await rest('POST', `/workflows?key=${encodeURIComponent(key)}`, echo('foreign', 'foreign'));
    await apply(workflowObject('shop', 'foreign', { definition: echo('foreign', 'ours') }));
    await until(WORKFLOW, 'shop', 'foreign', hasCondition('Stalled', 'True KeyTaken'));
    await kubectl(['annotate', WORKFLOW, 'foreign', '-n', 'shop', 'weft.dev/adopt=true']);
    const object = await until(WORKFLOW, 'shop', 'foreign', isReady);
    if (!made.text.includes(object?.status?.workflowId ?? 'none'))
      throw new StackError(`Another workflow was made: ${JSON.stringify(object?.status)}`);
  },
};

const suspendedStory: Story = {
  name: 'a suspended object changes nothing, and goes without a change',
  tell: async (scene) => {
    const { apply, until, kubectl } = scene;
    const spec = { definition: echo('foreign', 'never'), suspend: true };
    await apply(workflowObject('shop', 'foreign', spec));
    await until(WORKFLOW, 'shop', 'foreign', (one) => one?.status?.observedGeneration === one?.metadata.generation);
    expectEqual('The answer', await answerOf(scene, 'foreign'), '{"word":"ours"}');
    await kubectl(['delete', WORKFLOW, 'foreign', '-n', 'shop', '--timeout=30s']);
    const [workflow] = await workflowsWith(scene, 'k8s/check/shop/foreign');
    expectEqual('Active', workflow?.active, true);
  },
};

/** Milliseconds after an apply at which the operator is killed: before, between and after its calls. */
const KILLS_MS = [0, 20, 40, 60, 80, 110, 150, 200, 300, 500];

const killed: Story = {
  name: 'an operator that is killed at any time leaves one workflow for each object, as described',
  tell: async (scene) => {
    const { apply, until, operator } = scene;
    for (const [index, ms] of KILLS_MS.entries()) {
      const name = `killed-${index}`;
      await apply(workflowObject('shop', name, { definition: echo(name, 'one') }));
      await new Promise((resolve) => setTimeout(resolve, ms));
      await operator.kill();
      operator.start();
      await until(WORKFLOW, 'shop', name, isReady);
      expectEqual(`Workflows of ${name}`, (await workflowsWith(scene, `k8s/check/shop/${name}`)).length, 1);
      expectEqual(`The answer of ${name}`, await answerOf(scene, name), '{"word":"one"}');
    }
  },
};

const equal: Story = {
  name: 'nothing is written when nothing has changed, not even after a restart',
  tell: async (scene) => {
    const { list, operator, rest } = scene;
    const stateOf = async (): Promise<string> => {
      const objects = (await list(WORKFLOW, 'shop')).map(({ metadata }) => [metadata.name, metadata.resourceVersion]);
      const workflows = await rest('GET', '/workflows?summary=true&limit=100&set=k8s%2Fcheck%2Fshop');
      return JSON.stringify([objects, workflows.json.data]);
    };
    // The versions of new workflows are still being read.
    const polls = async (count: number): Promise<void> => {
      if (!(await operator.isUp())) throw new StackError('The operator did not start.');
      const name = 'weft_operator_reconciliations_total';
      const goal = (await operator.metric(name)) + count * (await list(WORKFLOW, 'shop')).length;
      while ((await operator.metric(name)) < goal) await new Promise((resolve) => setTimeout(resolve, 200));
    };
    await polls(2);
    const before = await stateOf();
    await operator.stop();
    operator.start();
    await polls(3);
    expectEqual('Objects and workflows', await stateOf(), before);
  },
};

const namespaceDeleted: Story = {
  name: 'a deleted namespace goes, and its workflows become inactive',
  tell: async (scene) => {
    const names = (await scene.list(WORKFLOW, 'shop')).map(({ metadata }) => metadata.name);
    await scene.kubectl(['delete', 'namespace', 'shop', '--timeout=60s']);
    for (const name of names) {
      const [workflow] = await workflowsWith(scene, `k8s/check/shop/${name}`);
      expectEqual(`Active of ${name}`, workflow?.active, false);
    }
  },
};

const missingVerb: Story = {
  name: 'a namespace without the role for Secrets says so',
  tell: async ({ apply, until, kubectl }) => {
    await kubectl(['create', 'namespace', 'outside']);
    await apply(workflowObject('outside', 'w', { definition: echo('outside', 'x') }));
    const object = await until(WORKFLOW, 'outside', 'w', hasCondition('Stalled', 'True NoKey'));
    const message = object?.status?.conditions?.find(({ type }) => type === 'Ready')?.message ?? '';
    if (!message.includes('gitops-namespace')) throw new StackError(`The message is: ${message}`);
    expectEqual('Ready', conditionText(object, 'Ready'), 'False NoKey');
  },
};

export const FAULT_STORIES: readonly Story[] = [
  outage,
  revoked,
  samePath,
  taken,
  suspendedStory,
  killed,
  equal,
  namespaceDeleted,
  missingVerb,
];
