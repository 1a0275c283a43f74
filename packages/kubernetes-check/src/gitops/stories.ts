import { StackError } from '@weft/local-stack';
import { callWebhook } from '@weft/e2e/rest';
import { conditionText, echo, isReady, workflowObject, type Scene } from './scene';

/** Something that a user sees, told with the scene. */
export interface Story {
  readonly name: string;
  readonly tell: (scene: Scene) => Promise<void>;
}

const KIND = 'weftworkflow';

const expectEqual = (what: string, found: unknown, expected: unknown): void => {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new StackError(`${what} is ${one} and not ${other}.`);
};

const wordOf = async ({ baseUrl }: Scene, path: string): Promise<string> => {
  const answer = await callWebhook(baseUrl, path, {});
  return answer.status === 200 ? answer.text : `status ${answer.status}`;
};

export const STORIES: readonly Story[] = [
  {
    name: 'an applied object becomes a workflow whose webhook answers',
    tell: async (scene) => {
      const { apply, until, createTeam } = scene;
      await createTeam('billing');
      scene.startOperator();
      const begun = performance.now();
      await apply(workflowObject('billing', 'orders', { definition: echo('orders', 'one') }));
      const object = await until(KIND, 'billing', 'orders', isReady);
      scene.report(
        `        ready after ${Math.round(performance.now() - begun)} ms: ${JSON.stringify(object?.status)}`,
      );
      expectEqual('The response', await wordOf(scene, 'orders'), 'x');
      expectEqual('Activated', conditionText(object, 'Activated'), 'True Registered');
    },
  },
];
