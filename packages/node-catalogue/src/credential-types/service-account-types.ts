import { HOST_LIMIT, required, secret, text, type CredentialType } from './credential-type';

/** Types of accounts that sign for themselves, so that no user signs in. Names of types and fields are n8n's. */
export const SERVICE_ACCOUNT_TYPES: readonly CredentialType[] = [
  {
    name: 'googleApi',
    label: 'Google service account',
    fields: [
      required('email', 'Email', { help: '`client_email` in the JSON file of the account.' }),
      secret('privateKey', 'Private key', {
        required: true,
        help: '`private_key` in that file, from -----BEGIN PRIVATE KEY----- to -----END PRIVATE KEY-----.',
      }),
      text('inpersonate', 'Act for a user', { type: 'boolean', default: false }),
      text('delegatedEmail', 'Email of that user', {
        help: 'A user of a Google Workspace that has given the account domain-wide delegation.',
      }),
      text('httpNode', 'Use it in HTTP Request', { type: 'boolean', default: false }),
      text('scopes', 'Scopes of HTTP Request', {
        help: 'Such as https://www.googleapis.com/auth/spreadsheets. Nodes of apps use their own scopes.',
      }),
      ...HOST_LIMIT,
    ],
    applied: 'serviceAccount',
    request: { serviceAccount: { tokenUrl: 'https://oauth2.googleapis.com/token' } },
    test: { kind: 'address' },
    hosts: ['*.googleapis.com'],
  },
];
