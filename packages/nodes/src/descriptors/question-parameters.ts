import type { Conditions, ParameterDescriptor } from '@weft/node-catalogue';
import { text } from './build-parameters';
import { customCss, formFields } from './form-parameters';

/** Where the parameters of a message that waits for a response are shown. */
export interface QuestionPlace {
  readonly shownWhen: Conditions;
  readonly since?: number;
}

/** Labels of the buttons, and whether the service has buttons of two styles. */
export interface QuestionButtons {
  readonly approve: string;
  readonly disapprove: string;
  readonly hasStyles: boolean;
}

/** Styles of buttons. */
const STYLES = [
  { value: 'primary', label: 'Primary' },
  { value: 'secondary', label: 'Secondary' },
];

/** Parameters of a message that waits for a response, without its options and its recipient. */
export function questionParameters(
  place: QuestionPlace,
  { approve, disapprove, hasStyles }: QuestionButtons,
  messageHelp: string,
): readonly ParameterDescriptor[] {
  const asksForm = { ...place.shownWhen, responseType: ['customForm'] };
  const style = (name: string, label: string, initial: string): readonly ParameterDescriptor[] =>
    hasStyles ? [{ name, label, type: 'options', default: initial, options: STYLES }] : [];
  return [
    text('message', 'Message', '', { ...place, required: true, help: messageHelp, editor: 'multiline' }),
    {
      ...place,
      name: 'responseType',
      label: 'Response type',
      type: 'options',
      default: 'approval',
      help: 'A button, or a form that opens from a button in the message.',
      options: [
        { value: 'approval', label: 'Approval' },
        { value: 'freeText', label: 'Text' },
        { value: 'customForm', label: 'Form' },
      ],
    },
    {
      name: 'approvalOptions',
      label: 'Buttons',
      type: 'fixedCollection',
      help: 'Labels and styles of the buttons.',
      ...place,
      shownWhen: { ...place.shownWhen, responseType: ['approval'] },
      groups: [
        {
          name: 'values',
          label: 'Buttons',
          fields: [
            {
              name: 'approvalType',
              label: 'Buttons',
              type: 'options',
              default: 'single',
              options: [
                { value: 'single', label: 'Approve only' },
                { value: 'double', label: 'Approve and disapprove' },
              ],
            },
            text('approveLabel', 'Approve button label', approve),
            ...style('buttonApprovalStyle', 'Approve button style', 'primary'),
            text('disapproveLabel', 'Disapprove button label', disapprove),
            ...style('buttonDisapprovalStyle', 'Disapprove button style', 'secondary'),
          ],
        },
      ],
    },
    {
      ...place,
      name: 'defineForm',
      label: 'Define form',
      type: 'options',
      default: 'fields',
      shownWhen: asksForm,
      help: 'How the form fields are defined.',
      options: [
        { value: 'fields', label: 'Using fields below' },
        { value: 'json', label: 'JSON' },
      ],
    },
    formFields(false, {
      ...place,
      shownWhen: { ...asksForm, defineForm: ['fields'] },
      help: 'The fields of the form.',
    }),
    {
      ...place,
      name: 'jsonOutput',
      label: 'Fields',
      type: 'json',
      default: '[]',
      shownWhen: { ...asksForm, defineForm: ['json'] },
      help: 'A JSON array of form fields.',
      editor: 'json',
    },
  ];
}

/** Time limit of a wait for a response. */
export const WAIT_LIMIT: ParameterDescriptor = {
  name: 'limitWaitTime',
  label: 'Limit wait time',
  type: 'fixedCollection',
  help: 'When the limit is reached, the input items are passed on.',
  groups: [
    {
      name: 'values',
      label: 'Limit type',
      fields: [
        {
          name: 'limitType',
          label: 'Limit type',
          type: 'options',
          default: 'afterTimeInterval',
          options: [
            { value: 'afterTimeInterval', label: 'After time interval' },
            { value: 'atSpecifiedTime', label: 'At specified time' },
          ],
        },
        {
          name: 'resumeAmount',
          label: 'Amount',
          type: 'number',
          default: 1,
          shownWhen: { limitType: ['afterTimeInterval'] },
        },
        {
          name: 'resumeUnit',
          label: 'Unit',
          type: 'options',
          default: 'hours',
          shownWhen: { limitType: ['afterTimeInterval'] },
          options: ['seconds', 'minutes', 'hours', 'days'].map((value) => ({ value, label: value })),
        },
        {
          name: 'maxDateAndTime',
          label: 'Max date and time',
          type: 'dateTime',
          default: '',
          shownWhen: { limitType: ['atSpecifiedTime'] },
        },
      ],
    },
  ],
};

/** Options of a message that waits for a response: its time limit, and the appearance of its page. */
export const QUESTION_OPTIONS: readonly ParameterDescriptor[] = [
  WAIT_LIMIT,
  text('messageButtonLabel', 'Message button label', 'Respond', {
    help: 'Label of the button in the message that opens the form.',
  }),
  text('responseFormTitle', 'Response form title', '', { help: 'Default: the subject, if there is one.' }),
  text('responseFormDescription', 'Response form description', '', {
    help: 'Default: the message. Basic HTML is allowed.',
    editor: 'multiline',
  }),
  text('responseFormButtonLabel', 'Response form button label', 'Submit', {
    help: 'Label of the button that submits the form.',
  }),
  { ...customCss(false), name: 'responseFormCustomCss' },
];

/** Accepted so that workflows need not be changed. */
export const NO_ATTRIBUTION: ParameterDescriptor = {
  name: 'appendAttribution',
  label: 'Append attribution',
  type: 'boolean',
  default: false,
  help: 'Has no effect: no attribution is added to messages.',
};
