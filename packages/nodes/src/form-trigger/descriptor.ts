import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { APPEND_ATTRIBUTION, customCss, formFields, respondWithOptions } from '../descriptors/form-parameters';
import { withHelp } from '../descriptors/with-help';

const options: readonly ParameterDescriptor[] = [
  APPEND_ATTRIBUTION,
  { name: 'buttonLabel', label: 'Button label', type: 'string', default: 'Submit', fixed: true },
  customCss(true),
  {
    name: 'formSubmittedText',
    label: 'Form submitted text',
    type: 'string',
    default: '',
    fixed: true,
    editor: 'multiline',
  },
  { name: 'ignoreBots', label: 'Ignore bots', type: 'boolean', default: false, fixed: true },
  {
    name: 'ipWhitelist',
    label: 'IP(s) allowlist',
    type: 'string',
    default: '',
    fixed: true,
    help: 'Comma-separated IP addresses or CIDR blocks.',
    placeholder: '192.0.2.1, 198.51.100.0/24',
  },
  {
    name: 'path',
    label: 'Path',
    type: 'string',
    default: '',
    since: 2.2,
    fixed: true,
    help: 'Path below `/form/`. Default: the webhook id.',
    placeholder: 'orders',
  },
  respondWithOptions(true),
  {
    name: 'showHeaders',
    label: 'Show headers',
    type: 'boolean',
    default: false,
    since: 2,
    help: 'Has no effect: the item has only the values of the fields.',
  },
  {
    name: 'includeUserInOutput',
    label: 'Include user in output',
    type: 'boolean',
    default: true,
    since: 2.6,
    help: 'Has no effect: users of the instance do not sign in at forms.',
  },
  {
    name: 'useWorkflowTimezone',
    label: 'Use workflow timezone',
    type: 'boolean',
    default: false,
    until: 2,
  },
  {
    name: 'useWorkflowTimezone',
    label: 'Use workflow timezone',
    type: 'boolean',
    default: true,
    since: 2.1,
  },
];

const HELP = {
  authentication: 'How visitors are authenticated.',
  formTitle: 'Title of the form.',
  formFields: 'The fields of the form, in order.',
  responseMode: 'When the form responds, and which node responds.',
  options: 'Additional options.',
} as const;

/** Serves a form, and starts a run when it is submitted. */
export const formTrigger: KindDescriptor = {
  kind: 'formTrigger',
  label: 'Form trigger',
  description: 'Serves a form at its own URL while the workflow is active, and starts a run for each submission.',
  versions: [1, 2, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  credentials: [{ type: 'httpBasicAuth', required: true, shownWhen: { authentication: ['basicAuth'] } }],
  parameters: withHelp(HELP, [
    {
      name: 'authentication',
      label: 'Authentication',
      type: 'options',
      default: 'none',
      fixed: true,
      options: [
        { value: 'none', label: 'None' },
        { value: 'basicAuth', label: 'Basic auth' },
        {
          value: 'n8nUserAuth',
          label: 'Instance user auth',
          refused: 'Forms for signed-in users are not supported: use Basic auth.',
        },
      ],
    },
    {
      name: 'path',
      label: 'Path',
      type: 'string',
      default: '',
      until: 2.1,
      fixed: true,
      help: 'Path below `/form/`. Default: the webhook id.',
      placeholder: 'orders',
    },
    { name: 'formTitle', label: 'Title', type: 'string', default: '', fixed: true },
    {
      name: 'formDescription',
      label: 'Description',
      type: 'string',
      default: '',
      fixed: true,
      help: 'Basic HTML is allowed.',
      editor: 'multiline',
    },
    formFields(true),
    {
      name: 'responseMode',
      label: 'Respond when',
      type: 'options',
      default: 'onReceived',
      fixed: true,
      options: [
        { value: 'onReceived', label: 'Form is submitted' },
        { value: 'lastNode', label: 'Workflow finishes' },
        { value: 'responseNode', label: "Using 'Respond to Webhook' node" },
      ],
    },
    { name: 'options', label: 'Options', type: 'collection', default: {}, fields: options },
  ]),
};
