import type { KindDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const HELP = {
  authentication: 'How the request proves who sends it.',
  requestMethod: 'GET puts the query into the address.',
  endpoint: 'Where the request goes.',
  allowUnauthorizedCerts: 'Certificates that cannot be verified are taken too.',
  requestFormat: 'The query alone as the body, or a JSON object with variables.',
  query: 'The GraphQL document.',
  variables: 'A JSON object.',
  operationName: 'Which operation of the document is meant.',
  responseFormat: 'JSON becomes the item; text goes into a field.',
  dataPropertyName: 'The field that gets the text.',
  headerParametersUi: 'Headers of the request.',
} as const;

/** Makes one GraphQL request per item. */
export const graphql: KindDescriptor = {
  kind: 'graphql',
  label: 'GraphQL',
  description: 'Makes a GraphQL request for every item and gives the answer.',
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
  differs: ['Addresses of private networks are refused unless `OUTBOUND_ALLOW` lets them through.'],
  parameters: withHelp(HELP, [
    {
      name: 'authentication',
      label: 'Authentication',
      type: 'options',
      default: 'none',
      options: [
        { value: 'none', label: 'None' },
        { value: 'basicAuth', label: 'Basic' },
        { value: 'customAuth', label: 'Custom' },
        { value: 'headerAuth', label: 'Header' },
        { value: 'queryAuth', label: 'Query' },
        { value: 'digestAuth', label: 'Digest' },
        { value: 'oAuth1', label: 'OAuth 1' },
        { value: 'oAuth2', label: 'OAuth 2' },
      ],
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
    { name: 'endpoint', label: 'Address', type: 'string', default: '', required: true },
    { name: 'allowUnauthorizedCerts', label: 'Accept any certificate', type: 'boolean', default: false },
    {
      name: 'requestFormat',
      label: 'Send as',
      type: 'options',
      default: 'graphql',
      until: 1,
      shownWhen: { requestMethod: ['POST'] },
      options: [
        { value: 'graphql', label: 'Document' },
        { value: 'json', label: 'JSON' },
      ],
    },
    {
      name: 'requestFormat',
      label: 'Send as',
      type: 'options',
      default: 'json',
      since: 1.1,
      shownWhen: { requestMethod: ['POST'] },
      options: [
        { value: 'graphql', label: 'Document' },
        { value: 'json', label: 'JSON' },
      ],
    },
    { name: 'query', label: 'Query', type: 'string', default: '', required: true },
    { name: 'variables', label: 'Variables', type: 'json', default: '' },
    { name: 'operationName', label: 'Operation', type: 'string', default: '' },
    {
      name: 'responseFormat',
      label: 'Format of the answer',
      type: 'options',
      default: 'json',
      options: [
        { value: 'json', label: 'JSON' },
        { value: 'string', label: 'Text' },
      ],
    },
    {
      name: 'dataPropertyName',
      label: 'Field for the text',
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
          label: 'Entries',
          fields: [
            { name: 'name', label: 'Name', type: 'string', default: '' },
            { name: 'value', label: 'Value', type: 'string', default: '' },
          ],
        },
      ],
    },
  ]),
};
