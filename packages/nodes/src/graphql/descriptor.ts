import type { KindDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';
import { REQUEST_SERVICES } from '../http-request/descriptor-services';

const HELP = {
  authentication: 'How the request is authenticated.',
  nodeCredentialType: 'Credential type of the service.',
  requestMethod: 'GET sends the query in the URL.',
  endpoint: 'URL of the endpoint.',
  allowUnauthorizedCerts: 'Accepts certificates that cannot be verified.',
  requestFormat: 'The body as the bare query, or as a JSON object with variables.',
  query: 'The GraphQL document.',
  variables: 'A JSON object.',
  operationName: 'Name of the operation to execute.',
  responseFormat: 'JSON becomes the output item; a string is put into a field.',
  dataPropertyName: 'Name of the output field.',
  headerParametersUi: 'Headers of the request.',
} as const;

export const graphql: KindDescriptor = {
  kind: 'graphql',
  label: 'GraphQL',
  description: 'Makes a GraphQL request for each item and outputs the response.',
  versions: [1, 1.1],
  groups: ['input'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [
    { type: 'httpBasicAuth', required: true, shownWhen: { authentication: ['basicAuth'] } },
    { type: 'httpCustomAuth', required: true, shownWhen: { authentication: ['customAuth'] } },
    { type: 'httpHeaderAuth', required: true, shownWhen: { authentication: ['headerAuth'] } },
    { type: 'httpDigestAuth', required: true, shownWhen: { authentication: ['digestAuth'] } },
    { type: 'httpQueryAuth', required: true, shownWhen: { authentication: ['queryAuth'] } },
    { type: 'oAuth1Api', required: true, shownWhen: { authentication: ['oAuth1'] } },
    { type: 'oAuth2Api', required: true, shownWhen: { authentication: ['oAuth2'] } },
  ],
  differs: ['Addresses of private networks are blocked unless `OUTBOUND_ALLOW` permits them.'],
  parameters: withHelp(HELP, [
    {
      name: 'authentication',
      label: 'Authentication',
      type: 'options',
      default: 'none',
      options: [
        { value: 'none', label: 'None' },
        { value: 'basicAuth', label: 'Basic auth' },
        { value: 'customAuth', label: 'Custom auth' },
        { value: 'headerAuth', label: 'Header auth' },
        { value: 'queryAuth', label: 'Query auth' },
        { value: 'digestAuth', label: 'Digest auth' },
        { value: 'oAuth1', label: 'OAuth1' },
        { value: 'oAuth2', label: 'OAuth2' },
        { value: 'predefinedCredentialType', label: 'Predefined credential type' },
      ],
    },
    {
      name: 'nodeCredentialType',
      label: 'Credential type',
      type: 'options',
      required: true,
      shownWhen: { authentication: ['predefinedCredentialType'] },
      options: REQUEST_SERVICES,
    },
    {
      name: 'requestMethod',
      label: 'Method',
      type: 'options',
      default: 'POST',
      options: [
        { value: 'GET', label: 'GET' },
        { value: 'POST', label: 'POST' },
      ],
    },
    { name: 'endpoint', label: 'Endpoint', type: 'string', default: '', required: true },
    { name: 'allowUnauthorizedCerts', label: 'Ignore SSL issues', type: 'boolean', default: false },
    {
      name: 'requestFormat',
      label: 'Request format',
      type: 'options',
      default: 'graphql',
      until: 1,
      shownWhen: { requestMethod: ['POST'] },
      options: [
        { value: 'graphql', label: 'Query' },
        { value: 'json', label: 'JSON' },
      ],
    },
    {
      name: 'requestFormat',
      label: 'Request format',
      type: 'options',
      default: 'json',
      since: 1.1,
      shownWhen: { requestMethod: ['POST'] },
      options: [
        { value: 'graphql', label: 'Query' },
        { value: 'json', label: 'JSON' },
      ],
    },
    { name: 'query', label: 'Query', type: 'string', default: '', required: true },
    { name: 'variables', label: 'Variables', type: 'json', default: '' },
    { name: 'operationName', label: 'Operation name', type: 'string', default: '' },
    {
      name: 'responseFormat',
      label: 'Response format',
      type: 'options',
      default: 'json',
      options: [
        { value: 'json', label: 'JSON' },
        { value: 'string', label: 'Text' },
      ],
    },
    {
      name: 'dataPropertyName',
      label: 'Response data property name',
      type: 'string',
      default: 'data',
      shownWhen: { responseFormat: ['string'] },
    },
    {
      name: 'headerParametersUi',
      label: 'Headers',
      type: 'fixedCollection',
      multiple: true,
      default: {},
      groups: [
        {
          name: 'parameter',
          label: 'Parameter',
          fields: [
            { name: 'name', label: 'Name', type: 'string', default: '' },
            { name: 'value', label: 'Value', type: 'string', default: '' },
          ],
        },
      ],
    },
  ]),
};
