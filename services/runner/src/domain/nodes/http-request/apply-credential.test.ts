import type { JsonObject } from '@weft/node-catalogue';
import { applyCredential } from './apply-credential';

describe('a credential', () => {
  it.each<[string, JsonObject, object]>([
    ['httpBasicAuth', { user: 'u', password: 'pä' }, { headers: [['Authorization', `Basic ${Buffer.from('u:pä').toString('base64')}`]] }],
    ['httpHeaderAuth', { name: 'X-Key', value: 'secret' }, { headers: [['X-Key', 'secret']] }],
    ['httpQueryAuth', { name: 'key', value: 'secret' }, { query: [['key', 'secret']] }],
    ['httpBearerAuth', { token: 'secret' }, { headers: [['Authorization', 'Bearer secret']] }],
    ['httpCustomAuth', { json: '{"headers":{"a":"1"},"qs":{"b":"2"},"body":{"c":"3"}}' }, { headers: [['a', '1']], query: [['b', '2']], body: { c: '3' } }],
    ['githubApi', { accessToken: 'secret' }, { headers: [['Authorization', 'token secret']] }],
    ['slackApi', { accessToken: 'secret' }, { headers: [['Authorization', 'Bearer secret']] }],
    ['notionApi', { apiKey: 'secret' }, { headers: [['Authorization', 'Bearer secret']], fallbackHeaders: [['Notion-Version', '2022-06-28']] }],
    ['airtableTokenApi', { accessToken: 'secret' }, { headers: [['Authorization', 'Bearer secret']] }],
    ['openAiApi', { apiKey: 'secret' }, { headers: [['Authorization', 'Bearer secret']] }],
    ['openAiApi', { apiKey: 'secret', organizationId: 'org' }, { headers: [['Authorization', 'Bearer secret'], ['OpenAI-Organization', 'org']] }],
    ['telegramApi', { accessToken: '12:secret/' }, { headers: [], pathPrefix: '/bot12:secret%2F' }],
  ])('of type %s adds what its service asks for', (type, data, parts) => {
    expect(applyCredential(type, data)).toMatchObject(parts);
  });

  it.each<[string, JsonObject, string]>([
    ['httpDigestAuth', {}, 'httpDigestAuth'],
    ['oAuth2Api', {}, 'oAuth2Api'],
    ['constructor', {}, 'constructor'],
    ['githubApi', {}, 'accessToken'],
    ['httpHeaderAuth', { value: 'secret' }, 'name'],
    ['httpCustomAuth', { json: '[]' }, 'no object'],
  ])('of type %s that cannot be used says why, without its values', (type, data, message) => {
    expect(() => applyCredential(type, data)).toThrow(message);
  });

  it('is limited to the hosts that its owner lists', () => {
    const limited = (more: JsonObject) => applyCredential('httpBearerAuth', { token: 'secret', ...more }).allowedHosts;
    expect(limited({})).toBeUndefined();
    expect(limited({ allowedHttpRequestDomains: 'all', allowedDomains: 'x' })).toBeUndefined();
    expect(limited({ allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com, *.api.io' })).toEqual(['example.com', '*.api.io']);
    expect(() => limited({ allowedHttpRequestDomains: 'domains', allowedDomains: '   ' })).toThrow('No allowed domains specified');
    expect(() => limited({ allowedHttpRequestDomains: 'none' })).toThrow('prevent use within an HTTP Request node');
  });

  it('names its secrets, those that it builds included, and not its public fields', () => {
    const { secrets } = applyCredential('httpBasicAuth', { user: 'someone', password: 'hunter22' });
    const token = Buffer.from('someone:hunter22').toString('base64');
    expect(secrets).toEqual(['hunter22', `Basic ${token}`, token]);
  });
});
