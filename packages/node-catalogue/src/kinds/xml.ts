import type { Conditions, KindDescriptor } from '../descriptor';
import { flag, text } from './build-parameters';
import { withHelp } from './with-help';

const READS: Conditions = { mode: ['xmlToJson'] };
const WRITES: Conditions = { mode: ['jsonToxml'] };

const HELP = {
  mode: 'Which way.',
  dataPropertyName: 'The field that is read, or that gets the XML.',
  options: 'How XML and fields correspond.',
  'options.attrkey': 'The field that attributes are in.',
  'options.charkey': 'The field that the text of an element is in.',
} as const;

/** Reads XML, or writes it. */
export const xml: KindDescriptor = {
  kind: 'xml',
  label: 'XML',
  description: 'Reads XML in a field into the item, or writes the item as XML into a field.',
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
    { ...text('dataPropertyName', 'Field of the XML', 'data'), required: true },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: WRITES,
      fields: [
        flag('allowSurrogateChars', 'Allow surrogate characters'),
        text('attrkey', 'Field of attributes', '$'),
        flag('cdata', 'CDATA where it helps'),
        text('charkey', 'Field of text', '_'),
        flag('headless', 'Without a header'),
        text('rootName', 'Root element', 'root'),
      ],
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: READS,
      fields: [
        text('attrkey', 'Field of attributes', '$'),
        text('charkey', 'Field of text', '_'),
        flag('explicitArray', 'Lists even for one child'),
        flag('explicitRoot', 'With the root element', true),
        flag('ignoreAttrs', 'Without attributes'),
        flag('mergeAttrs', 'Attributes beside children', true),
        flag('normalize', 'Without space around and repeated space'),
        flag('normalizeTags', 'Names in lower case'),
        flag('trim', 'Without space around'),
      ],
    },
  ]),
};
