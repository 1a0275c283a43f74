import type { JsonObject } from '@weft/service-kit/json';
import { type NodeDefinition, readDefinition } from '@weft/node-catalogue';
import { webhookResponseOf, webhookSettingsOf } from './webhook-settings';

function nodeOf(node: JsonObject): NodeDefinition {
  const [read] = readDefinition({
    name: 'x',
    nodes: [{ name: 'H', type: 'weft-nodes-base.webhook', ...node }],
    connections: {},
  }).nodes;
  if (read === undefined) throw new Error('no node');
  return read;
}

const settings = (node: JsonObject) => webhookSettingsOf(nodeOf(node));

describe('webhookSettingsOf', () => {
  it('has the defaults of a new node', () => {
    expect(settings({})).toEqual({
      callers: { authentication: 'none', credentialId: '', ipWhitelist: [], ignoreBots: false },
      responseMode: 'onReceived',
      responseCode: 200,
      responseHeaders: [],
      noResponseBody: false,
      allowedOrigins: ['*'],
      wholeBody: 'other',
      rawBody: false,
      fileProperty: '',
      outputsByMethod: false,
    });
    expect(webhookResponseOf(nodeOf({}))).toEqual({
      responseMode: 'onReceived',
      responseCode: 200,
      responseHeaders: [],
      responseData: 'firstEntryJson',
      responseBinaryPropertyName: 'data',
    });
  });

  it('reads status codes of both forms and clamps them to the range of HTTP', () => {
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

  it.each([1, 1.1, 2, 2.1])(
    'records the method of a call if several are accepted, and keeps raw bodies (%d)',
    (version) => {
      const of = (parameters: JsonObject) => settings({ typeVersion: version, parameters });
      expect(of({ multipleMethods: true }).outputsByMethod).toBe(true);
      expect(of({ multipleMethods: true, httpMethod: ['PUT'] }).outputsByMethod).toBe(true);
      expect(of({ httpMethod: 'PUT' }).outputsByMethod).toBe(false);
      expect(of({ options: { rawBody: true } }).rawBody).toBe(true);
    },
  );

  it('includes the credential that protects the webhook', () => {
    const guarded = settings({
      parameters: { authentication: 'headerAuth' },
      credentials: { httpHeaderAuth: { id: 'c1' } },
    });
    expect(guarded.callers).toMatchObject({ authentication: 'headerAuth', credentialId: 'c1' });
  });

  it('never treats an unknown authentication as none', () => {
    const authenticationOf = (authentication: string) =>
      settings({ parameters: { authentication } }).callers?.authentication;
    expect(authenticationOf('oAuth2')).toBe('unsupported');
    expect(authenticationOf('={{ "none" }}')).toBe('unsupported');
  });

  it('reads the response: body, headers, allowed addresses', () => {
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
      allowedOrigins: 'https://a.example, https://b.example',
      noResponseBody: true,
      responsePropertyName: 'html',
      responseContentType: 'text/html',
    };
    const node = { parameters: { responseMode: 'lastNode', responseData: 'allEntries', options } };
    expect(settings(node)).toMatchObject({
      callers: { ipWhitelist: ['10.0.0.1', '10.1.0.0/16'], ignoreBots: true },
      responseMode: 'lastNode',
      responseText: '<p>hi</p>',
      responseHeaders: [{ name: 'x-a', value: '1' }],
      noResponseBody: true,
      allowedOrigins: ['https://a.example', 'https://b.example'],
      responseContentType: 'text/html',
    });
    expect(webhookResponseOf(nodeOf(node))).toMatchObject({
      responseMode: 'lastNode',
      responseData: 'allEntries',
      responseHeaders: [{ name: 'x-a', value: '1' }],
      responsePropertyName: 'html',
      responseContentType: 'text/html',
    });
  });
});
