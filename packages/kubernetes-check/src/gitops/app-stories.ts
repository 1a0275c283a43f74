import { StackError } from '@weft/local-stack';
import { answerOf, APP, expectEqual, hasCondition, WORKFLOW, type Story } from './expectations';
import { echo, isReady, workflowObject } from './scene';

const NAMESPACE = 'apps';

/** The text of an app with one kind, whose operation calls Weft itself. `let` has values that need their order. */
const appText = (base: string, name: string, word: string): string =>
  [
    'weftApp: 1',
    `name: ${name}`,
    `label: Says ${word}`,
    'hosts: [127.0.0.1]',
    'credentials: {}',
    `calls: { api: { url: "={{ '${base}' }}", answer: text } }`,
    'kinds:',
    `  ${name}:`,
    `    label: Says ${word}`,
    '    description: Says a word.',
    '    versions: [1]',
    '    groups: [output]',
    '    parameters: []',
    '    operations:',
    '      default:',
    `        let: { word: "={{ '${word}' }}", both: "={{ word + '!' }}" }`,
    '        call: api',
    '        path: /livez',
    '        item: { word: "={{ both }}" }',
  ].join('\n');

const appObject = (name: string, spec: object): object => ({
  apiVersion: 'weft.dev/v1alpha1',
  kind: 'WeftApp',
  metadata: { name, namespace: NAMESPACE },
  spec,
});

/** A workflow whose webhook answers with the item of the app. */
const userOf = (path: string, kind: string): object => {
  const definition = echo(path, 'unused', [
    { name: 'App', type: `weft-nodes-base.${kind}`, typeVersion: 1, position: [400, 0], parameters: {} },
  ]);
  const main = (node: string): object => ({ main: [[{ node, type: 'main', index: 0 }]] });
  return { ...definition, connections: { Webhook: main('Set'), Set: main('App') } };
};

const forbidden: Story = {
  name: 'an app needs the right to change apps, and is stored once the key has it',
  tell: async ({ apply, until, createTeam, writeKey, baseUrl }) => {
    await createTeam(NAMESPACE);
    await apply(appObject('limited', { app: appText(baseUrl, 'limited', 'x') }));
    await until(APP, NAMESPACE, 'limited', hasCondition('Stalled', 'True Forbidden'));
    await writeKey(NAMESPACE, false);
    await until(APP, NAMESPACE, 'limited', isReady);
  },
};

const together: Story = {
  name: 'an app and a workflow that uses it can be applied at once, in any order',
  tell: async (scene) => {
    const { apply, until, baseUrl } = scene;
    await apply(
      workflowObject(NAMESPACE, 'says', { definition: userOf('says', 'wordApp') }),
      appObject('word', { app: appText(baseUrl, 'wordapp', 'one').replace('  wordapp:', '  wordApp:') }),
    );
    const app = await until(APP, NAMESPACE, 'word', isReady);
    expectEqual('The name of the app', app?.status?.appName, 'wordapp');
    await until(WORKFLOW, NAMESPACE, 'says', isReady);
    await answered(scene, 'says', '{"word":"one!"}');
  },
};

/** @throws StackError unless the webhook answers so */
const answered = async (scene: Parameters<Story['tell']>[0], path: string, text: string): Promise<void> => {
  const answer = await answerOf(scene, path);
  if (answer !== text) throw new StackError(`The answer is ${answer} and not ${text}.`);
};

const changed: Story = {
  name: 'a changed app is stored, a change in Weft is reverted, and its workflows keep their revision',
  tell: async (scene) => {
    const { apply, until, rest, baseUrl } = scene;
    const text = appText(baseUrl, 'wordapp', 'two').replace('  wordapp:', '  wordApp:');
    await apply(appObject('word', { app: text }));
    const second = await until(APP, NAMESPACE, 'word', (one) => isReady(one) && one?.status?.observedGeneration === 2);
    await answered(scene, 'says', '{"word":"one!"}');
    const { json } = await rest('GET', '/apps/wordapp');
    const { document } = Object(json.data);
    await rest('PUT', '/apps/wordapp', { ...document, label: 'Elsewhere' });
    await until(APP, NAMESPACE, 'word', (one) => {
      const isReverted = one?.status?.digest === second?.status?.digest;
      return isReady(one) && isReverted && one?.metadata.resourceVersion !== second?.metadata.resourceVersion;
    });
    expectEqual('The label', Object((await rest('GET', '/apps/wordapp')).json.data).label, 'Says two');
  },
};

const refused: Story = {
  name: 'an app is refused with the place of its problem, and if its name is taken',
  tell: async ({ apply, until, baseUrl }) => {
    await apply(
      appObject('broken', { app: appText('https://elsewhere.example', 'broken', 'x').replace('/livez', 'livez') }),
    );
    const broken = await until(APP, NAMESPACE, 'broken', hasCondition('Stalled', 'True Refused'));
    const message = broken?.status?.conditions?.find(({ type }) => type === 'Ready')?.message ?? '';
    if (!message.includes('A path must begin with a slash')) throw new StackError(`The message is: ${message}`);
    await apply(appObject('second', { app: appText(baseUrl, 'wordapp', 'x').replace('  wordapp:', '  wordApp:') }));
    await until(APP, NAMESPACE, 'second', hasCondition('Stalled', 'True KeyTaken'));
  },
};

const raced: Story = {
  name: 'of two objects that add the same app at once, one has it and keeps it',
  tell: async ({ apply, until, rest, kubectl, baseUrl }) => {
    const names = ['twin-a', 'twin-b'];
    await apply(...names.map((name) => appObject(name, { app: appText(baseUrl, 'twin', name) })));
    const isTaken = hasCondition('Stalled', 'True KeyTaken');
    const both = await Promise.all(
      names.map((name) => until(APP, NAMESPACE, name, (one) => isReady(one) || isTaken(one))),
    );
    const owners = names.filter((_, index) => isReady(both[index]));
    expectEqual('The number of objects with the app', owners.length, 1);
    const other = names.find((name) => !owners.includes(name)) ?? '';
    await kubectl(['delete', APP, other, '-n', NAMESPACE, '--timeout=60s']);
    expectEqual('The app', Object((await rest('GET', '/apps/twin')).json.data).label, `Says ${owners[0] ?? ''}`);
  },
};

const deleted: Story = {
  name: 'a deleted object deletes its app once no active workflow uses it',
  tell: async ({ kubectl, rest, get }) => {
    await kubectl(['delete', APP, 'word', '-n', NAMESPACE, '--wait=false']);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expectEqual('The app in use', (await rest('GET', '/apps/wordapp')).status, 200);
    await kubectl(['delete', WORKFLOW, 'says', '-n', NAMESPACE, '--timeout=30s']);
    await kubectl(['wait', '--for=delete', `${APP}/word`, '-n', NAMESPACE, '--timeout=60s']);
    expectEqual('The object', await get(APP, NAMESPACE, 'word'), undefined);
    expectEqual('The app', (await rest('GET', '/apps/wordapp')).status, 404);
    await kubectl(['delete', APP, '--all', '-n', NAMESPACE, '--timeout=60s']);
  },
};

/** Stories of apps as objects, in their order. */
export const APP_STORIES: readonly Story[] = [forbidden, together, changed, refused, raced, deleted];
