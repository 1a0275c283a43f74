import type { Conditions, KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { flag, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

const number = (name: string, label: string): ParameterDescriptor => ({ name, label, type: 'number', default: 0 });
const SIGNS: Conditions = { operation: ['sign'] };

const ALGORITHM: ParameterDescriptor = {
  name: 'algorithm',
  label: 'Algorithm',
  type: 'options',
  default: 'HS256',
  help: 'Default: the algorithm of the credential.',
  options: [
    'HS256',
    'HS384',
    'HS512',
    'RS256',
    'RS384',
    'RS512',
    'ES256',
    'ES384',
    'ES512',
    'PS256',
    'PS384',
    'PS512',
  ].map((value) => ({ value, label: value })),
};
const COMPLETE = flag('complete', 'Return additional info');

const HELP = {
  operation: 'Whether to sign, verify or decode.',
  useJson: 'Specifies the claims as one JSON object.',
  claims: 'Claims of the token, which keep these names (`audience`, not `aud`). Use JSON for others.',
  headerClaims: 'Additional fields of the token header: a JSON object.',
  claimsJson: 'A JSON object.',
  token: 'The token to verify or decode.',
  options: 'Additional options.',
  'options.kid': 'Key id in the header of the token.',
  'options.complete': 'Returns header, payload and signature instead of `{ payload }`.',
} as const;

export const jwt: KindDescriptor = {
  kind: 'jwt',
  label: 'JWT',
  description: 'Signs, verifies or decodes JSON Web Tokens.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  usableAsTool: {},
  credentials: [{ type: 'jwtAuth', required: true, shownWhen: { operation: ['sign', 'verify'] } }],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'sign',
      options: [
        { value: 'decode', label: 'Decode' },
        { value: 'sign', label: 'Sign' },
        { value: 'verify', label: 'Verify' },
      ],
    },
    { ...flag('useJson', 'Use JSON to build payload'), shownWhen: SIGNS },
    {
      name: 'claims',
      label: 'Claims',
      type: 'collection',
      default: {},
      shownWhen: { operation: ['sign'], useJson: [false] },
      fields: [
        text('audience', 'Audience'),
        { ...number('expiresIn', 'Expires in'), default: 3600 },
        text('issuer', 'Issuer'),
        text('jwtid', 'Id'),
        number('notBefore', 'Not before'),
        text('subject', 'Subject'),
      ],
    },
    {
      name: 'claimsJson',
      label: 'Claims',
      type: 'json',
      default: '{\n  "my_field_1": "value 1",\n  "my_field_2": "value 2"\n}\n',
      shownWhen: { operation: ['sign'], useJson: [true] },
      editor: 'json',
    },
    { name: 'headerClaims', label: 'Header claims', type: 'json', default: '{}', shownWhen: SIGNS, editor: 'json' },
    {
      ...text('token', 'Token', '', { editor: 'multiline' }),
      required: true,
      shownWhen: { operation: ['verify', 'decode'] },
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: SIGNS,
      fields: [ALGORITHM, text('kid', 'Key ID')],
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: { operation: ['decode'] },
      fields: [COMPLETE],
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: { operation: ['verify'] },
      fields: [
        ALGORITHM,
        COMPLETE,
        flag('ignoreExpiration', 'Ignore expiration'),
        flag('ignoreNotBefore', 'Ignore not before'),
        number('clockTolerance', 'Clock tolerance (s)'),
      ],
    },
  ]),
};
