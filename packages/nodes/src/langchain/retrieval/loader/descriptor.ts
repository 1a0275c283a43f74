import type { Conditions, KindDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../../../descriptors/build-parameters';
import { withHelp } from '../../../descriptors/with-help';

const JSON_DATA: Conditions = { dataType: ['json'] };
const FILES: Conditions = { dataType: ['binary'] };
const NO_FORMAT = 'Weft cannot read this format. Convert the file to text or PDF first.';

const HELP = {
  dataType: 'Whether documents are made from the JSON of an item or from its files.',
  jsonMode: 'Whether all strings of the item are loaded, or one value.',
  binaryMode: 'Whether all files of the item are loaded, or one.',
  loader: 'Format of the file. Automatic: by its MIME type, and text for unknown types.',
  jsonData: 'The text, or an object whose strings are loaded. Evaluated for each item.',
  binaryDataKey: 'Name of the field that has the file.',
  textSplittingMode: 'Simple: chunks of 1,000 characters that overlap by 200.',
  options: 'Additional options.',
  'options.pointers': 'Places in JSON whose strings are loaded, separated by commas, such as `/text, /meta/title`.',
  'options.separator': 'Separator of the columns of CSV files.',
  'options.column': 'The only column of CSV files that is loaded.',
  'options.splitPages': 'Whether each page of a PDF is a document.',
  'options.metadata': 'Facts that are stored with each document.',
} as const;

export const documentDefaultDataLoader: KindDescriptor = {
  kind: 'langchain.documentDefaultDataLoader',
  label: 'Default Data Loader',
  description: 'Makes documents from the items or files that reach a vector store.',
  versions: [1, 1.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: [],
  outputs: [],
  provides: [{ type: 'ai_document' }],
  credentials: [],
  accepts: [
    { type: 'ai_textSplitter', label: 'text splitter', max: 1, until: 1 },
    {
      type: 'ai_textSplitter',
      label: 'text splitter',
      required: true,
      max: 1,
      since: 1.1,
      shownWhen: { textSplittingMode: ['custom'] },
    },
  ],
  differs: [
    'Each string of JSON is loaded once; n8n loads strings of nested objects several times.',
    'An item has at most 4 MB of text and 10,000 documents. Files are read in a sealed process.',
  ],
  parameters: withHelp(HELP, [
    {
      name: 'dataType',
      label: 'Type of data',
      type: 'options',
      default: 'json',
      options: [choice('json', 'JSON'), choice('binary', 'Files')],
    },
    {
      name: 'jsonMode',
      label: 'Mode',
      type: 'options',
      default: 'allInputData',
      shownWhen: JSON_DATA,
      options: [choice('allInputData', 'All input data'), choice('expressionData', 'Specific data')],
    },
    {
      name: 'binaryMode',
      label: 'Mode',
      type: 'options',
      default: 'allInputData',
      shownWhen: FILES,
      options: [choice('allInputData', 'All files'), choice('specificField', 'One file')],
    },
    {
      name: 'loader',
      label: 'Data format',
      type: 'options',
      default: 'auto',
      shownWhen: FILES,
      options: [
        choice('auto', 'Automatic'),
        choice('csvLoader', 'CSV'),
        choice('docxLoader', 'Word', { refused: NO_FORMAT }),
        choice('epubLoader', 'EPUB', { refused: NO_FORMAT }),
        choice('jsonLoader', 'JSON'),
        choice('pdfLoader', 'PDF'),
        choice('textLoader', 'Text'),
      ],
    },
    text('jsonData', 'Data', '', {
      required: true,
      editor: 'multiline',
      shownWhen: { ...JSON_DATA, jsonMode: ['expressionData'] },
    }),
    text('binaryDataKey', 'File field', 'data', {
      required: true,
      shownWhen: { ...FILES, binaryMode: ['specificField'] },
    }),
    {
      name: 'textSplittingMode',
      label: 'Text splitting',
      type: 'options',
      default: 'simple',
      since: 1.1,
      options: [choice('simple', 'Simple'), choice('custom', 'Custom')],
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        text('pointers', 'JSON pointers'),
        text('separator', 'CSV separator', ','),
        text('column', 'CSV column'),
        flag('splitPages', 'Split pages', true),
        {
          name: 'metadata',
          label: 'Metadata',
          type: 'fixedCollection',
          multiple: true,
          groups: [
            {
              name: 'metadataValues',
              label: 'Fields',
              fields: [
                { ...text('name', 'Name'), help: 'Name of the field.' },
                { ...text('value', 'Value'), help: 'Value of the field.' },
              ],
            },
          ],
        },
      ],
    },
  ]),
};
