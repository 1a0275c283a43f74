import type { Conditions, KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

/** The parameters for extracting values from a page. */
const extraction = (shownWhen: Conditions, trims: boolean): readonly ParameterDescriptor[] => [
  {
    name: 'sourceData',
    label: 'Source data',
    type: 'options',
    default: 'json',
    shownWhen,
    options: [choice('json', 'JSON'), choice('binary', 'Binary')],
  },
  { name: 'dataPropertyName', label: 'Property name', type: 'string', default: 'data', shownWhen },
  {
    name: 'extractionValues',
    label: 'Extraction values',
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
          text('cssSelector', 'CSS selector', '', { placeholder: 'h1.title' }),
          {
            name: 'returnValue',
            label: 'Return value',
            type: 'options',
            default: 'text',
            options: [
              choice('attribute', 'Attribute'),
              choice('html', 'HTML'),
              choice('text', 'Text'),
              choice('value', 'Value'),
            ],
          },
          { ...text('attribute', 'Attribute', '', { placeholder: 'href' }), shownWhen: { returnValue: ['attribute'] } },
          {
            ...text('skipSelectors', 'Skip selectors'),
            help: 'Comma-separated CSS selectors.',
            shownWhen: { returnValue: ['text'] },
          },
          flag('returnArray', 'Return array', false),
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
    fields: [flag('trimValues', 'Trim values', trims), flag('cleanUpText', 'Clean up text', false)],
  },
];

const TABLE_OPTIONS: readonly ParameterDescriptor[] = [
  flag('capitalize', 'Capitalize headers', false),
  text('caption', 'Caption'),
  flag('customStyling', 'Custom styling', false),
  text('tableAttributes', 'Table attributes'),
  text('headerAttributes', 'Header attributes'),
  text('rowAttributes', 'Row attributes'),
  text('cellAttributes', 'Cell attributes'),
];

const common = {
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
} as const;

const EXTRACTION_HELP = {
  sourceData: 'Source of the HTML.',
  dataPropertyName:
    'Name of the JSON field, in dot notation, or of the binary field. An array of pages outputs an item for each.',
  extractionValues: 'Values to extract, and their output fields.',
  'extractionValues.values.attribute': 'Default: all attributes as an object.',
  'extractionValues.values.returnArray': 'If off, returns the first match, or the combined text of all matches.',
  options: 'Additional options.',
} as const;
const HELP = {
  operation: 'The operation to perform.',
  ...EXTRACTION_HELP,
  'options.customStyling': 'Omits the default class names and styles of the table.',
} as const;

/** Generates HTML from items and extracts values from HTML. */
export const html: KindDescriptor = {
  ...common,
  kind: 'html',
  label: 'HTML',
  description:
    'Extracts values from HTML by CSS selectors, renders a template for each item, or converts items to a table.',
  versions: [1, 1.1, 1.2],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'generateHtmlTemplate',
      fixed: true,
      options: [
        choice('generateHtmlTemplate', 'Generate HTML template'),
        choice('extractHtmlContent', 'Extract HTML content'),
        choice('convertToHtmlTable', 'Convert to HTML table'),
      ],
    },
    {
      name: 'html',
      label: 'HTML template',
      type: 'string',
      default: '',
      shownWhen: { operation: ['generateHtmlTemplate'] },
      help: 'HTML with expressions in double curly braces.',
      editor: 'html',
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

/** The older kind, which only extracts values from HTML. */
export const htmlExtract: KindDescriptor = {
  ...common,
  kind: 'htmlExtract',
  label: 'HTML extract',
  description: 'Extracts values from HTML by CSS selectors. Superseded by HTML.',
  versions: [1],
  parameters: withHelp(EXTRACTION_HELP, extraction({}, true)),
};
