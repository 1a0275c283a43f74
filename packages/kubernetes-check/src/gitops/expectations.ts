import { StackError } from '@weft/local-stack';
import { conditionText, type Read, type Scene } from './scene';

/** An observation that users make, told with the scene. */
export interface Story {
  readonly name: string;
  readonly tell: (scene: Scene) => Promise<void>;
}

export const WORKFLOW = 'weftworkflow';
export const CREDENTIAL = 'weftcredential';
export const APP = 'weftapp';

/** @throws StackError with both values */
export const expectEqual = (what: string, found: unknown, expected: unknown): void => {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new StackError(`${what}: ${one} and not ${other}.`);
};

/** True if a condition has this status and reason for the current generation. */
export const hasCondition =
  (type: string, text: string) =>
  (object: Read | undefined): boolean =>
    object?.status?.observedGeneration === object?.metadata.generation && conditionText(object, type) === text;

/** The answer of a webhook: its body, or its status if that is not 200. */
export const answerOf = async ({ baseUrl }: Scene, path: string): Promise<string> => {
  const answer = await fetch(`${baseUrl}/webhook/${path}`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });
  const text = await answer.text();
  return answer.status === 200 ? text : String(answer.status);
};

/** Summary of a workflow in Weft; undefined: it does not exist. */
export interface Summary {
  readonly id: string;
  readonly active: boolean;
  readonly versionId: string;
  readonly key?: string;
}

const isSummary = (value: unknown): value is Summary =>
  typeof value === 'object' && value !== null && 'versionId' in value;

/** Workflows of the instance with this key. */
export const workflowsWith = async ({ rest }: Scene, key: string): Promise<readonly Summary[]> => {
  const { json } = await rest('GET', `/workflows?summary=true&limit=100&key=${encodeURIComponent(key)}`);
  return Array.isArray(json.data) ? json.data.filter(isSummary) : [];
};

/** The p-th percentile of durations. */
export const percentile = (values: readonly number[], p: number): number => {
  const sorted = [...values].sort((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.ceil((p / 100) * sorted.length) - 1)] ?? 0);
};
