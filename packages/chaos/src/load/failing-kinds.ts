import { NEVER, type Kind } from './kind';
import { call, chain, effect, node, type WorkflowFile } from './workflow-file';

const start = node('Start', 'manualTrigger', 1);
const called = node('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
/** Refused slowly, so that the failed node run has a checkpoint before the run has an outcome. */
const REFUSE = '/refuse?ms=1200';

/** The last node of the chain, and a node that must not run after it has failed, follow the same node. */
const withNeverBeside = (workflow: WorkflowFile, sinkUrl: string): WorkflowFile => {
  const [before, last] = workflow.nodes.slice(-2).map(({ name }) => name);
  return {
    ...workflow,
    nodes: [...workflow.nodes, effect(NEVER, sinkUrl, '/effect')],
    connections: {
      ...workflow.connections,
      [before ?? '']: { main: [[last, NEVER].map((name) => ({ node: name, type: 'main', index: 0 }))] },
    },
  };
};

/** Workflows of ordinary users whose runs have a known outcome although a node fails. */
export const FAILING_KINDS: readonly Kind[] = [
  {
    name: 'told',
    weight: 0,
    start: { by: 'execute' },
    effects: 1,
    body: () => ({}),
    build: ({ sinkUrl }) =>
      chain(
        'told',
        [node('Failed', 'errorTrigger', 1), effect('Tell', sinkUrl, '/failed?of={{ $json.execution.id }}')],
        false,
      ),
  },
  {
    name: 'refused',
    weight: 4,
    start: { by: 'execute' },
    mustFail: true,
    tellsFailure: true,
    effects: 0,
    body: (n) => ({ n }),
    build: ({ sinkUrl, idOf }) =>
      withNeverBeside(
        chain(
          'refused',
          [start, effect('Before', sinkUrl, '/effect?ms=20'), effect('Refused', sinkUrl, REFUSE)],
          false,
          { errorWorkflow: idOf('told') },
        ),
        sinkUrl,
      ),
  },
  {
    name: 'refused-child',
    weight: 0,
    start: { by: 'execute' },
    mustFail: true,
    effects: 0,
    body: () => ({}),
    build: ({ sinkUrl }) => chain('refused-child', [called, effect('Refused', sinkUrl, REFUSE)], false),
  },
  {
    name: 'parent-of-refused',
    weight: 3,
    start: { by: 'execute' },
    mustFail: true,
    tellsFailure: true,
    effects: 0,
    body: (n) => ({ n }),
    build: ({ sinkUrl, idOf }) =>
      chain(
        'parent-of-refused',
        [start, call('Call', idOf('refused-child'), 'once', true), effect(NEVER, sinkUrl, '/effect')],
        false,
        { errorWorkflow: idOf('told') },
      ),
  },
  {
    name: 'stopped',
    weight: 2,
    start: { by: 'execute' },
    mustFail: true,
    effects: 0,
    body: (n) => ({ n }),
    build: ({ sinkUrl }) =>
      chain(
        'stopped',
        [
          start,
          effect('Before', sinkUrl, '/effect?ms=1100'),
          node('Stop', 'stopAndError', 1, { errorMessage: 'no' }),
          effect(NEVER, sinkUrl, '/effect'),
        ],
        false,
      ),
  },
  {
    name: 'forgiven',
    weight: 2,
    start: { by: 'execute' },
    effects: 2,
    body: (n) => ({ n }),
    build: ({ sinkUrl }) =>
      chain(
        'forgiven',
        [
          start,
          { ...effect('Refused', sinkUrl, REFUSE), onError: 'continueRegularOutput' },
          effect('After', sinkUrl, '/effect'),
        ],
        false,
      ),
  },
];
