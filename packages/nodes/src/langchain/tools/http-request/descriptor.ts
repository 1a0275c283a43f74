import type { Conditions, CredentialDescriptor, KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice } from '../../../descriptors/build-parameters';
import { httpRequest } from '../../../http-request/descriptor';
import { GENERIC_AUTH } from '../../../http-request/descriptor-parts';
import { REQUEST_SERVICES } from '../../../http-request/descriptor-services';
import { TOOL } from '../descriptor-parameters';
import { OPTIMIZE_PARAMETERS } from './descriptor-optimize';

const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'];

/** Credentials as in version 2 and later of HTTP Request. */
const CREDENTIALS: readonly CredentialDescriptor[] = httpRequest.credentials.filter(
  ({ shownWhen }) => shownWhen?.['genericAuthType'] !== undefined,
);

/** The parameters of one part of the request. */
const part = (name: 'Query' | 'Headers' | 'Body'): ParameterDescriptor[] => {
  const sent: Conditions = { [`send${name}`]: [true] };
  const label = name.toLowerCase();
  return [
    {
      name: `send${name}`,
      label: `Send ${label}`,
      type: 'boolean',
      default: false,
      help: `Whether the request has ${name === 'Query' ? 'query parameters' : label}.`,
    },
    {
      name: `specify${name}`,
      label: `Specify ${label}`,
      type: 'options',
      default: 'keypair',
      shownWhen: sent,
      options: [
        choice('keypair', 'Name and value'),
        choice('json', 'JSON'),
        choice('model', 'By the model as a whole'),
      ],
      help: 'How this part of the request is given.',
    },
    {
      name: `parameters${name}`,
      label: 'Parameters',
      type: 'fixedCollection',
      multiple: true,
      default: { values: [{ name: '' }] },
      shownWhen: { ...sent, [`specify${name}`]: ['keypair'] },
      help: 'Names and values; the model gives those without a value.',
      groups: [
        {
          name: 'values',
          label: 'Value',
          fields: [
            { name: 'name', label: 'Name', type: 'string', default: '' },
            {
              name: 'valueProvider',
              label: 'Value provided',
              type: 'options',
              default: 'modelRequired',
              options: [
                choice('modelRequired', 'By the model, required'),
                choice('modelOptional', 'By the model, optional'),
                choice('fieldValue', 'Below'),
              ],
            },
            {
              name: 'value',
              label: 'Value',
              type: 'string',
              default: '',
              shownWhen: { valueProvider: ['fieldValue'] },
            },
          ],
        },
      ],
    },
    {
      name: `json${name}`,
      label: 'JSON',
      type: 'string',
      default: '',
      editor: 'json',
      shownWhen: { ...sent, [`specify${name}`]: ['json'] },
      help: 'JSON text. The model gives the value of each {placeholder}.',
    },
  ];
};

/** An HTTP request as a tool. */
export const toolHttpRequest: KindDescriptor = {
  ...TOOL,
  kind: 'langchain.toolHttpRequest',
  label: 'HTTP request tool',
  description: 'Lets a model make an HTTP request: it gives the values of placeholders, and gets the response as text.',
  versions: [1, 1.1],
  credentials: CREDENTIALS,
  differs: [
    'Addresses of private networks are blocked unless `OUTBOUND_ALLOW` permits them.',
    'A value of the model never changes the structure of JSON: it is always one value, or a part of one text.',
    'With a credential, the model cannot change scheme, host and port of the URL.',
    'A response with an error status fails the call, and the model gets its message.',
    'With the response type text, the text of a page is that of its body without navigation, not that of its main ' +
      'article.',
  ],
  parameters: [
    {
      name: 'toolDescription',
      label: 'Description',
      type: 'string',
      default: '',
      editor: 'multiline',
      help: 'Tells the model what the tool does and when to use it.',
    },
    {
      name: 'method',
      label: 'Method',
      type: 'options',
      default: 'GET',
      options: METHODS.map((value) => choice(value, value)),
      help: 'Method of the request.',
    },
    {
      name: 'url',
      label: 'URL',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://example.com/orders/{id}',
      help: 'The model gives the value of each {placeholder}.',
    },
    {
      name: 'authentication',
      label: 'Authentication',
      type: 'options',
      default: 'none',
      options: [
        choice('none', 'None'),
        choice('predefinedCredentialType', 'Predefined credential type'),
        choice('genericCredentialType', 'Generic credential type'),
      ],
      help: 'The credential is added to the request. The model does not see it.',
    },
    {
      name: 'nodeCredentialType',
      label: 'Credential type',
      type: 'options',
      default: '',
      required: true,
      shownWhen: { authentication: ['predefinedCredentialType'] },
      options: REQUEST_SERVICES,
      help: 'The service that the credential is for.',
    },
    {
      name: 'genericAuthType',
      label: 'Generic auth type',
      type: 'options',
      default: '',
      required: true,
      shownWhen: { authentication: ['genericCredentialType'] },
      options: [...GENERIC_AUTH],
      help: 'How the credential is added to the request.',
    },
    ...part('Query'),
    ...part('Headers'),
    ...part('Body'),
    {
      name: 'placeholderDefinitions',
      label: 'Placeholder definitions',
      type: 'fixedCollection',
      multiple: true,
      default: {},
      help: 'Descriptions and types of placeholders. Each must be used in the request.',
      groups: [
        {
          name: 'values',
          label: 'Definition',
          fields: [
            { name: 'name', label: 'Placeholder name', type: 'string', default: '' },
            { name: 'description', label: 'Description', type: 'string', default: '' },
            {
              name: 'type',
              label: 'Type',
              type: 'options',
              default: 'not specified',
              options: [
                choice('not specified', 'Not specified'),
                choice('string', 'String'),
                choice('number', 'Number'),
                choice('boolean', 'Boolean'),
                choice('json', 'JSON'),
              ],
            },
          ],
        },
      ],
    },
    ...OPTIMIZE_PARAMETERS,
  ],
};
