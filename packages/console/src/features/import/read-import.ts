import { MAX_NAME_LENGTH } from '@weft/node-catalogue/definitions';
import { MAX_WORKFLOWS, readClipboard, setWorkflowName, type WorkflowDocument } from '@weft/workflow-edit';
import { errorText } from '../../ui/values/format';

/** The limit of the API for a check. */
const MAX_CHARACTERS = 10_000_000;

/** A text to import, with the name of its file. */
export interface ImportText {
  readonly name: string;
  readonly text: string;
}

/** Content of the strings to import. */
export interface ImportContent {
  readonly documents: readonly WorkflowDocument[];
  /** Why some strings cannot be imported, by the name of the file. */
  readonly errors: readonly { readonly name: string; readonly message: string }[];
}

/** Nodes that were copied have no name of a workflow. */
const named = (document: WorkflowDocument, file: string): WorkflowDocument => {
  const { name } = document.json;
  if (typeof name === 'string' && name.trim() !== '') return document;
  const fallback = file.replace(/\.json$/i, '').trim();
  return setWorkflowName(document, fallback === '' ? 'Imported workflow' : fallback.slice(0, MAX_NAME_LENGTH)).document;
};

/** Reads the workflows of pasted strings or files. Never throws: what cannot be read is listed. */
export const readImport = (texts: readonly ImportText[]): ImportContent => {
  const documents: WorkflowDocument[] = [];
  const errors: { name: string; message: string }[] = [];
  let characters = 0;
  for (const { name, text } of texts) {
    try {
      const content = readClipboard(text);
      const found = content.kind === 'workflow' ? [content.workflow] : content.workflows;
      characters += text.length;
      if (documents.length + found.length > MAX_WORKFLOWS)
        throw new Error(`At most ${MAX_WORKFLOWS} workflows can be imported at once.`);
      if (characters > MAX_CHARACTERS) throw new Error('At most 10 MB can be imported at once.');
      documents.push(...found.map((document) => named(document, name)));
    } catch (error) {
      errors.push({ name, message: errorText(error) });
    }
  }
  return { documents, errors };
};

/** Reads files of the user's computer. Those above the limit are not read. */
export const readFiles = (files: readonly File[]): Promise<ImportText[]> =>
  Promise.all(
    files
      .slice(0, MAX_WORKFLOWS)
      .map(async (file) => ({ name: file.name, text: file.size > MAX_CHARACTERS ? '' : await file.text() })),
  );
