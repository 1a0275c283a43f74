import type { ChildResult, NodePorts } from '@weft/engine';
import type { KindCases } from '../testing/cases/node-case';

const items = [{ n: 1 }, { n: 2 }];
const VERSIONS = [1, 1.1, 1.2, 1.3, 1.4];

/** A called workflow that returns its input, each item with the name of the workflow. */
const echo: NodePorts['startChild'] = ({ input, workflow }): Promise<ChildResult> => {
  const by = 'id' in workflow ? workflow.id : 'given';
  return Promise.resolve({
    kind: 'finished',
    executionId: 'e2',
    items: input.map(({ json }) => ({ json: { ...json, by } })),
  });
};

export const executeWorkflowCases: KindCases = {
  kind: 'executeWorkflow',
  cases: [
    {
      it: 'outputs the result of the called workflow',
      versions: VERSIONS,
      run: { items, startChild: echo, parameters: { workflowId: 'w2' } },
      gives: [
        [
          { n: 1, by: 'w2' },
          { n: 2, by: 'w2' },
        ],
      ],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'calls another workflow for each item',
      versions: VERSIONS,
      run: { items, startChild: echo, parameters: { mode: 'each', workflowId: '={{ "w" + $json.n }}' } },
      gives: [
        [
          { n: 1, by: 'w1' },
          { n: 2, by: 'w2' },
        ],
      ],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'calls a workflow given as a parameter',
      versions: VERSIONS,
      run: {
        items,
        startChild: echo,
        parameters: { source: 'parameter', workflowJson: '{"nodes":[],"connections":{}}' },
      },
      gives: [
        [
          { n: 1, by: 'given' },
          { n: 2, by: 'given' },
        ],
      ],
    },
    {
      it: 'overrides the fields with the declared inputs',
      versions: [1.2, 1.3, 1.4],
      run: {
        items,
        startChild: echo,
        parameters: {
          workflowId: 'w2',
          workflowInputs: { mappingMode: 'defineBelow', value: { n: '={{ $json.n * 10 }}' } },
        },
      },
      gives: [
        [
          { n: 10, by: 'w2' },
          { n: 20, by: 'w2' },
        ],
      ],
    },
    {
      it: 'converts declared string inputs to strings',
      versions: [1.4],
      run: {
        items: [{}],
        startChild: echo,
        parameters: {
          workflowId: 'w2',
          workflowInputs: {
            mappingMode: 'defineBelow',
            value: { s: '={{ { a: 1 } }}', n: '5' },
            schema: [
              { id: 's', displayName: 's', type: 'string' },
              { id: 'n', displayName: 'n', type: 'number' },
            ],
            attemptToConvertTypes: true,
          },
        },
      },
      gives: [[{ s: '{"a":1}', n: 5, by: 'w2' }]],
    },
    {
      it: 'does not convert declared string inputs',
      versions: [1.2, 1.3],
      run: {
        items: [{}],
        startChild: echo,
        parameters: {
          workflowId: 'w2',
          workflowInputs: {
            mappingMode: 'defineBelow',
            value: { s: '={{ 5 }}' },
            schema: [{ id: 's', displayName: 's', type: 'string' }],
            attemptToConvertTypes: true,
          },
        },
      },
      gives: [[{ s: 5, by: 'w2' }]],
    },
    {
      it: 'does not load a workflow from a file',
      versions: VERSIONS,
      run: { items, startChild: echo, parameters: { source: 'localFile' } },
      fails: 'cannot be loaded from a file',
    },
    {
      it: 'calls a workflow given as a parameter for each item',
      versions: VERSIONS,
      run: {
        items,
        startChild: echo,
        parameters: { source: 'parameter', mode: 'each', workflowJson: '{"nodes":[],"connections":{}}' },
      },
      gives: [
        [
          { n: 1, by: 'given' },
          { n: 2, by: 'given' },
        ],
      ],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
  ],
};
