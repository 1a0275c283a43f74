import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { checkout } from '../../corpus/places';
import { BUSY, codeOf, expressionOf, HOSTILE, HOSTILE_NODE, START } from '../../support/hostile-workflows';
import { callWebhook, dataOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, smallWorkflow, type WorkflowFile } from '../../support/workflows';

const CODE_MS = 2_000;
/**
 * All hostile runs together: two sandboxes take turns, and each run may use its whole time and be killed.
 */
const STORM_MS = 90_000;

/** Attempts to escape, each with its permitted result: data, or an error. None may reveal secrets of the stack. */
const WAYS_OUT: readonly string[] = [
  '({}).constructor.constructor("return process")().env',
  '[]["fil" + "ter"]["const" + "ructor"]("return globalThis")()',
  '(() => { const { constructor: { constructor: make } } = () => 1; return make("return process.env")() })()',
  '(function () { return this?.process?.env })()',
  '$json.__proto__.polluted = 1',
  'Object.getPrototypeOf(() => 1).constructor("return this")()',
  'Reflect.ownKeys(globalThis)',
  '`${process.env.SERVICE_KEY}`',
  '$jmespath({ a: 1 }, "constructor.constructor")',
  'new Error("x").stack',
  '$env.SERVICE_KEY',
  'require("fs").readFileSync("/proc/self/environ", "utf8")',
];

describe('workflows that mean harm', () => {
  let stack: Stack;
  let rest: Rest;
  let pids: readonly number[];

  const run = async (workflow: WorkflowFile): Promise<Readonly<Record<string, unknown>>> => {
    const id = textOf(await rest('POST', '/workflows', workflow), 'id');
    const executionId = textOf(await rest('POST', `/workflows/${id}/execute`, {}), 'executionId');
    return until(
      `the end of ${workflow.name}`,
      async () => {
        const execution = dataOf(await rest('GET', `/executions/${executionId}`));
        return execution['status'] !== 'running' && execution;
      },
      STORM_MS,
    );
  };
  const expectHealthy = async (): Promise<void> => {
    expect(stack.processes.map(({ pid, hasEnded }) => [pid, hasEnded])).toEqual(pids.map((pid) => [pid, false]));
    await Promise.all(stack.processes.map((each) => each.waitUntilHealthy()));
    // It may begin in the low-priority process, since its owner has used the thread for long. On a busy machine that
    // process may refuse it at first, and the run returns seconds later.
    const ordinary = await run(codeOf('return { well: items.length }'));
    expect(ordinary).toMatchObject({
      status: 'success',
      data: { resultData: { runData: { [HOSTILE_NODE]: [{ data: { main: [[{ json: { well: 1 } }]] } }] } } },
    });
  };

  beforeAll(async () => {
    stack = await borrowStack({
      env: {
        runner: { OUTBOUND_ALLOW: '', RUNNER_CODE_TIMEOUT_MS: String(CODE_MS), RUNNER_SANDBOX_MB: '64' },
      },
    });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    pids = stack.processes.map(({ pid }) => pid);
    const id = textOf(await rest('POST', '/workflows', smallWorkflow('beside')), 'id');
    expect((await rest('POST', `/workflows/${id}/activate`)).status).toBe(200);
  });
  afterAll(() => giveStackBack(stack));

  it(
    'end within their limits with an error of their node, all at once, while an ordinary webhook is answered ' +
      'and every process stays unchanged',
    async () => {
      let isOver = false;
      const ends = Promise.all(HOSTILE.map(async ([what, workflow]) => [what, await run(workflow)] as const)).finally(
        () => {
          isOver = true;
        },
      );
      const answers: number[] = [];
      while (!isOver) answers.push((await callWebhook(stack.baseUrls[0] ?? '', 'beside', { n: 1 })).status);
      for (const [what, execution] of await ends) {
        expect([what, execution]).toEqual([
          what,
          expect.objectContaining({
            status: 'error',
            data: expect.objectContaining({
              resultData: expect.objectContaining({
                error: expect.objectContaining({
                  reason: 'NODE_ERROR',
                  node: expect.objectContaining({ name: HOSTILE_NODE }),
                  message: expect.stringMatching(/\w+ \w+/),
                }),
              }),
            }),
          }),
        ]);
      }
      expect([...new Set(answers)]).toEqual([200]);
      expect(answers.length).toBeGreaterThan(5);
      await expectHealthy();
    },
    STORM_MS + 30_000,
  );

  it('that are busy with thousands of items, each within its limits, do not stand in the way of others', async () => {
    const busy: WorkflowFile = {
      name: 'busy',
      nodes: [
        START,
        node('Many', 'code', 2, 200, { jsCode: 'return Array.from({ length: 12000 }, (_, n) => ({ json: { n } }))' }),
        node('Busy', 'set', 3.4, 400, {
          mode: 'manual',
          options: {},
          assignments: { assignments: [{ id: 'a', name: 'found', type: 'string', value: `={{ ${BUSY} }}` }] },
        }),
      ],
      connections: connect({ Start: [['Many']], Many: [['Busy']] }),
      settings: { executionOrder: 'v1' },
    };
    const id = textOf(await rest('POST', '/workflows', busy), 'id');
    const runs = await Promise.all(
      [1, 2, 3].map(async () => textOf(await rest('POST', `/workflows/${id}/execute`, {}), 'executionId')),
    );
    const statuses = async (): Promise<readonly unknown[]> =>
      Promise.all(runs.map(async (run) => dataOf(await rest('GET', `/executions/${run}`))['status']));
    const answers: number[] = [];
    for (let n = 0; n < 30; n += 1) answers.push((await callWebhook(stack.baseUrls[0] ?? '', 'beside', { n })).status);
    expect([new Set(answers), await statuses()]).toEqual([new Set([200]), ['running', 'running', 'running']]);
    await Promise.all(runs.map((run) => rest('POST', `/executions/${run}/cancel`)));
    await expectHealthy();
  });

  it.each(WAYS_OUT)('%s leads nowhere, in an expression and in code', async (way) => {
    const executions = await Promise.all([
      run(expressionOf(way)),
      run(codeOf(`const found = ${way}; return { found: typeof found === 'function' ? found.toString() : found }`)),
    ]);
    const text = JSON.stringify(executions);
    for (const secret of [stack.apiKey, stack.ownerPassword, stack.mongodbUri, stack.natsUrl, 'PRIVATE KEY', checkout])
      expect(text).not.toContain(secret);
    expect(text).not.toMatch(/node_modules|"v\d+\.\d+\.\d+"/);
  });

  it('leave behind a service that works', expectHealthy, 60_000);
});
