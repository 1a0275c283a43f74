import type { SimulatedWorkflow } from './peers';
import { REPLACED } from '../time/install';

/** The result that a run of a workflow must have. */
export interface Expected {
  /** End states that are right if nothing is cancelled. */
  readonly states: readonly string[];
  /** Effects of a run that ends as expected, in order. */
  readonly effects: readonly string[];
  /** Nodes of which the record must have a run. */
  readonly nodes: readonly string[];
  /** Effects that the error workflow must have had once. */
  readonly errorWorkflow?: boolean;
  /** Whether acts may be repeated only while they were in progress: false if each attempt begins again. */
  readonly resumes: boolean;
  /** True if the run may end as crashed when its runner dies. */
  readonly mayCrash?: boolean;
}

/** A workflow and the expected result of its runs. */
export interface Kind extends SimulatedWorkflow {
  readonly expected: Expected;
  /** False: it is only started by other workflows. */
  readonly isStarted: boolean;
}

interface Node {
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly position: readonly [number, number];
  readonly parameters: object;
  readonly [extra: string]: unknown;
}

const node = (name: string, kind: string, typeVersion: number, parameters: object = {}, extra: object = {}): Node => ({
  name,
  type: `n8n-nodes-base.${kind}`,
  typeVersion,
  position: [0, 0],
  parameters,
  ...extra,
});

const start = node('Start', 'webhook', 2, { httpMethod: 'POST', path: 'p', responseMode: 'onReceived' });

/** An HTTP node with one counted effect. */
const act = (name: string, query = '', extra: object = {}): Node =>
  node(
    name,
    'httpRequest',
    4.2,
    {
      method: 'POST',
      url: `=http://target.test/effect/${name}?id={{ $execution.id }}${query}`,
      options: {},
    },
    extra,
  );

const calls = (workflowId: string, extra: object = {}): Node =>
  node('Call', 'executeWorkflow', 1.1, { source: 'database', workflowId, options: {} }, extra);

const chain = (nodes: readonly Node[]) =>
  Object.fromEntries(
    nodes
      .slice(1)
      .map((next, index) => [nodes[index]?.name ?? '', { main: [[{ node: next.name, type: 'main', index: 0 }]] }]),
  );

const OWNER = '01900000-0000-7000-8000-000000000001';

const kind = (
  name: string,
  nodes: readonly Node[],
  expected: Partial<Expected>,
  settings: object = {},
  isStarted = true,
): Kind => {
  const acts = nodes.filter(({ type }) => type.endsWith('.httpRequest')).map((one) => one.name);
  return {
    name,
    workflowId: REPLACED.ids.uuidv7(),
    versionId: REPLACED.ids.uuidv7(),
    ownerId: OWNER,
    definition: Object.assign(
      { nodes },
      { name, connections: chain(nodes), settings: { executionOrder: 'v1', ...settings } },
    ),
    isStarted,
    expected: {
      states: ['success'],
      effects: acts,
      nodes: nodes.map((one) => one.name),
      resumes: true,
      ...expected,
    },
  };
};

const ERROR = ['error'] as const;

/** The workflows of every simulation. */
export const createKinds = (): readonly Kind[] => {
  const noted = kind('noted', [node('Failed', 'errorTrigger', 1), act('Noted')], {}, {}, false);
  const called = node('Called', 'executeWorkflowTrigger', 1);
  const child = kind('child', [called, act('InChild', '&ms=40')], {}, {}, false);
  const failing = kind(
    'failing-child',
    [called, act('Bad', '&status=500&ms=1200')],
    { states: ERROR, effects: ['Bad'] },
    {},
    false,
  );
  return [
    noted,
    child,
    failing,
    kind('acts', [start, act('A'), act('B', '&ms=800'), act('C'), act('D', '&ms=200')], {}),
    kind('slow', [start, act('A', '&ms=2500'), act('B', '&ms=1500'), act('C', '&ms=20')], {}),
    kind('plain', [start, node('One', 'noOp', 1), node('Two', 'noOp', 1)], {}),
    kind(
      'fails',
      [start, act('A', '&ms=300'), act('Bad', '&status=500&ms=1600')],
      { states: ERROR, errorWorkflow: true },
      { errorWorkflow: noted.workflowId },
    ),
    kind(
      'stops',
      [start, act('A'), node('Stop', 'stopAndError', 1, { errorMessage: 'no' }), act('Never')],
      { states: ERROR, effects: ['A'], nodes: ['Start', 'A', 'Stop'], errorWorkflow: true },
      { errorWorkflow: noted.workflowId },
    ),
    kind(
      'continues',
      [start, act('Bad', '&status=500&ms=1200', { onError: 'continueRegularOutput' }), act('B', '&ms=300')],
      {},
    ),
    kind(
      'retries',
      [start, act('Bad', '&status=500', { retryOnFail: true, maxTries: 2, waitBetweenTries: 500 }), act('Never')],
      { states: ERROR, effects: ['Bad'], nodes: ['Start', 'Bad'] },
    ),
    kind(
      'waits',
      [start, act('A'), node('Wait', 'wait', 1.1, { amount: 7, unit: 'seconds' }), act('B', '&ms=100')],
      {},
    ),
    kind('calls', [start, calls(child.workflowId), act('After')], {}),
    kind(
      'calls-failing',
      [start, calls(failing.workflowId, { onError: 'continueRegularOutput' }), act('After', '&ms=50')],
      {},
    ),
    kind('restarts', [start, act('A', '&ms=700'), act('B', '&ms=700')], { resumes: false }, { crashPolicy: 'restart' }),
    kind('gives-up', [start, act('A', '&ms=700'), act('B', '&ms=700')], { mayCrash: true }, { crashPolicy: 'fail' }),
  ];
};
