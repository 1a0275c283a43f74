import type { KindDescriptor, ParameterDescriptor } from '../descriptor';
import { APPEND_ATTRIBUTION, customCss, formFields, respondWithOptions } from './form-parameters';
import { withHelp } from './with-help';

const options: readonly ParameterDescriptor[] = [
  APPEND_ATTRIBUTION,
  { name: 'buttonLabel', label: 'Text of the button', type: 'string', default: 'Submit', fixed: true },
  customCss(true),
  { name: 'formSubmittedText', label: 'Text at the end', type: 'string', default: '', fixed: true },
  { name: 'ignoreBots', label: 'Refuse crawlers', type: 'boolean', default: false, fixed: true },
  {
    name: 'ipWhitelist',
    label: 'Allowed addresses',
    type: 'string',
    default: '',
    fixed: true,
    help: 'Addresses or CIDR blocks, separated by commas.',
  },
  {
    name: 'path',
    label: 'Path',
    type: 'string',
    default: '',
    since: 2.2,
    fixed: true,
    help: 'Below `/form/`; the webhook id if empty.',
  },
  respondWithOptions(true),
  {
    name: 'useWorkflowTimezone',
    label: "Time of sending in the workflow's zone",
    type: 'boolean',
    default: false,
    until: 2,
  },
  {
    name: 'useWorkflowTimezone',
    label: "Time of sending in the workflow's zone",
    type: 'boolean',
    default: true,
    since: 2.1,
  },
];

const HELP = {
  authentication: 'What a visitor has to show.',
  formTitle: 'What stands above the form.',
  formFields: 'The fields of the form, in order.',
  responseMode: 'When the visitor is answered, and by whom.',
  options: 'Less common settings.',
} as const;

/** Shows a form, and begins a run when it is sent. */
export const formTrigger: KindDescriptor = {
  kind: 'formTrigger',
  label: 'Form trigger',
  description:
    'Shows a form at an address of its own, while the workflow is active, and begins a run whenever it is sent.',
  versions: [1, 2, 2.1, 2.2, 2.3, 2.4, 2.5],
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
        { value: 'basicAuth', label: 'Basic' },
        {
          value: 'n8nUserAuth',
          label: 'Users of the instance',
          refused: 'Forms for signed-in users are not supported: use Basic.',
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
      help: 'Below `/form/`; the webhook id if empty.',
    },
    { name: 'formTitle', label: 'Title', type: 'string', default: '', fixed: true },
    {
      name: 'formDescription',
      label: 'Description',
      type: 'string',
      default: '',
      fixed: true,
      help: 'Simple HTML is allowed.',
    },
    formFields(true),
    {
      name: 'responseMode',
      label: 'Answer',
      type: 'options',
      default: 'onReceived',
      fixed: true,
      options: [
        { value: 'onReceived', label: 'When the form was sent' },
        { value: 'lastNode', label: 'When the workflow is done' },
        { value: 'responseNode', label: 'By a Respond to Webhook node' },
      ],
    },
    { name: 'options', label: 'Options', type: 'collection', default: {}, fields: options },
  ]),
};
