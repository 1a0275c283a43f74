import type { Conditions, KindDescriptor, ParameterDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const switchOf = (name: string, label: string, initial = false): ParameterDescriptor => ({ name, label, type: 'boolean', default: initial });
const text = (name: string, label: string, initial: string): ParameterDescriptor => ({ name, label, type: 'string', default: initial });
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
      name: 'mode', label: 'Mode', type: 'options', default: 'xmlToJson',
      options: [{ value: 'jsonToxml', label: 'JSON to XML' }, { value: 'xmlToJson', label: 'XML to JSON' }],
    },
    { ...text('dataPropertyName', 'Field of the XML', 'data'), required: true },
    {
      name: 'options', label: 'Options', type: 'collection', default: {}, shownWhen: WRITES, fields: [
        switchOf('allowSurrogateChars', 'Allow surrogate characters'),
        text('attrkey', 'Field of attributes', '$'),
        switchOf('cdata', 'CDATA where it helps'),
        text('charkey', 'Field of text', '_'),
        switchOf('headless', 'Without a header'),
        text('rootName', 'Root element', 'root'),
      ],
    },
    {
      name: 'options', label: 'Options', type: 'collection', default: {}, shownWhen: READS, fields: [
        text('attrkey', 'Field of attributes', '$'),
        text('charkey', 'Field of text', '_'),
        switchOf('explicitArray', 'Lists even for one child'),
        switchOf('explicitRoot', 'With the root element', true),
        switchOf('ignoreAttrs', 'Without attributes'),
        switchOf('mergeAttrs', 'Attributes beside children', true),
        switchOf('normalize', 'Without space around and repeated space'),
        switchOf('normalizeTags', 'Names in lower case'),
        switchOf('trim', 'Without space around'),
      ],
    },
  ]),
};
