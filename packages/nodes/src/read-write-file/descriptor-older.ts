import type { KindDescriptor } from '@weft/node-catalogue';
import { flag, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

/** Applies to all kinds that read and write files. */
export const AREA_DIFFERENCE =
  'Paths refer to files of the workflow, which only its runs see, never to files on a disk: `/data/x.csv`, ' +
  '`./data/x.csv` and `data/x.csv` are the same file. A file exists only if a run has written it.';

/** Reads one file of the workflow into each item. */
export const readBinaryFile: KindDescriptor = {
  kind: 'readBinaryFile',
  label: 'Read Binary File',
  description: 'Reads a file that the workflow stores between its runs.',
  versions: [1],
  groups: ['input'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: [AREA_DIFFERENCE],
  parameters: withHelp({ filePath: 'Path of the file.', dataPropertyName: 'Field of the item for the file.' }, [
    text('filePath', 'File path', '', { required: true }),
    text('dataPropertyName', 'Field', 'data', { required: true }),
  ]),
};

/** Reads all files of the workflow that match a pattern. */
export const readBinaryFiles: KindDescriptor = {
  kind: 'readBinaryFiles',
  label: 'Read Binary Files',
  description: 'Reads files that the workflow stores between its runs.',
  versions: [1],
  groups: ['input'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: [AREA_DIFFERENCE],
  parameters: withHelp(
    {
      fileSelector: 'Path of a file, or a pattern: `*`, `**`, `?`, `{a,b}`, `[0-9]` and `(a|b)`.',
      dataPropertyName: 'Field of the items for the files.',
    },
    [
      text('fileSelector', 'File selector', '', { required: true }),
      text('dataPropertyName', 'Field', 'data', { required: true }),
    ],
  ),
};

/** Writes the file of each item to the files of the workflow. */
export const writeBinaryFile: KindDescriptor = {
  kind: 'writeBinaryFile',
  label: 'Write Binary File',
  description: 'Writes a file that the workflow stores between its runs.',
  versions: [1],
  groups: ['output'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: [AREA_DIFFERENCE],
  parameters: withHelp(
    {
      fileName: 'Path of the file.',
      dataPropertyName: 'Field of the item with the file.',
      options: 'Additional options.',
      'options.append': 'Appends to an existing file instead of replacing it.',
    },
    [
      text('fileName', 'File path', '', { required: true }),
      text('dataPropertyName', 'Field', 'data', { required: true }),
      {
        name: 'options',
        label: 'Options',
        type: 'collection',
        default: {},
        fields: [flag('append', 'Append')],
      },
    ],
  ),
};
