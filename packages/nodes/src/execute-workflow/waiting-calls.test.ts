import type { JsonObject } from '@weft/node-catalogue';
import {
  type ChildRequest,
  type ChildResult,
  decodeState,
  encodeState,
  type EngineState,
  type NodePorts,
  type RunOutcome,
} from '@weft/engine';
import { jsonOf, runTest, type TestResult } from '@weft/engine/testing';
import { KIND_TABLE } from '../descriptors/kinds';
import { executeWorkflow } from './executor';

const emitted = { kind: 'items' as const, outputs: [[0, 1, 2].map((n) => ({ json: { n } }))] };

/** Children that pause once: the first call for each finds it paused, later calls find its result. */
const pausing = () => {
  const requests: ChildRequest[] = [];
  const seen = new Set<string>();
  const startChild: NodePorts['startChild'] = (request): Promise<ChildResult> => {
    requests.push(request);
    const executionId = `e-${request.item}-${request.attempt}`;
    if (!seen.has(executionId)) {
      seen.add(executionId);
      return Promise.resolve({ kind: 'waiting', executionId });
    }
    return Promise.resolve({
      kind: 'finished',
      executionId,
      items: request.input.map(({ json }) => ({ json: { got: json['n'] ?? null } })),
    });
  };
  return { requests, startChild };
};

const run = (
  mode: string,
  startChild: NodePorts['startChild'],
  node: JsonObject,
  from?: { readonly state: EngineState; readonly before: TestResult },
): Promise<TestResult> =>
  runTest({
    nodes: [
      ['Start', 'source'],
      ['Call', 'executeWorkflow', { parameters: { mode, workflowId: 'w2' }, ...node }],
    ],
    links: ['Start>Call'],
    kinds: KIND_TABLE,
    executors: { source: () => emitted, executeWorkflow },
    startChild,
    ...(from === undefined
      ? {}
      : {
          state: decodeState(encodeState(from.state)),
          records: from.before.records,
          resume: { kind: 'child' as const },
        }),
  });

/** Runs to the end, and resumes the run each time it waits for a child. */
const runToEnd = async (mode: string, startChild: NodePorts['startChild'], node: JsonObject = {}) => {
  const waits: RunOutcome[] = [];
  let result = await run(mode, startChild, node);
  while (result.outcome.kind === 'waiting' && waits.length < 20) {
    waits.push(result.outcome);
    result = await run(mode, startChild, node, { state: result.outcome.state, before: result });
  }
  return { result, waits };
};

describe('a node whose sub-workflows pause', () => {
  it('waits for the single one, and then outputs its result', async () => {
    const { requests, startChild } = pausing();
    const { result, waits } = await runToEnd('once', startChild);
    expect(waits).toMatchObject([{ wait: { kind: 'child', executionId: 'e-0-0' } }]);
    expect(jsonOf(result, 'Call')).toEqual([{ got: 0 }, { got: 1 }, { got: 2 }]);
    expect(requests.map(({ executionId }) => executionId)).toEqual([undefined, 'e-0-0']);
  });

  it('waits for one after the other, and requests each at most twice', async () => {
    const { requests, startChild } = pausing();
    const { result, waits } = await runToEnd('each', startChild);
    expect(waits.map((wait) => (wait.kind === 'waiting' ? wait.wait : undefined))).toMatchObject([
      { executionId: 'e-0-0' },
      { executionId: 'e-1-0' },
      { executionId: 'e-2-0' },
    ]);
    expect(jsonOf(result, 'Call')).toEqual([{ got: 0 }, { got: 1 }, { got: 2 }]);
    expect(requests.map(({ item, executionId }) => [item, executionId])).toEqual([
      [0, undefined],
      [0, 'e-0-0'],
      [1, undefined],
      [1, 'e-1-0'],
      [2, undefined],
      [2, 'e-2-0'],
      [0, 'e-0-0'],
      [1, 'e-1-0'],
    ]);
  });

  it('resumes the attempt that waited, past earlier failed ones', async () => {
    const { requests, startChild } = pausing();
    const failsFirst: NodePorts['startChild'] = (request) => {
      if (request.attempt > 0) return startChild(request);
      requests.push(request);
      return Promise.resolve({ kind: 'failed', executionId: 'e-first', message: 'it broke' });
    };
    const { result, waits } = await runToEnd('once', failsFirst, {
      retryOnFail: true,
      maxTries: 2,
      waitBetweenTries: 0,
    });
    expect(waits).toMatchObject([{ wait: { executionId: 'e-0-1' } }]);
    expect(jsonOf(result, 'Call')).toEqual([{ got: 0 }, { got: 1 }, { got: 2 }]);
    expect(requests.map(({ attempt, executionId }) => [attempt, executionId])).toEqual([
      [0, undefined],
      [1, undefined],
      [0, undefined],
      [1, 'e-0-1'],
    ]);
  });

  it('stores no calls after it ends', async () => {
    const { startChild } = pausing();
    const { result } = await runToEnd('each', startChild);
    expect(JSON.stringify(result.events.at(-1)?.state().memories)).not.toContain('e-0-0');
  });

  /** A queue with a number of slots for concurrent calls. */
  const busy = (room: number) => {
    const requests: ChildRequest[] = [];
    let left = room;
    const startChild: NodePorts['startChild'] = (request): Promise<ChildResult> => {
      requests.push(request);
      left -= 1;
      if (left >= 0) return Promise.resolve({ kind: 'started', executionId: `e-${request.item}` });
      left = room;
      return Promise.resolve({ kind: 'later', at: 77 });
    };
    return { requests, startChild };
  };
  const DETACHED = { options: { waitForSubWorkflow: false } };

  it('waits for a free slot in the queue, starts every item once, and requests none of them again', async () => {
    const { requests, startChild } = busy(1);
    const { result, waits } = await runToEnd('each', startChild, {
      parameters: { mode: 'each', workflowId: 'w2', ...DETACHED },
    });
    expect(waits.map((wait) => (wait.kind === 'waiting' ? wait.wait : undefined))).toEqual([
      { kind: 'timer', at: 77 },
      { kind: 'timer', at: 77 },
    ]);
    expect(requests.map(({ item }) => item)).toEqual([0, 1, 1, 2, 2]);
    expect(jsonOf(result, 'Call')).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
  });

  it('waits for a free slot for a single call as well', async () => {
    const { requests, startChild } = busy(0);
    let asked = 0;
    const { waits } = await runToEnd(
      'once',
      (request) => ((asked += 1) > 2 ? Promise.resolve({ kind: 'started', executionId: 'e' }) : startChild(request)),
      { parameters: { mode: 'once', workflowId: 'w2', ...DETACHED } },
    );
    expect([waits.length, requests.length]).toEqual([2, 2]);
  });
});
