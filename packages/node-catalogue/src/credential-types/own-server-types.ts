import { type CredentialField, type CredentialType, hosted, required, secret, text } from './credential-type';

const JIRA = ['domain', '/rest/api/2/myself'] as const;
// HTTP requests do not need the address: it is optional.
const jiraSite = (help: string): CredentialField => text('domain', 'Address', { help: `Such as ${help}` });
const email = required('email', 'Email');

/** Trackers and publishers that people also run themselves. Names of types and fields are n8n's. */
export const OWN_SERVER_TYPES: readonly CredentialType[] = [
  {
    ...hosted(
      'githubApi',
      'GitHub',
      ['server', '/user'],
      'header',
      { headers: { Authorization: 'token {accessToken}' } },
      [
        secret('accessToken', 'Access token', { required: true }),
        text('server', 'Server', {
          default: 'https://api.github.com',
          help: 'The API of GitHub Enterprise, such as https://github.example.com/api/v3',
        }),
        text('user', 'User'),
      ],
    ),
    hosts: ['api.github.com'],
  },
  {
    ...hosted('jiraSoftwareCloudApi', 'Jira Cloud', JIRA, 'basic', { basic: ['email', 'apiToken'] }, [
      email,
      secret('apiToken', 'API token', { required: true }),
      jiraSite('https://example.atlassian.net'),
    ]),
    hosts: ['*.atlassian.net'],
  },
  hosted('jiraSoftwareServerApi', 'Jira Data Center', JIRA, 'basic', { basic: ['email', 'password'] }, [
    email,
    secret('password', 'Password', { required: true }),
    jiraSite('https://jira.example.com'),
  ]),
  hosted(
    'jiraSoftwareServerPatApi',
    'Jira Data Center token',
    JIRA,
    'header',
    { headers: { Authorization: 'Bearer {personalAccessToken}' } },
    [secret('personalAccessToken', 'Personal access token', { required: true }), jiraSite('https://jira.example.com')],
  ),
  hosted(
    'wordpressApi',
    'WordPress',
    ['url', '/wp-json/wp/v2/users/me'],
    'basic',
    { basic: ['username', 'password'] },
    [
      required('username', 'User'),
      secret('password', 'Application password', { required: true }),
      text('url', 'Address', { help: 'Of the site, such as https://example.com' }),
    ],
  ),
];
