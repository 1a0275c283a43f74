import type { JsonObject } from '@weft/service-kit/json';
import { readDefinition } from './read-definition';
import type { WebhookSettings } from './webhook-settings';
import { webhookSettingsOf } from './webhook-settings';

function settings(node: JsonObject): WebhookSettings {
  const [read] = readDefinition({
    name: 'x',
    nodes: [{ name: 'H', type: 'weft-nodes-base.webhook', ...node }],
    connections: {},
  }).nodes;
  if (read === undefined) throw new Error('no node');
  return webhookSettingsOf(read);
}

describe('webhookSettingsOf', () => {
  it('has the defaults of a fresh node', () => {
    expect(settings({})).toEqual({
      node: 'H',
      methods: ['GET'],
      authentication: { kind: 'none' },
      responseMode: 'onReceived',
      responseCode: 200,
      responseHeaders: [],
      noResponseBody: false,
      responseData: 'firstEntryJson',
      responseBinaryPropertyName: 'data',
      ipWhitelist: [],
      ignoreBots: false,
      rawBody: false,
      wholeBody: 'other',
      fileProperty: '',
      allowedOrigins: '*',
    });
  });

  it('reads status codes of both forms and keeps them within what HTTP knows', () => {
    expect(settings({ typeVersion: 1, parameters: { responseCode: 201 } }).responseCode).toBe(201);
    expect(
      settings({ parameters: { options: { responseCode: { values: { responseCode: 202 } } } } }).responseCode,
    ).toBe(202);
    expect(
      settings({
        parameters: { options: { responseCode: { values: { responseCode: 'customCode', customCode: 299 } } } },
      }).responseCode,
    ).toBe(299);
    expect(settings({ parameters: { responseCode: 12 } }).responseCode).toBe(200);
  });

  it('names the credential that guards the webhook', () => {
    const guarded = settings({
      parameters: { authentication: 'headerAuth' },
      credentials: { httpHeaderAuth: { id: 'c1' } },
    });
    expect(guarded.authentication).toEqual({
      kind: 'headerAuth',
      credentialType: 'httpHeaderAuth',
      credentialId: 'c1',
    });
  });

  it('never takes an authentication that it does not know for none', () => {
    expect(settings({ parameters: { authentication: 'oAuth2' } }).authentication).toEqual({ kind: 'unsupported' });
    expect(settings({ parameters: { authentication: '={{ "none" }}' } }).authentication).toEqual({
      kind: 'unsupported',
    });
  });

  it('reads the answer: text, headers, lists of addresses', () => {
    const options = {
      responseData: '=<p>hi</p>',
      responseHeaders: {
        entries: [
          { name: 'x-a', value: '1' },
          { name: 'x-b', value: '={{ $json.b }}' },
        ],
      },
      ipWhitelist: '10.0.0.1, 10.1.0.0/16,',
      ignoreBots: true,
      noResponseBody: true,
      responsePropertyName: 'html',
      responseContentType: 'text/html',
    };
    expect(settings({ parameters: { responseMode: 'lastNode', responseData: 'allEntries', options } })).toMatchObject({
      responseMode: 'lastNode',
      responseData: 'allEntries',
      responseText: '<p>hi</p>',
      responseHeaders: [{ name: 'x-a', value: '1' }],
      ipWhitelist: ['10.0.0.1', '10.1.0.0/16'],
      ignoreBots: true,
      noResponseBody: true,
      responsePropertyName: 'html',
      responseContentType: 'text/html',
    });
  });
});
