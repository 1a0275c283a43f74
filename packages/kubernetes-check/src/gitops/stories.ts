import { APP_STORIES } from './app-stories';
import { FAULT_STORIES } from './fault-stories';
import { LOAD_STORIES } from './load-stories';
import { mkdtempSync, copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StackError } from '@weft/local-stack';
import { MANIFESTS } from '@weft/e2e/rendered';
import { answerOf, CREDENTIAL, expectEqual, hasCondition, WORKFLOW, workflowsWith, type Story } from './expectations';
import { HEALTH_SCRIPT, runHealth } from './run-health';
import { runKstatus } from './run-kstatus';
import { conditionText, echo, isReady, workflowObject, type Scene } from './scene';

const applied: Story = {
  name: 'an applied object becomes a workflow whose webhook answers',
  tell: async (scene) => {
    const { apply, until, createTeam, operator } = scene;
    await createTeam('billing');
    operator.start();
    await apply(workflowObject('billing', 'orders', { definition: echo('orders', 'one') }));
    const object = await until(WORKFLOW, 'billing', 'orders', isReady);
    expectEqual('The answer', await answerOf(scene, 'orders'), '{"word":"one"}');
    expectEqual('The webhooks', object?.status?.webhooks, [{ method: 'POST', url: `${scene.baseUrl}/webhook/orders` }]);
    await apply(workflowObject('billing', 'orders', { definition: echo('orders', 'two') }));
    await until(WORKFLOW, 'billing', 'orders', (one) => isReady(one) && one?.status?.observedGeneration === 2);
    expectEqual('The answer of the next version', await answerOf(scene, 'orders'), '{"word":"two"}');
  },
};

const generated: Story = {
  name: 'kubectl apply -k with an export as a file: a changed file changes the workflow',
  tell: async (scene) => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-kustomize-'));
    const write = (name: string, content: object): void => writeFileSync(join(folder, name), JSON.stringify(content));
    try {
      copyFileSync(join(MANIFESTS, 'components/gitops/kustomizeconfig.yaml'), join(folder, 'kustomizeconfig.yaml'));
      const from = { configMapKeyRef: { name: 'nightly', key: 'nightly.json' } };
      write('workflow.yaml', workflowObject('billing', 'nightly', { definitionFrom: from }));
      write('kustomization.yaml', {
        namespace: 'billing',
        configMapGenerator: [{ name: 'nightly', files: ['nightly.json'] }],
        configurations: ['kustomizeconfig.yaml'],
        resources: ['workflow.yaml'],
      });
      for (const word of ['one', 'two']) {
        write('nightly.json', echo('nightly', word));
        await scene.kubectl(['apply', '--server-side', '-k', folder]);
        const generation = word === 'one' ? 1 : 2;
        await scene.until(
          WORKFLOW,
          'billing',
          'nightly',
          (one) => isReady(one) && one?.status?.observedGeneration === generation,
        );
        expectEqual(`The answer of ${word}`, await answerOf(scene, 'nightly'), `{"word":"${word}"}`);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

const refused: Story = {
  name: 'a refused definition leaves the former version active, and its message names the field',
  tell: async (scene) => {
    const { apply, until } = scene;
    const broken = echo('orders', 'three', [{ name: 'Set', type: 'weft-nodes-base.noOp', position: [0, 0] }]);
    await apply(workflowObject('billing', 'orders', { definition: broken }));
    const object = await until(WORKFLOW, 'billing', 'orders', hasCondition('Stalled', 'True Refused'));
    const message = object?.status?.conditions?.find(({ type }) => type === 'Ready')?.message ?? '';
    if (!message.includes('nodes[2]')) throw new StackError(`The message is: ${message}`);
    expectEqual('The answer', await answerOf(scene, 'orders'), '{"word":"two"}');
    await apply(workflowObject('billing', 'orders', { definition: echo('orders', 'three') }));
    await until(WORKFLOW, 'billing', 'orders', isReady);
    expectEqual('The answer of the correction', await answerOf(scene, 'orders'), '{"word":"three"}');
  },
};

const replaceInWeft = async (scene: Scene, namespace: string, name: string, word: string): Promise<void> => {
  const [workflow] = await workflowsWith(scene, `k8s/check/${namespace}/${name}`);
  await scene.rest('PUT', `/workflows/${workflow?.id}`, echo(name, word));
};

const drifted: Story = {
  name: 'a change in Weft is reverted, or with Warn reported and left alone',
  tell: async (scene) => {
    const { apply, until } = scene;
    const begun = performance.now();
    await replaceInWeft(scene, 'billing', 'orders', 'elsewhere');
    expectEqual('The answer after the change', await answerOf(scene, 'orders'), '{"word":"elsewhere"}');
    const before = await scene.get(WORKFLOW, 'billing', 'orders');
    await until(
      WORKFLOW,
      'billing',
      'orders',
      (one) => isReady(one) && one?.metadata.resourceVersion !== before?.metadata.resourceVersion,
    );
    scene.report(`        reverted after ${Math.round(performance.now() - begun)} ms, with polls every 5,000 ms`);
    expectEqual('The answer after the revert', await answerOf(scene, 'orders'), '{"word":"three"}');
    await apply(workflowObject('billing', 'orders', { definition: echo('orders', 'three'), driftPolicy: 'Warn' }));
    await until(WORKFLOW, 'billing', 'orders', isReady);
    await replaceInWeft(scene, 'billing', 'orders', 'kept');
    await until(WORKFLOW, 'billing', 'orders', hasCondition('Synced', 'False Drifted'));
    expectEqual('The answer with Warn', await answerOf(scene, 'orders'), '{"word":"kept"}');
    await apply(workflowObject('billing', 'orders', { definition: echo('orders', 'three') }));
    await until(WORKFLOW, 'billing', 'orders', isReady);
  },
};

const secretWith = (value: string): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'erp', namespace: 'billing' },
  stringData: { token: value },
});

const credentials: Story = {
  name: 'a workflow waits for its credential, which comes from a Secret and follows it',
  tell: async (scene) => {
    const { apply, until, rest } = scene;
    const request = {
      name: 'Call',
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 4.2,
      position: [400, 0],
      parameters: {
        url: 'https://erp.example.org',
        authentication: 'genericCredentialType',
        genericAuthType: 'httpHeaderAuth',
      },
      credentials: { httpHeaderAuth: { id: 'of another instance', name: 'ERP header' } },
    };
    await apply(workflowObject('billing', 'erp', { definition: echo('erp', 'x', [request]) }));
    await until(WORKFLOW, 'billing', 'erp', hasCondition('CredentialsResolved', 'False Missing'));
    const spec = { type: 'httpHeaderAuth', name: 'ERP header', values: { name: 'X-Key' } };
    await apply({
      apiVersion: 'weft.dev/v1alpha1',
      kind: 'WeftCredential',
      metadata: { name: 'erp', namespace: 'billing' },
      spec: { ...spec, secretRef: { name: 'erp', keys: { value: 'token' } } },
    });
    await until(CREDENTIAL, 'billing', 'erp', hasCondition('CredentialsResolved', 'False SecretMissing'));
    await apply(secretWith('first'));
    const made = await until(CREDENTIAL, 'billing', 'erp', isReady);
    await until(WORKFLOW, 'billing', 'erp', isReady);
    const path = `/credentials/${made?.status?.credentialId}`;
    const before = (await rest('GET', path)).text;
    await apply(secretWith('second'));
    await until(
      CREDENTIAL,
      'billing',
      'erp',
      (one) => isReady(one) && one?.status?.secretResourceVersion !== made?.status?.secretResourceVersion,
    );
    const after = (await rest('GET', path)).text;
    if (before === after) throw new StackError('The rotation did not change the credential in Weft.');
    for (const object of [await scene.get(CREDENTIAL, 'billing', 'erp')])
      if (/first|second/.test(JSON.stringify(object))) throw new StackError('The object contains the secret.');
  },
};

const deletions: Story = {
  name: 'a deleted object deactivates, deletes or orphans its workflow, and continues with it when applied again',
  tell: async (scene) => {
    const { apply, until, kubectl } = scene;
    const policies = ['Deactivate', 'Delete', 'Orphan'] as const;
    for (const deletionPolicy of policies) {
      const name = deletionPolicy.toLowerCase();
      await apply(workflowObject('billing', name, { definition: echo(name, name), deletionPolicy }));
      await until(WORKFLOW, 'billing', name, isReady);
      await kubectl(['delete', WORKFLOW, name, '-n', 'billing', '--timeout=30s']);
    }
    const states = await Promise.all(
      policies.map(async (policy) => (await workflowsWith(scene, `k8s/check/billing/${policy.toLowerCase()}`))[0]),
    );
    expectEqual(
      'Active workflows',
      states.map((one) => one?.active),
      [false, undefined, true],
    );
    await apply(workflowObject('billing', 'deactivate', { definition: echo('deactivate', 'again') }));
    const again = await until(WORKFLOW, 'billing', 'deactivate', isReady);
    expectEqual('The id', again?.status?.workflowId, states[0]?.id);
  },
};

const health: Story = {
  name: 'health.lua judges every status that was written',
  tell: ({ statuses, report }) => {
    const counts = new Map<string, number>();
    for (const object of statuses.values()) {
      const { status } = runHealth(HEALTH_SCRIPT, object);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      const isSuspended = object.spec['suspend'] === true;
      const isCurrent = object.status?.observedGeneration === object.metadata.generation;
      const isBusy = conditionText(object, 'Reconciling') !== 'absent' || !isCurrent || object.status === undefined;
      const settled = isReady(object) ? 'Healthy' : 'Degraded';
      expectEqual(JSON.stringify(object.status), status, isSuspended ? 'Suspended' : isBusy ? 'Progressing' : settled);
    }
    report(`        ${statuses.size} statuses: ${[...counts].map(([name, count]) => `${count} ${name}`).join(', ')}`);
    if (counts.size < 3) throw new StackError('The statuses do not cover what Argo CD shows.');
    return Promise.resolve();
  },
};

const kstatus: Story = {
  name: 'kstatus takes an object for ready only if it is, also before the operator has seen it',
  tell: async ({ statuses, report, operator, apply, get }) => {
    await operator.stop();
    await apply(workflowObject('billing', 'unseen', { definition: echo('unseen', 'one') }));
    const unseen = await get(WORKFLOW, 'billing', 'unseen');
    if (unseen === undefined) throw new StackError('The object was not stored.');
    const objects = [unseen, ...statuses.values()];
    const judged = await runKstatus(objects, report);
    const counts = new Map<string, number>();
    for (const [index, object] of objects.entries()) {
      const status = judged[index] ?? '';
      counts.set(status, (counts.get(status) ?? 0) + 1);
      const isStalled = conditionText(object, 'Stalled').startsWith('True');
      const isCurrent = object.status?.observedGeneration === object.metadata.generation;
      const settled = isStalled && isCurrent ? 'Failed' : isReady(object) ? 'Current' : 'InProgress';
      const isLeaving = object.metadata.deletionTimestamp !== undefined;
      expectEqual(JSON.stringify(object.status), status, isLeaving ? 'Terminating' : settled);
    }
    report(`        ${objects.length} statuses: ${[...counts].map(([name, count]) => `${count} ${name}`).join(', ')}`);
    operator.start();
    if (!(await operator.isUp())) throw new StackError('The operator did not start again.');
  },
};

/** In their order: later stories use the namespaces of earlier ones. */
export const STORIES: readonly Story[] = [
  applied,
  generated,
  refused,
  drifted,
  credentials,
  deletions,
  ...APP_STORIES,
  ...FAULT_STORIES,
  ...LOAD_STORIES,
  health,
  kstatus,
];
