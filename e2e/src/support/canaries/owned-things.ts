import type { Stack } from '@weft/local-stack';
import { keepCalls } from '../kept-calls';
import { listOf, textOf, type Rest } from '../rest';
import { until } from '../until';
import { connect, node, type WorkflowFile } from '../workflows';

/** Ids of one object of every kind that has an owner, by the first part of the path of its routes. */
export interface OwnedThings {
  readonly workflows: string;
  readonly executions: string;
  readonly deliveries: string;
  readonly variables: string;
  readonly 'data-tables': string;
  readonly backfills: string;
  readonly 'retry-jobs': string;
  readonly 'event-subscriptions': string;
  /** The version of the workflow. */
  readonly version: string;
  /** A file of the execution. */
  readonly ref: string;
}

/** The owner of the objects, and their name. */
export interface Owning {
  /** Names them; unique on the stack. */
  readonly name: string;
  /** The project that owns them; absent: the user who makes them. */
  readonly projectId?: string;
}

const PERIOD = { from: '2026-03-10T00:00:00Z', to: '2026-03-10T01:00:00Z' };

/** Accepts files, and has a schedule. */
const workflowOf = (name: string): WorkflowFile => ({
  name: `of ${name}`,
  nodes: [
    node('Webhook', 'webhook', 2, 0, { httpMethod: 'POST', path: name, responseMode: 'lastNode' }),
    // The caller does not wait for a response, and soon learns that its call is stored.
    node('Called', 'webhook', 2, 0, { httpMethod: 'POST', path: `${name}-kept` }),
    node('Clock', 'scheduleTrigger', 1.2, 0, { rule: { interval: [{ field: 'hours' }] } }),
    node('End', 'noOp', 1, 200),
  ],
  connections: connect({ Webhook: [['End']], Called: [['End']], Clock: [['End']] }),
  settings: { executionOrder: 'v1' },
});

/** Paused: the runs of other stories notify nobody. */
const subscriptionOf = (name: string) => ({ name, url: `https://receiver.invalid/${name}`, paused: true });

/** An execution with a file. */
const runWithFile = async (stack: Stack, owner: Rest, name: string, workflowId: string) => {
  const form = new FormData();
  form.append('doc', new Blob([`text of ${name}`], { type: 'text/plain' }), 'a.txt');
  const reply = await fetch(`${stack.baseUrls[0] ?? ''}/webhook/${name}`, { method: 'POST', body: form });
  if (reply.status !== 200) throw new Error(`${reply.status}: ${await reply.text()}`);
  const [execution] = listOf(await owner('GET', `/executions?limit=1&workflowId=${workflowId}`));
  const executions = String(execution?.['id']);
  const { text } = await owner('GET', `/executions/${executions}`);
  return { executions, ref: /"id":"([^"]+\.file-[^"]+)"/.exec(text)?.[1] ?? '' };
};

/** Makes them on behalf of an owner of the instance. */
export const makeOwnedThings = async (
  stack: Stack,
  owner: Rest,
  { name, ...projectId }: Owning,
): Promise<OwnedThings> => {
  const file = { ...workflowOf(name), ...projectId, active: true };
  const workflows = textOf(await owner('POST', '/workflows', file), 'id');
  const { executions, ref } = await runWithFile(stack, owner, name, workflows);
  const [deliveries = ''] = await keepCalls(stack, [[`${name}-kept`, {}]]);
  // A process may be healthy before all of its callers have connected to it again.
  const made = (path: string, body: object): Promise<string> =>
    until(path, async () => {
      const answer = await owner('POST', path, body);
      return answer.status !== 503 && textOf(answer, 'id');
    });
  const filter = { workflowId: workflows, status: 'success' };
  const table = await made('/data-tables', { name, columns: [{ name: 'a', type: 'string' }], ...projectId });
  await owner('POST', `/data-tables/${table}/rows`, { rows: [{ a: `row of ${name}` }] });
  return {
    workflows,
    executions,
    deliveries,
    version: String(listOf(await owner('GET', `/workflows/${workflows}/versions`))[0]?.['versionId']),
    ref,
    variables: await made('/variables', { key: name.replaceAll('-', '_'), value: 'v', ...projectId }),
    'data-tables': table,
    backfills: await made(`/workflows/${workflows}/backfill`, PERIOD),
    'retry-jobs': await made('/executions/retry', { filter }),
    'event-subscriptions': await made('/event-subscriptions', { ...subscriptionOf(name), ...projectId }),
  };
};
