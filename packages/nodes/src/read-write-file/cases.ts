import type { KindCases, NodeCase } from '../testing/cases/node-case';

const storedFiles = { 'data/a.csv': 'a,b', 'data/b.json': '{}', 'notes.txt': 'n'.repeat(1_234), plain: '' };
const withFiles = { data: { content: 'new', fileName: 'in.txt', mimeType: 'text/plain' } };
const versions = [1, 1.1];
const csv = { mimeType: 'text/csv', fileType: 'text', fileName: 'a.csv', fileExtension: 'csv', fileSize: '3 B' };
const json = {
  mimeType: 'application/json',
  fileType: 'json',
  fileName: 'b.json',
  fileExtension: 'json',
  fileSize: '2 B',
};

/** Cases of the nodes that write a file: the item has the path, and keeps its files. */
const writing = (over: Pick<NodeCase, 'versions'>, operation: object): NodeCase[] => [
  {
    it: 'outputs the path, and keeps the files',
    ...over,
    run: { items: [{ n: 1 }], parameters: { ...operation, fileName: '/data/x.txt' } },
    withFiles,
    gives: [[{ n: 1, fileName: '/data/x.txt' }]],
    pairs: [[{ item: 0 }]],
    files: [{ data: 'new' }],
  },
  ...['../x', '/data/../../etc/passwd', 'a\\..\\b'].map((fileName) => ({
    it: `does not escape the files of the workflow with ${fileName}`,
    ...over,
    run: { items: [{}], parameters: { ...operation, fileName } },
    withFiles,
    fails: 'leads outside the files of the workflow',
  })),
  {
    it: 'rejects the path of a folder',
    ...over,
    run: { items: [{}], parameters: { ...operation, fileName: '/data/' } },
    withFiles,
    fails: 'has no file name',
  },
  {
    it: 'rejects a path that is too long',
    ...over,
    run: { items: [{}], parameters: { ...operation, fileName: 'x'.repeat(501) } },
    withFiles,
    fails: 'WORKFLOW_FILE_PATH',
  },
  {
    it: 'rejects an item without the file',
    ...over,
    run: { items: [{}], parameters: { ...operation, fileName: 'x', dataPropertyName: 'other' } },
    withFiles,
    fails: "contain a binary file 'other', but none was found",
  },
];

export const readWriteFileCases: KindCases = {
  kind: 'readWriteFile',
  cases: [
    {
      it: 'reads the file at a path',
      versions,
      run: { items: [{ n: 1 }], storedFiles, parameters: { fileSelector: '/data/a.csv' } },
      gives: [[csv]],
      pairs: [[{ item: 0 }]],
      files: [{ data: 'a,b' }],
    },
    {
      it: 'reads all files that match a pattern, for each item',
      versions,
      run: {
        items: [{ p: './data/*' }, { p: '**/{b,c}.json' }],
        storedFiles,
        parameters: { fileSelector: '={{ $json.p }}' },
      },
      gives: [[csv, json, json]],
      pairs: [[{ item: 0 }, { item: 0 }, { item: 1 }]],
    },
    {
      it: 'shows the size in larger units, and treats a file without an extension as text',
      versions,
      run: { items: [{}], storedFiles, parameters: { fileSelector: '{notes.txt,plain}' } },
      gives: [
        [
          {
            mimeType: 'text/plain',
            fileType: 'text',
            fileName: 'notes.txt',
            fileExtension: 'txt',
            fileSize: '1.23 kB',
          },
          { mimeType: 'text/plain', fileType: 'text', fileName: 'plain', fileExtension: 'txt', fileSize: '0 B' },
        ],
      ],
    },
    {
      it: 'overrides the name, type and field of the file',
      versions,
      run: {
        items: [{}],
        storedFiles,
        parameters: {
          fileSelector: 'data/a.csv',
          options: { fileName: 'z.bin', fileExtension: 'bin', mimeType: 'application/x', dataPropertyName: 'f' },
        },
      },
      gives: [[{ mimeType: 'application/x', fileName: 'z.bin', fileExtension: 'bin', fileSize: '3 B' }]],
      files: [{ f: 'a,b' }],
    },
    {
      it: 'treats brackets as part of the name by default',
      versions,
      run: {
        items: [{ literal: true }, { literal: false }],
        storedFiles: { 'x[1].txt': '1', 'x1.txt': '2' },
        parameters: { fileSelector: 'x[1].txt', options: { literalBrackets: '={{ $json.literal }}' } },
      },
      gives: [[expect.objectContaining({ fileName: 'x[1].txt' }), expect.objectContaining({ fileName: 'x1.txt' })]],
    },
    {
      it: 'outputs nothing if no file matches',
      versions: [1],
      run: { items: [{}], storedFiles, parameters: { fileSelector: '*.png' } },
      gives: [[]],
    },
    {
      it: 'fails if no file matches',
      versions: [1.1],
      run: { items: [{}], storedFiles, parameters: { fileSelector: '*.png' } },
      fails: 'No file(s) found',
    },
    {
      it: 'does not escape the files of the workflow with a pattern',
      versions,
      run: { items: [{}], storedFiles, parameters: { fileSelector: '../**' } },
      fails: 'leads outside the files of the workflow',
    },
    {
      it: 'rejects a pattern with too many alternatives',
      versions,
      run: { items: [{}], storedFiles, parameters: { fileSelector: '{a,b}'.repeat(10) } },
      fails: 'too many alternatives',
    },
    ...writing({ versions }, { operation: 'write' }),
  ],
};

export const readBinaryFileCases: KindCases = {
  kind: 'readBinaryFile',
  cases: [
    {
      it: 'adds the file to the item',
      versions: [1],
      run: { items: [{ n: 1 }], storedFiles, parameters: { filePath: 'data/a.csv', dataPropertyName: 'csv' } },
      withFiles,
      gives: [[{ n: 1 }]],
      pairs: [[{ item: 0 }]],
      files: [{ data: 'new', csv: 'a,b' }],
    },
    {
      it: 'fails for a file that does not exist',
      versions: [1],
      run: { items: [{}], parameters: { filePath: '/etc/passwd' } },
      fails: 'The workflow has no file "etc/passwd"',
    },
    {
      it: 'continues with the error of the item',
      versions: [1],
      run: { items: [{}], parameters: { filePath: '../x' }, node: { onError: 'continueRegularOutput' } },
      gives: [[{ error: 'The path "../x" leads outside the files of the workflow.' }]],
    },
  ],
};

export const readBinaryFilesCases: KindCases = {
  kind: 'readBinaryFiles',
  cases: [
    {
      it: 'outputs every file that matches, once for all items',
      versions: [1],
      run: { items: [{ n: 1 }, { n: 2 }], storedFiles, parameters: { fileSelector: '/data/[a-z].*' } },
      gives: [[{}, {}]],
      pairs: [
        [
          [{ item: 0 }, { item: 1 }],
          [{ item: 0 }, { item: 1 }],
        ],
      ],
      files: [{ data: 'a,b' }, { data: '{}' }],
    },
    {
      it: 'outputs nothing if no file matches',
      versions: [1],
      run: { items: [{}], storedFiles, parameters: { fileSelector: '*.png' } },
      gives: [[]],
    },
    {
      it: 'rejects patterns of unlimited cost',
      versions: [1],
      run: { items: [{}], storedFiles, parameters: { fileSelector: '+(a|aa)' } },
      fails: 'uses "+(", which is not supported',
    },
  ],
};

export const writeBinaryFileCases: KindCases = {
  kind: 'writeBinaryFile',
  cases: writing({ versions: [1] }, {}),
};
