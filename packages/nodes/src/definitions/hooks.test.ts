import { type JsonObject, readDefinition } from '@weft/node-catalogue';
import { checkDefinition } from './check-definition';
import { hookErrors, hookSettingsOf, hooksOf } from './hooks';
import { routesOf } from './routes';

const trigger = (name: string, over: JsonObject = {}): JsonObject => ({
  id: 'n1',
  name,
  type: 'n8n-nodes-base.telegramTrigger',
  typeVersion: 1.2,
  position: [0, 0],
  parameters: { updates: ['message'] },
  credentials: { telegramApi: { id: 'c1', name: 'Bot' } },
  webhookId: 'hook-1',
  ...over,
});
const definitionOf = (...nodes: JsonObject[]) => readDefinition({ name: 'W', nodes, connections: {} });

describe('the trigger of an app', () => {
  it('has an address below its webhookId, as in n8n', () => {
    const definition = definitionOf(trigger('Bot'));
    expect(routesOf(definition, 'w1')).toMatchObject([{ method: 'POST', path: 'hook-1/webhook', node: 'Bot' }]);
    expect(checkDefinition(definition)).toEqual([]);
  });

  it('has an address below its id if it has no webhookId, and none without both', () => {
    const [first] = routesOf(definitionOf(trigger('Bot', { webhookId: '' })), 'w1');
    expect(first?.path).toBe('n1/webhook');
    const without = definitionOf(trigger('Bot', { webhookId: '', id: '' }));
    expect(hookErrors(without).length + routesOf(without, 'w1').length).toBe(1);
  });

  it('that WhatsApp calls also answers GET, by which Meta checks the address', () => {
    const node = trigger('WhatsApp', { type: 'n8n-nodes-base.whatsAppTrigger', typeVersion: 1 });
    expect(routesOf(definitionOf(node), 'w1').map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  it('names what it registers', () => {
    expect(hooksOf(definitionOf(trigger('Bot')))).toEqual([
      {
        node: 'Bot',
        kind: 'telegramTrigger',
        version: 1.2,
        path: 'hook-1/webhook',
        parameters: { updates: ['message'] },
        credentialType: 'telegramApi',
        credentialId: 'c1',
        exclusiveKey: 'telegramTrigger:c1',
      },
    ]);
    expect(hooksOf(definitionOf(trigger('Bot', { disabled: true })))).toEqual([]);
  });

  it('registers with the credential that its parameters choose', () => {
    const credentials = { githubApi: { id: 'c1', name: 'Token' }, githubOAuth2Api: { id: 'c2', name: 'Sign-in' } };
    const github = (parameters: JsonObject) =>
      trigger('GitHub', { type: 'n8n-nodes-base.githubTrigger', typeVersion: 1, parameters, credentials });
    const chosen = (parameters: JsonObject) =>
      hooksOf(definitionOf(github(parameters))).map(({ credentialType, credentialId }) => [
        credentialType,
        credentialId,
      ]);
    expect(chosen({})).toEqual([['githubApi', 'c1']]);
    expect(chosen({ authentication: 'oAuth2' })).toEqual([['githubOAuth2Api', 'c2']]);
    const [node] = definitionOf(github({ authentication: 'oAuth2' })).nodes;
    expect(node && hookSettingsOf(node)).toMatchObject({
      callers: { credentialId: 'c2' },
      hook: { scheme: 'github', keyField: '', optional: false, credentialType: 'githubOAuth2Api' },
    });
  });

  it('admits no call before its hook is known', () => {
    const [node] = definitionOf(trigger('Bot')).nodes;
    if (node === undefined) throw new Error('no node');
    expect(hookSettingsOf(node)).toMatchObject({
      callers: { authentication: 'hook', credentialId: 'c1' },
      responseMode: 'onReceived',
      hook: { sealedSecret: '', scheme: 'header', header: 'x-telegram-bot-api-secret-token' },
    });
  });

  it('is refused if another one of the workflow has the same credential, which its service allows once', () => {
    const second = trigger('Second', { id: 'n2', webhookId: 'hook-2' });
    expect(checkDefinition(definitionOf(trigger('Bot'), second))).toMatchObject([
      { node: 'Second', field: 'credentials', message: expect.stringContaining('"Bot" and "Second"') },
    ]);
    const other = { ...second, credentials: { telegramApi: { id: 'c2', name: 'Other' } } };
    expect(checkDefinition(definitionOf(trigger('Bot'), other))).toEqual([]);
  });
});
