import type { KindCases } from '../../testing/cases/node-case';
import { promptOf } from '../testing/scripted-model';

const echo = {
  answers: (call: Parameters<typeof promptOf>[0]) =>
    promptOf({ ...call, messages: call.messages.filter(({ role }) => role !== 'system') }),
};
const newer = [1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2, 2.1, 2.2, 3, 3.1];

export const agentCases: KindCases = {
  kind: 'langchain.agent',
  cases: [
    {
      it: 'answers its input',
      versions: [1],
      run: { items: [{ input: 'Hi' }], model: echo },
      gives: [[{ output: 'Hi' }]],
    },
    {
      it: 'answers its input',
      versions: [1.1],
      run: { items: [{ chat_input: 'Hi' }], model: echo },
      gives: [[{ output: 'Hi' }]],
    },
    {
      it: 'answers its input',
      versions: [1.2],
      run: { items: [{ chatInput: 'Hi' }], model: echo },
      gives: [[{ output: 'Hi' }]],
    },
    {
      it: 'answers the chat input',
      versions: newer,
      run: { items: [{ chatInput: 'Hi' }], model: echo },
      gives: [[{ output: 'Hi' }]],
    },
    {
      it: 'answers the prompt of each item',
      versions: newer,
      run: {
        items: [{ n: 1 }, { n: 2 }],
        parameters: { promptType: 'define', text: '=Say {{ $json.n }}' },
        model: echo,
      },
      gives: [[{ output: 'Say 1' }, { output: 'Say 2' }]],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'needs a prompt',
      versions: [1, 1.1, 1.2, ...newer],
      run: { items: [{ other: 'Hi' }], model: echo },
      fails: 'The prompt is empty',
    },
  ],
};
