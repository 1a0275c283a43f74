import { answerOf, chatTriggersOf, runOfMessage } from './chat';
import { openDocument } from './document';

const CHAT = '@n8n/n8n-nodes-langchain.chatTrigger';
const DRAFT = JSON.stringify({
  name: 'W',
  nodes: [
    { name: 'Chat', type: CHAT, typeVersion: 1.1, position: [0, 0], parameters: {} },
    {
      name: 'Files',
      type: CHAT,
      typeVersion: 1.1,
      position: [0, 0],
      parameters: {
        options: { allowFileUploads: true, allowedFilesMimeTypes: 'image/*', inputPlaceholder: 'Ask me' },
      },
    },
    { name: 'Off', type: CHAT, typeVersion: 1.1, position: [0, 0], parameters: {}, disabled: true },
    { name: 'Reply', type: 'n8n-nodes-base.set', typeVersion: 3.4, position: [0, 0], parameters: {} },
  ],
  connections: {},
  settings: {},
  pinData: { Chat: [{ json: { chatInput: 'pinned' } }], Reply: [{ json: { output: 'pinned' } }] },
});

describe('chatTriggersOf', () => {
  it('lists enabled chat triggers with what they take', () => {
    expect(chatTriggersOf(openDocument(DRAFT).definition)).toEqual([
      { name: 'Chat', placeholder: undefined, takesFiles: false, fileTypes: '*' },
      { name: 'Files', placeholder: 'Ask me', takesFiles: true, fileTypes: 'image/*' },
    ]);
  });
});

describe('runOfMessage', () => {
  const draft = openDocument(DRAFT).json;

  it('starts at the trigger with the message, and leaves out only the pins of the trigger', () => {
    const run = runOfMessage(draft, 'Chat', { sessionId: 's', text: 'Hi', files: [] });
    expect(run.startNode).toBe('Chat');
    expect(run.data).toEqual({ sessionId: 's', action: 'sendMessage', chatInput: 'Hi' });
    expect(run.definition).toEqual({ ...draft, pinData: { Reply: [{ json: { output: 'pinned' } }] } });
  });

  it('sends files as pins of the trigger, with the names that the page of the chat gives them', () => {
    const file = (name: string, type = 'text/plain') => ({ name, type, data: 'SGk=' });
    const binaryOf = (...files: ReturnType<typeof file>[]) => {
      const { definition } = runOfMessage(draft, 'Chat', { sessionId: 's', text: 'Hi', files });
      return definition['pinData'];
    };
    expect(binaryOf(file('a.txt'))).toMatchObject({
      Chat: [
        {
          json: { sessionId: 's', action: 'sendMessage', chatInput: 'Hi' },
          binary: { files: { data: 'SGk=', mimeType: 'text/plain', fileName: 'a.txt', fileExtension: 'txt' } },
        },
      ],
      Reply: [{ json: { output: 'pinned' } }],
    });
    expect(binaryOf(file('a'), file('b', ''))).toMatchObject({
      Chat: [
        {
          binary: {
            files0: { data: 'SGk=', mimeType: 'text/plain', fileName: 'a' },
            files1: { data: 'SGk=', mimeType: 'application/octet-stream', fileName: 'b' },
          },
        },
      ],
    });
  });
});

describe('answerOf', () => {
  it('takes the field that holds the text, and the item as JSON without one', () => {
    expect(answerOf({ output: 'It is 42.', text: 'no' })).toBe('It is 42.');
    expect(answerOf({ text: 'Paris' })).toBe('Paris');
    expect(answerOf({ output: { city: 'Paris' } })).toBe('{\n  "city": "Paris"\n}');
    expect(answerOf({ city: 'Paris' })).toBe('{\n  "city": "Paris"\n}');
    expect(answerOf({ sessionId: 's', action: 'sendMessage', chatInput: 'Hi' })).toBe('Hi');
    expect(answerOf({ sessionId: 's', action: 'sendMessage', chatInput: 'Hi', city: 'Paris' })).toContain('"Paris"');
    expect(answerOf({})).toBe('');
    expect(answerOf('plain')).toBe('plain');
  });
});
