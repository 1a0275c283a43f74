import type { OptionDescriptor, ParameterDescriptor } from '@weft/node-catalogue';

const TYPES: readonly OptionDescriptor[] = [
  { value: 'checkbox', label: 'Checkboxes' },
  { value: 'html', label: 'Custom HTML' },
  { value: 'date', label: 'Date' },
  { value: 'dropdown', label: 'Dropdown list' },
  { value: 'email', label: 'Email' },
  { value: 'file', label: 'File' },
  { value: 'hiddenField', label: 'Hidden field' },
  { value: 'number', label: 'Number' },
  { value: 'password', label: 'Password' },
  { value: 'radio', label: 'Radio buttons' },
  { value: 'text', label: 'Text' },
  { value: 'textarea', label: 'Textarea' },
];

const CHOICES = ['dropdown', 'checkbox', 'radio'];

/** The parameters of one field. With `fixed`, none may contain an expression. */
const fieldsOf = (fixed: boolean): readonly ParameterDescriptor[] =>
  (
    [
      {
        name: 'fieldName',
        label: 'Field name',
        type: 'string',
        default: '',
        help: 'Key in the output item. Default: the label.',
      },
      { name: 'fieldLabel', label: 'Label', type: 'string', default: '' },
      { name: 'fieldType', label: 'Type', type: 'options', default: 'text', options: TYPES },
      {
        name: 'elementName',
        label: 'Output key',
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
        help: 'Scripts, styles and inputs are removed.',
        editor: 'html',
      },
      { name: 'fieldValue', label: 'Value', type: 'string', default: '', shownWhen: { fieldType: ['hiddenField'] } },
      { name: 'placeholder', label: 'Placeholder', type: 'string', default: '' },
      { name: 'defaultValue', label: 'Default value', type: 'string', default: '' },
      {
        name: 'fieldOptions',
        label: 'Options',
        type: 'fixedCollection',
        multiple: true,
        default: {},
        shownWhen: { fieldType: CHOICES },
        groups: [
          {
            name: 'values',
            label: 'Options',
            fields: [{ name: 'option', label: 'Option', type: 'string', default: '', fixed }],
          },
        ],
      },
      {
        name: 'multiselect',
        label: 'Multiple choice',
        type: 'boolean',
        default: false,
        shownWhen: { fieldType: ['dropdown'] },
      },
      {
        name: 'limitSelection',
        label: 'Limit selection',
        type: 'options',
        default: 'unlimited',
        shownWhen: { fieldType: ['checkbox', 'dropdown'] },
        options: [
          { value: 'exact', label: 'Exact number' },
          { value: 'range', label: 'Range' },
          { value: 'unlimited', label: 'Unlimited' },
        ],
      },
      {
        name: 'numberOfSelections',
        label: 'Options',
        type: 'number',
        default: 1,
        shownWhen: { limitSelection: ['exact'] },
      },
      {
        name: 'minSelections',
        label: 'Minimum selections',
        type: 'number',
        default: 0,
        shownWhen: { limitSelection: ['range'] },
      },
      {
        name: 'maxSelections',
        label: 'Maximum selections',
        type: 'number',
        default: 1,
        shownWhen: { limitSelection: ['range'] },
      },
      {
        name: 'multipleFiles',
        label: 'Multiple files',
        type: 'boolean',
        default: true,
        shownWhen: { fieldType: ['file'] },
      },
      {
        name: 'acceptFileTypes',
        label: 'Accepted file types',
        type: 'string',
        default: '',
        shownWhen: { fieldType: ['file'] },
        help: 'Comma-separated extensions or MIME types: `.pdf, image/*`.',
        placeholder: '.pdf, .png',
      },
      {
        name: 'formatDate',
        label: 'Date format of the output',
        type: 'string',
        default: '',
        shownWhen: { fieldType: ['date'] },
        help: 'In Luxon tokens.',
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

/** Response after a submission. */
export const respondWithOptions = (fixed: boolean): ParameterDescriptor => ({
  name: 'respondWithOptions',
  label: 'Form response',
  type: 'fixedCollection',
  default: {},
  help: 'Shown after the form is submitted.',
  groups: [
    {
      name: 'values',
      label: 'Values',
      fields: [
        {
          name: 'respondWith',
          label: 'Respond with',
          type: 'options',
          default: 'text',
          fixed,
          options: [
            { value: 'text', label: 'Form submitted text' },
            { value: 'redirect', label: 'Redirect URL' },
          ],
          help: 'Text, or a redirect to another page.',
        },
        {
          name: 'formSubmittedText',
          label: 'Text',
          type: 'string',
          default: '',
          fixed,
          shownWhen: { respondWith: ['text'] },
          help: 'Basic HTML is allowed. Default: a standard text.',
          editor: 'multiline',
        },
        {
          name: 'redirectUrl',
          label: 'URL',
          type: 'string',
          default: '',
          fixed,
          required: true,
          shownWhen: { respondWith: ['redirect'] },
          help: 'Must start with https:// or http://.',
          placeholder: 'https://example.com/page',
        },
      ],
    },
  ],
});

/** Accepted so that workflows need not be changed. */
export const APPEND_ATTRIBUTION: ParameterDescriptor = {
  name: 'appendAttribution',
  label: 'Append attribution',
  type: 'boolean',
  default: true,
  help: 'Has no effect: no attribution is added to forms.',
};

/** Styles of a page. */
export const customCss = (fixed: boolean): ParameterDescriptor => ({
  name: 'customCss',
  label: 'Custom form styling',
  type: 'string',
  default: '',
  fixed,
  help: 'CSS of at most 50,000 characters. It cannot load external resources.',
  editor: 'multiline',
});
