import { gzipSync } from 'node:zlib';
import type { KindCases } from '../testing/cases/node-case';

export const compressionCases: KindCases = {
  kind: 'compression',
  cases: [
    {
      it: 'unpacks gzip',
      versions: [1, 1.1],
      run: { items: [{ a: 1 }] },
      withFiles: { data: { content: gzipSync('text'), fileName: 'n.txt.gz' } },
      gives: [[{ a: 1 }]],
      files: [{ file_0: 'text' }],
    },
    {
      it: 'packs gzip under a numbered name',
      versions: [1],
      run: { items: [{ a: 1 }], parameters: { operation: 'compress', outputFormat: 'gzip' } },
      withFiles: { data: { content: 'text', fileName: 'n.txt' } },
      gives: [[{ a: 1 }]],
      files: [expect.objectContaining({ data0: expect.any(String) })],
    },
    {
      it: 'packs gzip under the given name',
      versions: [1.1],
      run: {
        items: [{ a: 1 }],
        parameters: { operation: 'compress', outputFormat: 'gzip', binaryPropertyOutput: 'packed' },
      },
      withFiles: { data: { content: 'text', fileName: 'n.txt' } },
      gives: [[{ a: 1 }]],
      files: [expect.objectContaining({ packed: expect.any(String) })],
    },
    { it: 'reports a missing file', versions: [1, 1.1], run: { items: [{ a: 1 }] }, fails: 'data' },
  ],
};
