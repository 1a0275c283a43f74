import type { OptionDescriptor, ParameterDescriptor } from '../descriptor';

const TYPES: readonly OptionDescriptor[] = [
  { value: 'checkbox', label: 'Checkboxes' },
  { value: 'html', label: 'HTML that is shown' },
  { value: 'date', label: 'Date' },
  { value: 'dropdown', label: 'Dropdown' },
  { value: 'email', label: 'Email' },
  { value: 'file', label: 'File' },
  { value: 'hiddenField', label: 'Hidden' },
  { value: 'number', label: 'Number' },
  { value: 'password', label: 'Password' },
  { value: 'radio', label: 'Radio buttons' },
  { value: 'text', label: 'Text' },
  { value: 'textarea', label: 'Text of several lines' },
];

const CHOICES = ['dropdown', 'checkbox', 'radio'];

/** The parameters of one field. With `fixed`, none may hold an expression. */
const fieldsOf = (fixed: boolean): readonly ParameterDescriptor[] =>
  (
    [
      { name: 'fieldName', label: 'Name', type: 'string', default: '', help: 'Key in the item; the label if empty.' },
      { name: 'fieldLabel', label: 'Label', type: 'string', default: '' },
      { name: 'fieldType', label: 'Type', type: 'options', default: 'text', options: TYPES },
      {
        name: 'elementName',
        label: 'Key of the HTML in the item',
        type: 'string',
        default: '',
        shownWhen: { fieldType: ['html'] },
      },
      {
        name: 'html',
        label: 'HTML',
        type: 'string',
        default: '',
        shownWhen: { fieldType: ['html'] },
        help: 'Scripts, styles and inputs in it are left out.',
      },
      { name: 'fieldValue', label: 'Value', type: 'string', default: '', shownWhen: { fieldType: ['hiddenField'] } },
      { name: 'placeholder', label: 'Placeholder', type: 'string', default: '' },
      { name: 'defaultValue', label: 'Value at first', type: 'string', default: '' },
      {
        name: 'fieldOptions',
        label: 'Choices',
        type: 'fixedCollection',
        multiple: true,
        default: {},
        shownWhen: { fieldType: CHOICES },
        groups: [
          {
            name: 'values',
            label: 'Choices',
            fields: [{ name: 'option', label: 'Choice', type: 'string', default: '', fixed }],
          },
        ],
      },
      {
        name: 'multiselect',
        label: 'Several choices',
        type: 'boolean',
        default: false,
        shownWhen: { fieldType: ['dropdown'] },
      },
      {
        name: 'limitSelection',
        label: 'Number of choices',
        type: 'options',
        default: 'unlimited',
        shownWhen: { fieldType: ['checkbox', 'dropdown'] },
        options: [
          { value: 'exact', label: 'Exactly' },
          { value: 'range', label: 'From and to' },
          { value: 'unlimited', label: 'Any' },
        ],
      },
      {
        name: 'numberOfSelections',
        label: 'Choices',
        type: 'number',
        default: 1,
        shownWhen: { limitSelection: ['exact'] },
      },
      {
        name: 'minSelections',
        label: 'Fewest choices',
        type: 'number',
        default: 0,
        shownWhen: { limitSelection: ['range'] },
      },
      {
        name: 'maxSelections',
        label: 'Most choices',
        type: 'number',
        default: 1,
        shownWhen: { limitSelection: ['range'] },
      },
      {
        name: 'multipleFiles',
        label: 'Several files',
        type: 'boolean',
        default: true,
        shownWhen: { fieldType: ['file'] },
      },
      {
        name: 'acceptFileTypes',
        label: 'Kinds of files',
        type: 'string',
        default: '',
        shownWhen: { fieldType: ['file'] },
        help: 'Endings or media types, separated by commas: `.pdf, image/*`.',
      },
      {
        name: 'formatDate',
        label: 'Format of the date in the item',
        type: 'string',
        default: '',
        shownWhen: { fieldType: ['date'] },
        help: 'In the notation of luxon.',
      },
      { name: 'requiredField', label: 'Required', type: 'boolean', default: false },
    ] satisfies readonly ParameterDescriptor[]
  ).map((one) => ({ ...one, fixed }));

/** The fields of a form. */
export const formFields = (fixed: boolean, over: Partial<ParameterDescriptor> = {}): ParameterDescriptor => ({
  name: 'formFields',
  label: 'Fields',
  type: 'fixedCollection',
  multiple: true,
  default: {},
  groups: [{ name: 'values', label: 'Fields', fields: fieldsOf(fixed) }],
  ...over,
});

/** What is shown when a form was taken. */
export const respondWithOptions = (fixed: boolean): ParameterDescriptor => ({
  name: 'respondWithOptions',
  label: 'After the form',
  type: 'fixedCollection',
  default: {},
  help: 'What is shown when the form was sent.',
  groups: [
    {
      name: 'values',
      label: 'Values',
      fields: [
        {
          name: 'respondWith',
          label: 'Show',
          type: 'options',
          default: 'text',
          fixed,
          options: [
            { value: 'text', label: 'A string' },
            { value: 'redirect', label: 'Another page' },
          ],
          help: 'A string, or another page.',
        },
        {
          name: 'formSubmittedText',
          label: 'Text',
          type: 'string',
          default: '',
          fixed,
          shownWhen: { respondWith: ['text'] },
          help: 'Simple HTML is allowed; the standard sentence if empty.',
        },
        {
          name: 'redirectUrl',
          label: 'Address',
          type: 'string',
          default: '',
          fixed,
          required: true,
          shownWhen: { respondWith: ['redirect'] },
          help: 'Begins with https:// or http://.',
        },
      ],
    },
  ],
});

/** Taken so that workflows need not be changed. */
export const APPEND_ATTRIBUTION: ParameterDescriptor = {
  name: 'appendAttribution',
  label: 'Say what the form was made with',
  type: 'boolean',
  default: true,
  help: 'Has no effect here: forms carry no advertising.',
};

/** Styles of a page. */
export const customCss = (fixed: boolean): ParameterDescriptor => ({
  name: 'customCss',
  label: 'Styles',
  type: 'string',
  default: '',
  fixed,
  help: 'CSS, 50,000 characters at most. It cannot load anything.',
});
