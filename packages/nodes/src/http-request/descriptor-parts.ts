import type { Conditions, OptionDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice } from '../descriptors/build-parameters';

/** Types of credentials that fit any service. */
export const GENERIC_AUTH: readonly OptionDescriptor[] = [
  choice('httpBasicAuth', 'Basic'),
  choice('httpBearerAuth', 'Bearer'),
  choice('httpHeaderAuth', 'Header'),
  choice('httpQueryAuth', 'Query'),
  choice('httpCustomAuth', 'Custom'),
  choice('httpDigestAuth', 'Digest'),
  choice('oAuth1Api', 'OAuth1'),
  choice('oAuth2Api', 'OAuth2'),
];

/** Leading fields of an entry of a multipart form. */
export const PART: readonly ParameterDescriptor[] = [
  {
    name: 'parameterType',
    label: 'Parameter type',
    type: 'options',
    default: 'formData',
    options: [choice('formData', 'Form data'), choice('formBinaryData', 'Binary file')],
  },
  {
    name: 'inputDataFieldName',
    label: 'Input data field name',
    type: 'string',
    default: '',
    shownWhen: { parameterType: ['formBinaryData'] },
  },
];
export const pairs = (
  name: string,
  label: string,
  shownWhen: Conditions,
  more: readonly ParameterDescriptor[] = [],
): ParameterDescriptor => ({
  name,
  label,
  type: 'fixedCollection',
  multiple: true,
  default: { parameters: [{ name: '', value: '' }] },
  since: 3,
  shownWhen,
  groups: [
    {
      name: 'parameters',
      label: 'Parameter',
      fields: [
        ...more,
        { name: 'name', label: 'Name', type: 'string', default: '' },
        { name: 'value', label: 'Value', type: 'string', default: '' },
      ],
    },
  ],
});

export const howSpecified = (name: string, label: string, shownWhen: Conditions): ParameterDescriptor => ({
  name,
  label,
  type: 'options',
  default: 'keypair',
  since: 3,
  shownWhen,
  options: [choice('keypair', 'Name and value'), choice('json', 'JSON')],
});

export const group = (name: string, label: string, fields: readonly ParameterDescriptor[]): ParameterDescriptor => ({
  name,
  label,
  type: 'fixedCollection',
  groups: [{ name, label, fields }],
});
