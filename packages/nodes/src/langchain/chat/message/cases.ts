import type { JsonObject } from '@weft/node-catalogue';
import type { KindCases, NodeCase } from '../../../testing/cases/node-case';

const CHAT = {
  after: 'langchain.chatTrigger',
  afterParameters: { options: { responseMode: 'responseNodes' } },
  items: [{}],
};
const run = (parameters: JsonObject): NodeCase['run'] => ({ ...CHAT, parameters });
const waits = (value: JsonObject, wait: JsonObject = {}): object => ({
  kind: 'webhook',
  settings: { channel: { $case: 'chat', value } },
  ...wait,
});
const asks = { operation: 'sendAndWait', message: 'May I?' };
const BUTTON = { approves: true, style: 'primary' };

/** The cases of Chat until it waits; executor.test.ts covers the replies. */
export const chatCases: KindCases = {
  kind: 'langchain.chat',
  cases: [
    {
      it: 'sends a message and passes its items on',
      versions: [1],
      run: run({ message: '={{ "Hello " + (1 + 1) }}', waitUserReply: false }),
      gives: [[{}]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'sends a message and passes its items on, by its operation',
      versions: [1.1, 1.2],
      run: run({ message: 'Hello' }),
      gives: [[{}]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'sends a message and outputs it',
      versions: [1.3],
      run: run({ operation: 'send', message: 'Hello' }),
      gives: [[{ sessionId: '', action: 'sendMessage', chatInput: 'Hello' }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'waits for the reply unless told otherwise',
      versions: [1],
      run: run({ message: 'Your name?' }),
      waits: waits({ messages: [{ author: 'assistant', text: 'Your name?' }], buttons: [], blocksText: false }),
    },
    {
      it: 'waits for a message until its limit',
      versions: [1.1, 1.2, 1.3],
      run: {
        ...CHAT,
        parameters: { ...asks, options: { limitWaitTime: { values: { resumeAmount: 2, resumeUnit: 'minutes' } } } },
        now: 1_000_000,
      },
      waits: waits({ messages: [{ author: 'assistant', text: 'May I?' }], buttons: [] }, { at: 1_120_000 }),
    },
    {
      it: 'waits for a button, and blocks messages',
      versions: [1.1, 1.2, 1.3],
      run: run({
        ...asks,
        responseType: 'approval',
        blockUserInput: true,
        approvalOptions: { values: { approvalType: 'double', approveLabel: 'Yes' } },
      }),
      waits: waits({
        buttons: [
          { ...BUTTON, label: 'Yes' },
          { label: 'Decline', approves: false, style: 'secondary' },
        ],
        blocksText: true,
      }),
    },
    {
      it: 'requires a time limit that can be read',
      versions: [1.1, 1.2, 1.3],
      run: run({
        ...asks,
        options: { limitWaitTime: { values: { limitType: 'atSpecifiedTime', maxDateAndTime: 'soon' } } },
      }),
      fails: 'Invalid date and time',
    },
    {
      it: 'requires a chat that started the run',
      versions: [1, 1.1, 1.2, 1.3],
      run: { items: [{}], parameters: { message: 'Hello' } },
      fails: 'The run was not started by a chat',
    },
    {
      it: 'requires a chat that shows messages of nodes',
      versions: [1, 1.1, 1.2, 1.3],
      run: { after: 'langchain.chatTrigger', items: [{}], parameters: { message: 'Hello' } },
      fails: 'The chat does not show messages of nodes',
    },
    {
      it: 'rejects an embedded chat',
      versions: [1, 1.1, 1.2, 1.3],
      run: { ...CHAT, afterParameters: { mode: 'webhook' }, parameters: { message: 'Hello' } },
      fails: 'Messages cannot be sent to an embedded chat',
    },
    {
      it: 'limits the length of a message',
      versions: [1, 1.1, 1.2, 1.3],
      run: run({ message: 'x'.repeat(100_001) }),
      fails: 'at most 100000 are possible',
    },
  ],
};
