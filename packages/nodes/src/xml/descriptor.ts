import type { Conditions, KindDescriptor } from '@weft/node-catalogue';
import { flag, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

const READS: Conditions = { mode: ['xmlToJson'] };
const WRITES: Conditions = { mode: ['jsonToxml'] };

const HELP = {
  mode: 'Direction of the conversion.',
  dataPropertyName: 'Name of the input field, or of the output field for XML.',
  options: 'Options of the conversion.',
  'options.attrkey': 'Key of the attributes.',
  'options.charkey': 'Key of the text content.',
} as const;

/** Reads or writes XML. */
export const xml: KindDescriptor = {
  kind: 'xml',
  label: 'XML',
  description: 'Converts XML to JSON, or JSON to XML.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    {
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'xmlToJson',
      options: [
        { value: 'jsonToxml', label: 'JSON to XML' },
        { value: 'xmlToJson', label: 'XML to JSON' },
      ],
    },
    { ...text('dataPropertyName', 'Property name', 'data'), required: true },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: WRITES,
      fields: [
        flag('allowSurrogateChars', 'Allow surrogate characters'),
        text('attrkey', 'Attribute key', '$'),
        flag('cdata', 'CDATA'),
        text('charkey', 'Character key', '_'),
        flag('headless', 'Headless'),
        text('rootName', 'Root name', 'root'),
      ],
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: READS,
      fields: [
        text('attrkey', 'Attribute key', '$'),
        text('charkey', 'Character key', '_'),
        flag('explicitArray', 'Explicit array'),
        flag('explicitRoot', 'Explicit root', true),
        flag('ignoreAttrs', 'Ignore attributes'),
        flag('mergeAttrs', 'Merge attributes', true),
        flag('normalize', 'Normalize'),
        flag('normalizeTags', 'Normalize tags'),
        flag('trim', 'Trim'),
      ],
    },
  ]),
};
