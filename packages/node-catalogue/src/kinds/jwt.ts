import type { Conditions, KindDescriptor, ParameterDescriptor } from '../descriptor';
import { flag, text } from './build-parameters';
import { withHelp } from './with-help';

const number = (name: string, label: string): ParameterDescriptor => ({ name, label, type: 'number', default: 0 });
const SIGNS: Conditions = { operation: ['sign'] };

const ALGORITHM: ParameterDescriptor = {
  name: 'algorithm',
  label: 'Algorithm',
  type: 'options',
  default: 'HS256',
  help: 'Where none is stated, that of the credential.',
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
const COMPLETE = flag('complete', 'All parts of the token');

const HELP = {
  operation: 'Sign, prove or read.',
  useJson: 'The claims are one JSON object.',
  claims: 'The registered claims.',
  claimsJson: 'A JSON object.',
  token: 'The token to prove or to read.',
  options: 'Less common settings.',
  'options.kid': 'Goes into the header of the token.',
  'options.complete': 'Gives header, payload and signature instead of `{ payload }`.',
} as const;

/** Signs JSON web tokens, proves them, or reads them. */
export const jwt: KindDescriptor = {
  kind: 'jwt',
  label: 'JWT',
  description: 'Signs JSON web tokens, proves them, or reads them without proof.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [{ type: 'jwtAuth', required: true, shownWhen: { operation: ['sign', 'verify'] } }],
  differs: [
    'Claims that are stated one by one get their registered names (`aud`, `exp`, `iss`, `jti`, `nbf`, ' +
      '`sub`), times counted from now.',
  ],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'sign',
      options: [
        { value: 'decode', label: 'Read without proof' },
        { value: 'sign', label: 'Sign' },
        { value: 'verify', label: 'Prove' },
      ],
    },
    { ...flag('useJson', 'Claims as JSON'), shownWhen: SIGNS },
    {
      name: 'claims',
      label: 'Claims',
      type: 'collection',
      default: {},
      shownWhen: { operation: ['sign'], useJson: [false] },
      fields: [
        text('audience', 'Audience'),
        number('expiresIn', 'Expires in (s)'),
        text('issuer', 'Issuer'),
        text('jwtid', 'Id'),
        number('notBefore', 'Not before (s from now)'),
        text('subject', 'Subject'),
      ],
    },
    {
      name: 'claimsJson',
      label: 'Claims',
      type: 'json',
      default: '{}',
      shownWhen: { operation: ['sign'], useJson: [true] },
    },
    { ...text('token', 'Token'), required: true, shownWhen: { operation: ['verify', 'decode'] } },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: SIGNS,
      fields: [ALGORITHM, text('kid', 'Id of the key')],
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
        flag('ignoreExpiration', 'Ignore the expiry'),
        flag('ignoreNotBefore', 'Ignore the begin'),
        number('clockTolerance', 'Tolerance (s)'),
      ],
    },
  ]),
};
