import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { setTimeout as sleep } from 'node:timers/promises';
import { slowness } from '../../support/processes/machine-speed';
import { dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { makeUser } from '../../support/users';
import { chain, node, smallWorkflow } from '../../support/workflows';

/** Loops of the hostile user that send the next request when the last one is answered. */
const LOOPS = 6;
const READS = 60;
const PAUSE_MS = 50;
/** Maximum of the median of healthy reads, in milliseconds on an idle machine. */
const MAX_MEDIAN_MS = 250;

/** A definition of about 90 KB with an expression in each of its nodes. */
const large = chain(
  'large',
  Array.from({ length: 300 }, (_, index) =>
    node(`Set ${index}`, 'set', 3.4, index * 10, {
      mode: 'raw',
      jsonOutput: `={{ { n: $json.n + ${index}, text: $json.text?.split(',').map((part) => part.trim()) } }}`,
      options: {},
    }),
  ),
);

/** One item of about 24 MB, so that a page has to be cut out of it. */
const bulky = chain('bulky', [
  node('Start', 'manualTrigger', 1, 0),
  node('Grow', 'set', 3.4, 200, {
    mode: 'raw',
    jsonOutput: "={{ { list: Array.from({ length: 6000 }, (_, n) => ({ n, text: 'x'.repeat(4000) })) } }}",
    options: {},
  }),
]);

describe('a user next to one who sends the heaviest reads without a pause', () => {
  let stack: Stack;
  let ours: Rest;
  let theirs: Rest;
  let workflowId: string;
  let factor = 1;

  beforeAll(async () => {
    stack = await borrowStack();
    factor = await slowness();
    ours = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    theirs = restClient(stack.baseUrls[0] ?? '', await makeUser(stack, 'heavy-reads', 'editor'));
    workflowId = textOf(await ours('POST', '/workflows', smallWorkflow('beside-reads', {})), 'id');
  });
  afterAll(() => giveStackBack(stack));

  /** Times of healthy reads while the other user does this in several loops. */
  const besides = async (heavy: () => Promise<number>) => {
    let isOver = false;
    const statuses = new Set<number>();
    let done = 0;
    const loops = Array.from({ length: LOOPS }, async () => {
      while (!isOver) {
        statuses.add(await heavy());
        done += 1;
      }
    });
    const times: number[] = [];
    for (let read = 0; read < READS; read += 1) {
      const begunAt = performance.now();
      const answers = await Promise.all([ours('GET', `/workflows/${workflowId}`), ours('GET', '/executions?limit=5')]);
      times.push(performance.now() - begunAt);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      await sleep(PAUSE_MS);
    }
    isOver = true;
    await Promise.all(loops);
    times.sort((one, other) => one - other);
    return { median: times[READS / 2] ?? Infinity, done, statuses: [...statuses] };
  };

  it('is answered in time while definitions are checked', async () => {
    const workflows = Array.from({ length: 80 }, (_, index) => ({ ...large, name: `large ${index}` }));
    const body = JSON.stringify({ workflows });
    const seen = await besides(async () => (await theirs('POST', '/workflows/check', body)).status);
    expect(seen.statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
    expect(seen.done).toBeGreaterThan(0);
    expect(seen.median).toBeLessThan(MAX_MEDIAN_MS * factor);
  });

  it('is answered in time while items are cut out of large outputs', async () => {
    const id = textOf(await theirs('POST', '/workflows', bulky), 'id');
    const executionId = textOf(await theirs('POST', `/workflows/${id}/execute`, {}), 'executionId');
    const events = await until('the run has ended', async () => {
      const ended = dataOf(await theirs('GET', `/executions/${executionId}?includeData=false`));
      return ended['status'] === 'success'
        ? listOf(await theirs('GET', `/executions/${executionId}/events`))
        : undefined;
    });
    const index = Number(events.find((event) => event['node'] === 'Grow')?.['executionIndex']);
    const path = `/executions/${executionId}/node-runs/${index}/items`;
    const seen = await besides(async () => (await theirs('GET', path)).status);
    expect(seen.statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
    expect(seen.done).toBeGreaterThan(0);
    expect(seen.median).toBeLessThan(MAX_MEDIAN_MS * factor);
  });
});
