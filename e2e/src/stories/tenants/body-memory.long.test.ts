import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { readDeployedLimits } from '@weft/local-stack/deployed-limits';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../deploy/services';
import { callWebhook, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { node } from '../../support/workflows';

const PATH = 'body-memory';
const CALLS = 20;
const BODY_BYTES = 8_600_000;

const { memoryBytes, environment } = readDeployedLimits().gateway;

/** The bodies that a gateway takes by default in a container with that limit, in megabytes. */
const budgetFile = join(root, 'services/gateway/dist/src/middleware/bodies/body-budget.js');
const budgetMb = execFileSync(process.execPath, [
  '-p',
  `require(${JSON.stringify(budgetFile)}).bodyBudgetMb(${memoryBytes})`,
])
  .toString()
  .trim();

/** Peak memory of a process so far, in bytes. */
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

describe('a gateway that gets twenty large bodies at once', () => {
  let stack: Stack;
  let rest: Rest;
  let id: string;

  beforeAll(async () => {
    stack = await borrowStack({ env: { gateway: { ...environment, BODY_MEMORY_MB: budgetMb } } });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const hook = node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: PATH, responseMode: 'onReceived' });
    const workflow = { name: 'large bodies', nodes: [hook], connections: {}, settings: { executionOrder: 'v1' } };
    id = textOf(await rest('POST', '/workflows', { ...workflow, active: true }), 'id');
  });
  afterAll(async () => {
    await rest('POST', `/workflows/${id}/deactivate`);
    await giveStackBack(stack);
  });

  it('stays within the memory of its container, and takes or refuses each; what it took succeeds', async () => {
    const row = { text: 'x'.repeat(1_000) };
    const body = { rows: Array<typeof row>(Math.floor(BODY_BYTES / JSON.stringify(row).length)).fill(row) };
    const answers = await Promise.all(
      Array.from({ length: CALLS }, () => callWebhook(stack.baseUrls[0] ?? '', PATH, body)),
    );
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 503]);
    expect(peakOf(stack.of('gateway')[0]?.pid ?? 0)).toBeLessThan(memoryBytes);
    const taken = answers.filter(({ status }) => status === 200).length;
    // Runs that remain would mark the owner as one with large data for the next story.
    await until('all that were taken have succeeded', async () => {
      const ended = await rest('GET', `/executions?workflowId=${id}&status=success&limit=${CALLS}`);
      return listOf(ended).length === taken;
    });
  });
});
