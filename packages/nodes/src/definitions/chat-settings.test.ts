import { type JsonObject, readDefinition } from '@weft/node-catalogue';
import { chatNodes, chatResponseOf, chatSettingsOf } from './chat-settings';
import { routeErrors, routesOf } from './routes';

const definitionOf = (parameters: JsonObject, more: JsonObject = { webhookId: 'abc' }) =>
  readDefinition({
    name: 'W',
    nodes: [
      {
        id: 'c',
        name: 'Chat',
        type: '@n8n/n8n-nodes-langchain.chatTrigger',
        typeVersion: 1.1,
        position: [0, 0],
        parameters,
        ...more,
      },
    ],
    connections: {},
  });
const settingsOf = (parameters: JsonObject) => {
  const [node] = chatNodes(definitionOf({ public: true, ...parameters }));
  if (node === undefined) throw new Error('There is no chat.');
  return chatSettingsOf(node);
};

describe('a chat trigger', () => {
  it('has an address for its page and messages if it is public', () => {
    expect(routesOf(definitionOf({ public: true }), 'w').map(({ key }) => key)).toEqual([
      'GET abc/chat',
      'POST abc/chat',
    ]);
    expect(routesOf(definitionOf({ public: true, mode: 'webhook' }), 'w').map(({ key }) => key)).toEqual([
      'POST abc/chat',
    ]);
    expect(routesOf(definitionOf({}), 'w')).toEqual([]);
  });

  it('needs a webhook id', () => {
    expect(routeErrors(definitionOf({ public: true }, {}))).toEqual([
      expect.objectContaining({ node: 'Chat', message: expect.stringContaining('set `webhookId`') }),
    ]);
  });

  it('has the page that its options describe', () => {
    const settings = settingsOf({
      initialMessages: 'Hi\n\nHow are you?',
      options: { title: 'Help', loadPreviousSession: 'memory', allowFileUploads: true, customCss: 'p { color: red }' },
    });
    expect(settings.chat).toEqual({
      title: 'Help',
      subtitle: '',
      initialMessages: ['Hi', 'How are you?'],
      placeholder: '',
      takesFiles: true,
      loadsSession: true,
      css: 'p { color: red }',
    });
    expect(settingsOf({ mode: 'webhook' }).chat).toBeUndefined();
  });

  it('admits those that it names, and no caller by an authentication that is not known', () => {
    expect(settingsOf({}).callers?.authentication).toBe('none');
    expect(settingsOf({ authentication: 'basicAuth' }).callers).toMatchObject({
      authentication: 'basicAuth',
      credentialId: '',
    });
    expect(settingsOf({ authentication: 'n8nUserAuth' }).callers?.authentication).toBe('unsupported');
  });

  it.each([
    [{}, 'lastNode'],
    [{ options: { responseMode: 'streaming' } }, 'streaming'],
    [{ options: { responseMode: 'responseNodes' } }, 'chat'],
    [{ options: { responseMode: 'responseNode' } }, 'responseNode'],
  ])('with %j responds by %s', (parameters, mode) => {
    const [node] = chatNodes(definitionOf({ public: true, ...parameters }));
    expect(node === undefined ? undefined : chatResponseOf(node).responseMode).toBe(mode);
  });
});
