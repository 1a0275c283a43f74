import type { ChildRequest, ChildResult } from '../../engine/ports';
import type { KindCases } from '../testing/node-case';

const items = [{ n: 1 }, { n: 2 }];
const ALL = [1, 1.1, 1.2, 1.3];
const doubles = ({ input }: ChildRequest): Promise<ChildResult> => Promise.resolve({ kind: 'finished', executionId: 'child', items: input.map(({ json }) => ({ json: { n: Number(json['n']) * 2 } })) });
const fails = (): Promise<ChildResult> => Promise.resolve({ kind: 'failed', executionId: 'child', message: 'it broke' });

/** What Call a workflow promises. */
export const executeWorkflowCases: KindCases = {
  kind: 'executeWorkflow',
  cases: [
    { it: 'gives what the called workflow gave', versions: ALL, run: { items, parameters: { workflowId: 'w2' }, startChild: doubles }, gives: [[{ n: 2 }, { n: 4 }]], pairs: [[{ item: 0 }, { item: 1 }]] },
    { it: 'calls it for each item where that is asked for', versions: ALL, run: { items, parameters: { workflowId: { __rl: true, mode: 'id', value: 'w2' }, mode: 'each' }, startChild: doubles }, gives: [[{ n: 2 }, { n: 4 }]], pairs: [[{ item: 0 }, { item: 1 }]] },
    { it: 'fails with the called workflow', versions: ALL, run: { items, parameters: { workflowId: 'w2' }, startChild: fails }, fails: 'it broke' },
    {
      it: 'puts the stated inputs over the fields of each item', versions: [1.2, 1.3],
      run: { items, parameters: { workflowId: 'w2', workflowInputs: { mappingMode: 'defineBelow', value: { n: '={{ $json.n + 10 }}' } } }, startChild: doubles }, gives: [[{ n: 22 }, { n: 24 }]],
    },
  ],
};
