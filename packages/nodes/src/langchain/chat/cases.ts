import type { KindCases } from '../../testing/cases/node-case';

export const chatTriggerCases: KindCases = {
  kind: 'langchain.chatTrigger',
  cases: [
    {
      it: 'outputs the message and its session',
      versions: [1, 1.1, 1.2, 1.3, 1.4, 1.5],
      run: {
        isStart: true,
        mode: 'webhook',
        items: [{ body: { sessionId: 's', action: 'sendMessage', chatInput: 'Hi' } }],
        parameters: { public: true },
      },
      gives: [[{ sessionId: 's', action: 'sendMessage', chatInput: 'Hi' }]],
    },
  ],
};
