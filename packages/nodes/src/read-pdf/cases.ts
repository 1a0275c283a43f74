import type { KindCases } from '../testing/node-case';
import { pdfOf } from '../testing/pdf-of';

export const readPDFCases: KindCases = {
  kind: 'readPDF',
  cases: [
    {
      it: 'reads the text of a PDF and keeps the file',
      versions: [1],
      run: { items: [{ old: 1 }], parameters: {} },
      withFiles: { data: { content: pdfOf('Hello there') } },
      gives: [[expect.objectContaining({ numpages: 1, numrender: 1, text: 'Hello there' })]],
      files: [{ data: pdfOf('Hello there') }],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'reads the field that is named, with a password that the file does not need',
      versions: [1],
      run: { items: [{}], parameters: { binaryPropertyName: 'other', encrypted: true, password: 'x' } },
      withFiles: { other: { content: pdfOf('x') } },
      gives: [[expect.objectContaining({ text: 'x' })]],
    },
    {
      it: 'refuses a file that is not a PDF',
      versions: [1],
      run: { items: [{}], parameters: {} },
      withFiles: { data: { content: 'no' } },
      fails: 'The file is not a PDF',
    },
  ],
};
