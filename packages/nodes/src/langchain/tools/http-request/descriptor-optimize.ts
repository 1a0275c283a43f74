import type { Conditions, Json, ParameterDescriptor } from '@weft/node-catalogue';

const when = (conditions: Record<string, readonly Json[]> = {}): Conditions => ({
  optimizeResponse: [true],
  ...conditions,
});

/** Parameters that shorten a response before a model reads it. */
export const OPTIMIZE_PARAMETERS: readonly ParameterDescriptor[] = [
  {
    name: 'optimizeResponse',
    label: 'Optimize response',
    type: 'boolean',
    default: false,
    help: 'Whether the response is shortened before the model reads it.',
  },
  {
    name: 'responseType',
    label: 'Expected response type',
    type: 'options',
    default: 'json',
    shownWhen: when(),
    options: [
      { value: 'json', label: 'JSON' },
      { value: 'html', label: 'HTML' },
      { value: 'text', label: 'Text' },
    ],
    help: 'Form of the response: JSON with selected fields, elements of an HTML page, or the text of a page.',
  },
  {
    name: 'dataField',
    label: 'Field containing data',
    type: 'string',
    default: '',
    shownWhen: when({ responseType: ['json'] }),
    help: 'Field of the response that has the data; empty for the whole response.',
  },
  {
    name: 'fieldsToInclude',
    label: 'Include fields',
    type: 'options',
    default: 'all',
    shownWhen: when({ responseType: ['json'] }),
    options: [
      { value: 'all', label: 'All' },
      { value: 'selected', label: 'Selected' },
      { value: 'except', label: 'Except' },
    ],
    help: 'The fields of the data that the model reads.',
  },
  {
    name: 'fields',
    label: 'Fields',
    type: 'string',
    default: '',
    shownWhen: when({ responseType: ['json'], fieldsToInclude: ['selected', 'except'] }),
    help: 'Names of the fields, separated by commas; with dots for fields of fields.',
  },
  {
    name: 'cssSelector',
    label: 'Selector (CSS)',
    type: 'string',
    default: 'body',
    shownWhen: when({ responseType: ['html'] }),
    help: 'CSS selector of the elements that the model reads.',
  },
  {
    name: 'onlyContent',
    label: 'Return only content',
    type: 'boolean',
    default: false,
    shownWhen: when({ responseType: ['html'] }),
    help: 'Whether the text of the elements is returned, without tags.',
  },
  {
    name: 'elementsToOmit',
    label: 'Elements to omit',
    type: 'string',
    default: '',
    shownWhen: when({ responseType: ['html'], onlyContent: [true] }),
    help: 'CSS selectors of elements that are left out, separated by commas.',
  },
  {
    name: 'truncateResponse',
    label: 'Truncate response',
    type: 'boolean',
    default: false,
    shownWhen: when({ responseType: ['text', 'html'] }),
    help: 'Whether a long response is cut.',
  },
  {
    name: 'maxLength',
    label: 'Max response characters',
    type: 'number',
    default: 1000,
    shownWhen: when({ responseType: ['text', 'html'], truncateResponse: [true] }),
    help: 'Characters after which the response is cut.',
  },
];
