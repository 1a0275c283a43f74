import type { KindCases } from '../testing/cases/node-case';
import { pdfOf } from '../testing/files/pdf-of';
import { protectedPdfOf } from '../testing/files/protected-pdf-of';

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
      it: 'reads the given field, with a password that the file does not need',
      versions: [1],
      run: { items: [{}], parameters: { binaryPropertyName: 'other', encrypted: true, password: 'x' } },
      withFiles: { other: { content: pdfOf('x') } },
      gives: [[expect.objectContaining({ text: 'x' })]],
    },
    {
      it: 'reads a protected file with its password',
      versions: [1],
      run: { items: [{}], parameters: { encrypted: true, password: 'open sesame' } },
      withFiles: { data: { content: protectedPdfOf('Hello there', 'open sesame') } },
      gives: [[expect.objectContaining({ text: 'Hello there' })]],
    },
    {
      it: 'reports a wrong password',
      versions: [1],
      run: { items: [{}], parameters: { encrypted: true, password: 'open barley' } },
      withFiles: { data: { content: protectedPdfOf('Hello there', 'open sesame') } },
      fails: 'The password of the PDF is wrong.',
    },
    {
      it: 'reports a file that has a password',
      versions: [1],
      run: { items: [{}], parameters: {} },
      withFiles: { data: { content: protectedPdfOf('Hello there', 'open sesame') } },
      fails: 'The PDF is protected. Set its password.',
    },
    {
      it: 'rejects a file that is not a PDF',
      versions: [1],
      run: { items: [{}], parameters: {} },
      withFiles: { data: { content: 'no' } },
      fails: 'The file is not a PDF',
    },
  ],
};
