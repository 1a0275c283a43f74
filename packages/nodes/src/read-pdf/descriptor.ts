import type { KindDescriptor } from '@weft/node-catalogue';
import { flag, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  binaryPropertyName: 'Name of the binary field.',
  encrypted: 'Whether the file needs a password.',
  password: 'Password of the file.',
} as const;

/** Reads the text of PDF files: the older form of extractFromFile. */
export const readPDF: KindDescriptor = {
  kind: 'readPDF',
  label: 'Read PDF',
  description: 'Reads a PDF file: its text, its number of pages and its metadata.',
  versions: [1],
  groups: ['input'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    { ...text('binaryPropertyName', 'Binary field', 'data'), required: true },
    flag('encrypted', 'Encrypted'),
    { ...text('password', 'Password'), shownWhen: { encrypted: [true] } },
  ]),
};
