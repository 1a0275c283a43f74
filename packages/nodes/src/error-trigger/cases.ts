import type { KindCases } from '../testing/cases/node-case';

const failure = {
  execution: { id: '7', error: { message: 'bad' }, lastNodeExecuted: 'A', mode: 'trigger' },
  workflow: { id: 'w', name: 'W' },
};

export const errorTriggerCases: KindCases = {
  kind: 'errorTrigger',
  cases: [
    {
      it: 'outputs the details of the failure',
      versions: [1],
      run: { isStart: true, mode: 'error', items: [failure] },
      gives: [[failure]],
    },
  ],
};
