import {
  choice,
  HOST_LIMIT,
  required,
  secret,
  text,
  type AppliedAs,
  type CredentialField,
  type CredentialTest,
  type CredentialType,
  type RequestRule,
} from './credential-type';
import { MODEL_TYPES } from './model-types';
import { OAUTH2_TYPES } from './oauth2-types';
import { OWN_SERVER_TYPES } from './own-server-types';
import { SERVICE_ACCOUNT_TYPES } from './service-account-types';
import { TABLE_TYPES } from './table-types';

const labels: Readonly<Record<string, string>> = {
  accessToken: 'Access token',
  apiKey: 'API key',
  apiToken: 'API token',
  appToken: 'App token',
  botToken: 'Bot token',
  secretKey: 'Secret key',
};

const request = (url: string): CredentialTest => ({ kind: 'request', url });
const query = (url: string, text: string): CredentialTest => ({ kind: 'request', url, body: { query: text } });

/**
 * Requests that only tell whose credential it is, or what may be done with it, from the services' documentation. Types
 * that are missing are tested by an address.
 */
const TESTS: Readonly<Record<string, CredentialTest>> = {
  airtableTokenApi: request('https://api.airtable.com/v0/meta/whoami'),
  apifyApi: request('https://api.apify.com/v2/users/me'),
  asanaApi: request('https://app.asana.com/api/1.0/users/me'),
  clickUpApi: request('https://api.clickup.com/api/v2/user'),
  cloudflareApi: request('https://api.cloudflare.com/client/v4/user/tokens/verify'),
  cohereApi: request('https://api.cohere.com/v1/models'),
  discordBotApi: request('https://discord.com/api/v10/users/@me'),
  elevenLabsApi: request('https://api.elevenlabs.io/v1/user'),
  facebookGraphApi: request('https://graph.facebook.com/me'),
  gitlabApi: request('https://gitlab.com/api/v4/user'),
  hubspotApi: request('https://api.hubapi.com/account-info/v3/details'),
  hubspotAppToken: request('https://api.hubapi.com/account-info/v3/details'),
  huggingFaceApi: request('https://huggingface.co/api/whoami-v2'),
  jotFormApi: request('https://{apiDomain}/user'),
  linearApi: query('https://api.linear.app/graphql', '{ viewer { id } }'),
  mondayComApi: query('https://api.monday.com/v2', '{ me { id } }'),
  mattermostApi: request('{baseUrl}/api/v4/users/me'),
  n8nApi: request('{baseUrl}/workflows?limit=1'),
  notionApi: request('https://api.notion.com/v1/users/me'),
  pineconeApi: request('https://api.pinecone.io/indexes'),
  qdrantApi: request('{qdrantUrl}/collections'),
  pipedriveApi: request('https://api.pipedrive.com/v1/users/me'),
  sendGridApi: request('https://api.sendgrid.com/v3/scopes'),
  serpApi: request('https://serpapi.com/account'),
  // Slack answers 200 to everybody.
  slackApi: { kind: 'request', url: 'https://slack.com/api/auth.test', okField: 'ok' },
  stripeApi: request('https://api.stripe.com/v1/balance'),
  telegramApi: request('https://api.telegram.org/getMe'),
  todoistApi: request('https://api.todoist.com/api/v1/user'),
  trelloApi: request('https://api.trello.com/1/members/me'),
  typeformApi: request('https://api.typeform.com/me'),
  twilioApi: request('https://api.twilio.com/2010-04-01/Accounts/{accountSid}.json'),
};

const JOTFORM_HOSTS: [string, ...string[]] = ['api.jotform.com', 'eu-api.jotform.com', 'hipaa-api.jotform.com'];

/** The one secret of a service. */
const key = (field: string): CredentialField => secret(field, labels[field] ?? field, { required: true });

const of = (
  name: string,
  label: string,
  hosts: readonly string[],
  applied: AppliedAs,
  rule: RequestRule,
  fields: readonly CredentialField[],
): CredentialType => ({
  name,
  label,
  fields: [...fields, ...HOST_LIMIT],
  applied,
  request: rule,
  test: TESTS[name] ?? { kind: 'address' },
  hosts,
});

type Service = readonly [name: string, label: string, host: string];

/** A secret in a header. @param value with `{}` for the secret */
const inHeader =
  (name: string, value: string, field: string, fallbackHeaders?: Readonly<Record<string, string>>) =>
  ([type, label, host]: Service): CredentialType => {
    const headers = { [name]: value.replace('{}', `{${field}}`) };
    const rule = fallbackHeaders === undefined ? { headers } : { headers, fallbackHeaders };
    return of(type, label, host === '' ? [] : [host], 'header', rule, [key(field)]);
  };

const bearer = (field: string, ...services: readonly Service[]): CredentialType[] =>
  services.map(inHeader('Authorization', 'Bearer {}', field));

const inQuery = (name: string, field: string, [type, label, host]: Service): CredentialType =>
  of(type, label, [host], 'query', { query: { [name]: `{${field}}` } }, [key(field)]);

/** Services whose credentials an HTTP request knows how to send. Names of types and fields are n8n's. */
export const SERVICE_TYPES: readonly CredentialType[] = [
  ...bearer(
    'accessToken',
    ['airtableTokenApi', 'Airtable', 'api.airtable.com'],
    ['asanaApi', 'Asana', 'app.asana.com'],
    ['typeformApi', 'Typeform', 'api.typeform.com'],
  ),
  of('slackApi', 'Slack', ['slack.com'], 'header', { headers: { Authorization: 'Bearer {accessToken}' } }, [
    key('accessToken'),
    secret('signatureSecret', 'Signing secret', {
      help: 'Of the Slack app. The Slack trigger then accepts only calls that Slack has signed.',
    }),
  ]),
  ...bearer(
    'apiKey',
    ['apifyApi', 'Apify', 'api.apify.com'],
    ['cohereApi', 'Cohere', 'api.cohere.com'],
    ['huggingFaceApi', 'Hugging Face', 'huggingface.co'],
    ['sendGridApi', 'SendGrid', 'api.sendgrid.com'],
    ['todoistApi', 'Todoist', 'api.todoist.com'],
  ),
  ...bearer(
    'apiToken',
    ['cloudflareApi', 'Cloudflare', 'api.cloudflare.com'],
    ['mondayComApi', 'monday.com', 'api.monday.com'],
  ),
  ...bearer('appToken', ['hubspotAppToken', 'HubSpot', 'api.hubapi.com']),
  ...bearer('secretKey', ['stripeApi', 'Stripe', 'api.stripe.com']),
  inHeader('Authorization', 'Bearer {}', 'apiKey', { 'Notion-Version': '2022-06-28' })([
    'notionApi',
    'Notion',
    'api.notion.com',
  ]),
  inHeader('X-Api-Key', '{}', 'apiKey')(['clockifyApi', 'Clockify', 'api.clockify.me']),
  inHeader('x-apikey', '{}', 'apiToken')(['virusTotalApi', 'VirusTotal', 'www.virustotal.com']),
  inHeader('Authorization', '{}', 'accessToken')(['clickUpApi', 'ClickUp', 'api.clickup.com']),
  inHeader('Authorization', 'Bot {}', 'botToken')(['discordBotApi', 'Discord', 'discord.com']),
  of('discordWebhookApi', 'Discord webhook', ['discord.com'], 'path', { pathOf: 'webhookUri' }, [
    secret('webhookUri', 'Webhook URL', { required: true }),
  ]),
  inHeader('xi-api-key', '{}', 'apiKey')(['elevenLabsApi', 'ElevenLabs', 'api.elevenlabs.io']),
  inHeader('Private-Token', '{}', 'accessToken')(['gitlabApi', 'GitLab', 'gitlab.com']),
  inHeader('Authorization', '{}', 'apiKey')(['linearApi', 'Linear', 'api.linear.app']),
  {
    ...of('mattermostApi', 'Mattermost', [], 'header', { headers: { Authorization: 'Bearer {accessToken}' } }, [
      key('accessToken'),
      required('baseUrl', 'Address', { help: 'Such as https://chat.example.com' }),
    ]),
    hostField: 'baseUrl',
  },
  of('n8nApi', 'n8n', [], 'header', { headers: { 'X-N8N-API-KEY': '{apiKey}' } }, [
    key('apiKey'),
    text('baseUrl', 'Address of the API'),
  ]),
  inHeader('Api-Key', '{}', 'apiKey')(['pineconeApi', 'Pinecone', '*.pinecone.io']),
  {
    ...of('qdrantApi', 'Qdrant', [], 'header', { headers: { 'api-key': '{apiKey}' } }, [
      required('qdrantUrl', 'Address', { help: 'Such as https://example.cloud.qdrant.io:6333' }),
      secret('apiKey', 'API key', { help: 'Empty for a server without keys.' }),
    ]),
    hostField: 'qdrantUrl',
  },
  of('weaviateApi', 'Weaviate', [], 'header', { headers: { Authorization: 'Bearer {weaviate_api_key}' } }, [
    choice('connection_type', 'Connection type', ['weaviate_cloud', 'custom_connection']),
    text('weaviate_cloud_endpoint', 'Address of the cluster', { help: 'Such as https://example.weaviate.cloud' }),
    secret('weaviate_api_key', 'API key', { help: 'Empty for a server without keys.' }),
    text('custom_connection_http_host', 'Host', { help: 'Of a server, if there is no cluster.' }),
    text('custom_connection_http_port', 'Port', { type: 'number', default: 8080 }),
    text('custom_connection_http_secure', 'HTTPS', { type: 'boolean', default: false }),
  ]),
  inQuery('hapikey', 'apiKey', ['hubspotApi', 'HubSpot API key', 'api.hubapi.com']),
  inQuery('api_token', 'apiToken', ['pipedriveApi', 'Pipedrive', 'api.pipedrive.com']),
  inQuery('api_key', 'apiKey', ['serpApi', 'SerpApi', 'serpapi.com']),
  of(
    'facebookGraphApi',
    'Facebook Graph',
    ['graph.facebook.com', 'graph-video.facebook.com'],
    'query',
    { query: { access_token: '{accessToken}' } },
    [key('accessToken')],
  ),
  of('jotFormApi', 'Jotform', JOTFORM_HOSTS, 'header', { headers: { APIKEY: '{apiKey}' } }, [
    key('apiKey'),
    choice('apiDomain', 'Host', JOTFORM_HOSTS),
  ]),
  of('trelloApi', 'Trello', ['api.trello.com'], 'query', { query: { key: '{apiKey}', token: '{apiToken}' } }, [
    key('apiKey'),
    key('apiToken'),
  ]),
  of(
    'twilioApi',
    'Twilio',
    ['api.twilio.com', 'events.twilio.com'],
    'basic',
    {
      basic: ['accountSid', 'authToken'],
      basicIf: { field: 'authType', value: 'apiKey', basic: ['apiKeySid', 'apiKeySecret'] },
    },
    [
      choice('authType', 'Log in with', ['authToken', 'apiKey']),
      required('accountSid', 'Account SID'),
      secret('authToken', 'Auth token', { help: 'If the choice above is authToken.' }),
      secret('apiKeySid', 'API key SID', { help: 'If the choice above is apiKey.' }),
      secret('apiKeySecret', 'API key secret', { help: 'If the choice above is apiKey.' }),
    ],
  ),
  of(
    'whatsAppApi',
    'WhatsApp Business Cloud',
    ['graph.facebook.com'],
    'header',
    { headers: { Authorization: 'Bearer {accessToken}' } },
    [key('accessToken'), text('businessAccountId', 'Business account ID')],
  ),
  of(
    'whatsAppTriggerApi',
    'WhatsApp (trigger)',
    ['graph.facebook.com'],
    'header',
    { headers: { Authorization: 'Bearer {clientId}|{clientSecret}' } },
    [required('clientId', 'App ID'), secret('clientSecret', 'App secret', { required: true })],
  ),
  of('telegramApi', 'Telegram', ['api.telegram.org'], 'path', { pathPrefix: '/bot{accessToken}' }, [
    key('accessToken'),
  ]),
  ...MODEL_TYPES,
  ...TABLE_TYPES,
  ...OWN_SERVER_TYPES,
  ...OAUTH2_TYPES,
  ...SERVICE_ACCOUNT_TYPES,
  inHeader('Authorization', 'Bearer {}', 'token')(['httpBearerAuth', 'Bearer token', '']),
];
