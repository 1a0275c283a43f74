import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { makeUser } from '../../support/users';
import { connect, node, type WorkflowFile } from '../../support/workflows';

const QUEUE_LIMIT = 60;
const HEALTHY_RUNS = 5;
/** Code that uses its whole time limit. */
const CODE_MS = 2_000;
/** For a run whose code is one line, next to code that takes all it can get. */
const HEALTHY_MS = 30_000;
/**
 * Maximum runs of the project that may end while a healthy run is queued, and while its code waits for a process. Runs
 * are counted because times mean little on a busy machine. In order of arrival, 30 would precede it in the queue and 7
 * in the runner.
 */
const MAX_ENDED_WHILE_QUEUED = 8;
const MAX_ENDED_WHILE_RUNNING = 4;

const timeOf = (text: unknown): number => new Date(String(text)).getTime();

const codeOf = (name: string, jsCode: string): WorkflowFile => ({
  name,
  nodes: [node('Start', 'manualTrigger', 1, 0), node('Code', 'code', 2, 200, { jsCode })],
  connections: connect({ Start: [['Code']] }),
  settings: { executionOrder: 'v1' },
});

/** The median of some numbers. */
const medianOf = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

describe('a project whose members start all they can, next to an owner who does not', () => {
  let stack: Stack;
  let owner: Rest;
  let healthy: Rest;
  /** Editors of the project, each with a workflow whose code uses its whole time limit. */
  const members: { readonly rest: Rest; readonly workflow: string }[] = [];
  let project = '';
  let healthyWorkflow = '';

  beforeAll(async () => {
    stack = await borrowStack({
      env: {
        executions: { QUEUE_LIMIT: String(QUEUE_LIMIT), SWEEP_MS: '1000' },
        runner: { RUNNER_SLOTS: '8', RUNNER_SANDBOXES: '2', RUNNER_CODE_TIMEOUT_MS: String(CODE_MS) },
      },
    });
    const clientOf = (key: string): Rest => restClient(stack.baseUrls[0] ?? '', key);
    owner = clientOf(stack.apiKey);
    healthy = clientOf(await makeUser(stack, 'beside-healthy', 'editor'));
    const names = ['beside-ada', 'beside-bob'];
    const keys = new Map<string, string>();
    for (const name of names) keys.set(name, await makeUser(stack, name, 'editor'));
    project = textOf(await owner('POST', '/projects', { name: 'busy' }), 'id');
    for (const [name, key] of keys) {
      const body = { email: `${name}@users.invalid`, role: 'editor' };
      expect((await owner('POST', `/projects/${project}/members`, body)).status).toBe(201);
      const rest = clientOf(key);
      const file = { ...codeOf(`loop of ${name}`, 'for (;;) {}'), projectId: project };
      members.push({ rest, workflow: textOf(await rest('POST', '/workflows', file), 'id') });
    }
    healthyWorkflow = textOf(await healthy('POST', '/workflows', codeOf('a line', 'return { n: 1 }')), 'id');
  });
  afterAll(() => giveStackBack(stack));

  /** Times at which runs of the project ended, in Unix milliseconds. */
  const projectEnds = async (): Promise<readonly number[]> => {
    const ends: number[] = [];
    let cursor: string | null | undefined;
    do {
      const query = `limit=100&projectId=${project}${typeof cursor === 'string' ? `&cursor=${cursor}` : ''}`;
      const page = await owner('GET', `/executions?${query}`);
      ends.push(...listOf(page).flatMap(({ finishedAt }) => (finishedAt === null ? [] : [timeOf(finishedAt)])));
      cursor = page.json.nextCursor;
    } while (typeof cursor === 'string');
    return ends;
  };

  it('takes its share of the queue and of the sandboxes, and leaves the other its own', async () => {
    let isFilling = true;
    const refusals: string[] = [];
    const filling = Promise.all(
      members.map(async ({ rest, workflow }) => {
        while (isFilling) {
          const { status, text } = await rest('POST', `/workflows/${workflow}/execute`, {});
          if (status === 503) refusals.push(text);
          else expect(status).toBe(201);
        }
      }),
    );
    try {
      await until('both members are refused', () => Promise.resolve(refusals.length > 2), 120_000);
      const spans: { readonly asked: number; readonly started: number; readonly finished: number }[] = [];
      for (let n = 0; n < HEALTHY_RUNS; n += 1) {
        const asked = Date.now();
        // Queued like the project's runs, not awaited.
        const started = await healthy('POST', `/workflows/${healthyWorkflow}/execute`, {});
        expect([started.status, started.text]).toEqual([201, expect.any(String)]);
        const path = `/executions/${textOf(started, 'executionId')}`;
        const run = await until(
          'the end of a healthy run',
          async () => {
            const execution = dataOf(await healthy('GET', path));
            return execution['status'] !== 'running' && execution;
          },
          HEALTHY_MS,
        );
        expect(run).toMatchObject({ status: 'success' });
        spans.push({ asked, started: timeOf(run['startedAt']), finished: timeOf(run['finishedAt']) });
      }
      const before = refusals.length;
      await until('the project is still full', () => Promise.resolve(refusals.length > before), HEALTHY_MS);
      const ends = await projectEnds();
      const endedWithin = (from: number, to: number): number => ends.filter((at) => at > from && at <= to).length;
      const queued = medianOf(spans.map(({ asked, started }) => endedWithin(asked, started)));
      const running = medianOf(spans.map(({ started, finished }) => endedWithin(started, finished)));
      expect(queued).toBeLessThanOrEqual(MAX_ENDED_WHILE_QUEUED);
      expect(running).toBeLessThanOrEqual(MAX_ENDED_WHILE_RUNNING);
    } finally {
      isFilling = false;
      await filling;
    }
    for (const refusal of refusals) expect(refusal).toContain('of this owner');
    // All of it began as the project's, whichever member started it.
    const runs = listOf(await owner('GET', `/executions?limit=100&projectId=${project}`));
    expect(new Set(runs.map(({ workflowId }) => workflowId))).toEqual(new Set(members.map(({ workflow }) => workflow)));
    expect(runs.length).toBeGreaterThan(QUEUE_LIMIT / 2);
  });
});
