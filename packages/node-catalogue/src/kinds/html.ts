import type { Conditions, KindDescriptor, ParameterDescriptor } from '../descriptor';
import { choice, flag, text } from './build-parameters';
import { withHelp } from './with-help';

/** The parameters for taking values out of a page. */
const extraction = (shownWhen: Conditions, trims: boolean): readonly ParameterDescriptor[] => [
  {
    name: 'sourceData',
    label: 'Page from',
    type: 'options',
    default: 'json',
    shownWhen,
    options: [choice('json', 'A field'), choice('binary', 'A file')],
  },
  { name: 'dataPropertyName', label: 'Field of the page', type: 'string', default: 'data', shownWhen },
  {
    name: 'extractionValues',
    label: 'Values',
    type: 'fixedCollection',
    multiple: true,
    default: {},
    shownWhen,
    groups: [
      {
        name: 'values',
        label: 'Value',
        fields: [
          text('key', 'Field'),
          text('cssSelector', 'CSS selector'),
          {
            name: 'returnValue',
            label: 'Take',
            type: 'options',
            default: 'text',
            options: [
              choice('attribute', 'An attribute'),
              choice('html', 'The HTML in it'),
              choice('text', 'The text'),
              choice('value', 'The value of an input'),
            ],
          },
          { ...text('attribute', 'Attribute'), shownWhen: { returnValue: ['attribute'] } },
          {
            ...text('skipSelectors', 'Leave out'),
            help: 'CSS selectors, separated by commas.',
            shownWhen: { returnValue: ['text'] },
          },
          flag('returnArray', 'Every match, as a list', false),
        ],
      },
    ],
  },
  {
    name: 'options',
    label: 'Options',
    type: 'collection',
    default: {},
    shownWhen,
    fields: [
      flag('trimValues', 'Without space around', trims),
      flag('cleanUpText', 'Without line breaks and repeated space', false),
    ],
  },
];

const TABLE_OPTIONS: readonly ParameterDescriptor[] = [
  flag('capitalize', 'Headers with capitals', false),
  text('caption', 'Caption'),
  flag('customStyling', 'Without styles', false),
  text('tableAttributes', 'Attributes of the table'),
  text('headerAttributes', 'Attributes of the header'),
  text('rowAttributes', 'Attributes of rows'),
  text('cellAttributes', 'Attributes of cells'),
];

const common = {
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
} as const;

const EXTRACTION_HELP = {
  sourceData: 'Where the page is.',
  dataPropertyName:
    'The field of the page, dots meaning nesting, or the name of the file. A list of pages gives an item for each.',
  extractionValues: 'What is taken out, and the fields it goes into.',
  'extractionValues.values.attribute': 'All attributes, as an object, where none is named.',
  'extractionValues.values.returnArray': 'Otherwise the first match counts, or the text of all of them together.',
  options: 'Less common settings.',
} as const;
const HELP = {
  operation: 'What is done.',
  ...EXTRACTION_HELP,
  'options.customStyling': 'Without the class names and styles that the table has otherwise.',
} as const;

/** Makes HTML out of items and takes values out of HTML. */
export const html: KindDescriptor = {
  ...common,
  kind: 'html',
  label: 'HTML',
  description:
    'Takes values out of HTML by CSS selectors, fills in a template for every item, or makes a table of all items.',
  versions: [1, 1.1, 1.2],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'generateHtmlTemplate',
      fixed: true,
      options: [
        choice('generateHtmlTemplate', 'Fill in a template'),
        choice('extractHtmlContent', 'Take values out'),
        choice('convertToHtmlTable', 'Make a table'),
      ],
    },
    {
      name: 'html',
      label: 'Template',
      type: 'string',
      default: '',
      shownWhen: { operation: ['generateHtmlTemplate'] },
      help: 'HTML with expressions in double braces.',
    },
    ...extraction({ operation: ['extractHtmlContent'] }, false),
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: { operation: ['convertToHtmlTable'] },
      fields: TABLE_OPTIONS,
    },
  ]),
};

/** The older kind that takes values out of HTML only. */
export const htmlExtract: KindDescriptor = {
  ...common,
  kind: 'htmlExtract',
  label: 'HTML extract',
  description: 'Takes values out of HTML by CSS selectors. The HTML node does the same.',
  versions: [1],
  parameters: withHelp(EXTRACTION_HELP, extraction({}, true)),
};
