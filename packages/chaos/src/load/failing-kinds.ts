import { NEVER, type Kind } from './kind';
import { call, chain, effect, node, webhook, type WorkflowFile } from './workflow-file';

const called = node('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
/** Refused slowly, so that the failed node run has a checkpoint before the run has an outcome. */
const REFUSE = '/refuse?ms=1200';

/** The last node of the chain, and a node that must not run after it has failed, follow the same node. */
const withNeverBeside = (workflow: WorkflowFile, sinkUrl: string): WorkflowFile => {
  const [before, last] = workflow.nodes.slice(-2).map(({ name }) => name);
  return {
    ...workflow,
    // branches run from the top
    nodes: [...workflow.nodes, { ...effect(NEVER, sinkUrl, '/effect'), position: [0, 1_000] }],
    connections: {
      ...workflow.connections,
      [before ?? '']: { main: [[last, NEVER].map((name) => ({ node: name, type: 'main', index: 0 }))] },
    },
  };
};

/**
 * Workflows of ordinary users whose runs have a known outcome although a node fails. Webhooks start them, because runs
 * that are started by hand start no error workflow.
 */
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
    start: { by: 'webhook' },
    mustFail: true,
    tellsFailure: true,
    effects: 0,
    body: (n) => ({ n }),
    build: ({ sinkUrl, idOf }) =>
      withNeverBeside(
        chain(
          'refused',
          [
            webhook('refused', 'onReceived'),
            effect('Before', sinkUrl, '/effect?ms=20'),
            effect('Refused', sinkUrl, REFUSE),
          ],
          true,
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
    start: { by: 'webhook' },
    mustFail: true,
    tellsFailure: true,
    effects: 0,
    body: (n) => ({ n }),
    build: ({ sinkUrl, idOf }) =>
      chain(
        'parent-of-refused',
        [
          webhook('parent-of-refused', 'onReceived'),
          call('Call', idOf('refused-child'), 'once', true),
          effect(NEVER, sinkUrl, '/effect'),
        ],
        true,
        { errorWorkflow: idOf('told') },
      ),
  },
  {
    name: 'stopped',
    weight: 2,
    start: { by: 'webhook' },
    mustFail: true,
    effects: 0,
    body: (n) => ({ n }),
    build: ({ sinkUrl }) =>
      chain(
        'stopped',
        [
          webhook('stopped', 'onReceived'),
          effect('Before', sinkUrl, '/effect?ms=1100'),
          node('Stop', 'stopAndError', 1, { errorMessage: 'no' }),
          effect(NEVER, sinkUrl, '/effect'),
        ],
        true,
      ),
  },
  {
    name: 'forgiven',
    weight: 2,
    start: { by: 'webhook' },
    effects: 2,
    body: (n) => ({ n }),
    build: ({ sinkUrl }) =>
      chain(
        'forgiven',
        [
          webhook('forgiven', 'onReceived'),
          { ...effect('Refused', sinkUrl, REFUSE), onError: 'continueRegularOutput' },
          effect('After', sinkUrl, '/effect'),
        ],
        true,
      ),
  },
];
