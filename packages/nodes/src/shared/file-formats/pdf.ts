import type { Json, JsonObject } from '@weft/node-catalogue';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { FormatError } from './format-error';
import { type ReadPdfTask } from './tasks';

const MAX_PAGES = 5_000;

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;

const open = async ({ bytes, password }: ReadPdfTask): Promise<Document> => {
  try {
    // A copy: the library detaches the buffer, and rejects a Buffer.
    return await getDocumentProxy(new Uint8Array(bytes), {
      isEvalSupported: false,
      verbosity: 0,
      ...(password === undefined ? {} : { password }),
    });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw new FormatError(
      isLocked
        ? password === undefined
          ? 'The PDF is protected. Set its password.'
          : 'The password of the PDF is wrong.'
        : `The file is not a PDF, or is damaged: ${String(error instanceof Error ? error.message : error)}`,
      { cause: error },
    );
  }
};

/** Joins pieces at the same height to one line. */
const textOfPage = async (document: Document, number: number): Promise<string> => {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  let text = '';
  let height: unknown;
  for (const item of items) {
    if (!('str' in item)) continue;
    const at: unknown = item.transform[5];
    text += height === undefined || height === at ? item.str : `\n${item.str}`;
    height = at;
  }
  return text;
};

/** Text and metadata of a PDF. @throws FormatError */
export const readPdf = async (task: ReadPdfTask): Promise<JsonObject> => {
  const document = await open(task);
  const { info, metadata } = await document.getMetadata();
  const count = Math.min(document.numPages, task.maxPages ?? MAX_PAGES, MAX_PAGES);
  const pages: string[] = [];
  for (let number = 1; number <= count; number += 1) pages.push(await textOfPage(document, number));
  const facts: Json = JSON.parse(
    JSON.stringify({ info, ...(metadata === null ? {} : { metadata: Object.fromEntries(metadata) }) }),
  );
  return {
    numpages: document.numPages,
    numrender: document.numPages,
    ...(typeof facts === 'object' && !Array.isArray(facts) ? facts : {}),
    text: task.joinPages ? pages.join('\n\n') : pages,
    version: (await getResolvedPDFJS()).version,
  };
};
