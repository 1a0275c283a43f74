import { type AttachmentType, isAttachmentType } from '@weft/node-catalogue/definitions';
import type { Port } from '@weft/workflow-edit';
import type { Editor } from '../editor-context';
import { linksOfDocument } from './links';
import { portsOf } from './ports';

const NOUNS: Readonly<Record<AttachmentType, string>> = {
  ai_languageModel: 'chat model',
  ai_tool: 'tool',
  ai_outputParser: 'output parser',
  ai_memory: 'memory',
  ai_embedding: 'embedding model',
  ai_document: 'document loader',
  ai_textSplitter: 'text splitter',
  ai_vectorStore: 'vector store',
  ai_reranker: 'reranker',
  ai_retriever: 'retriever',
};

/** Noun for the sub-nodes of a type; the type itself for unknown ones. */
export const nounOf = (type: string): string => (isAttachmentType(type) ? NOUNS[type] : type);

/** Such as `a chat model` or `an output parser`. */
export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** Inputs of a node to which a sub-node can be added: those without one, and those that take any number. */
export const openInputs = (editor: Pick<Editor, 'document' | 'kinds'>, name: string): readonly Port[] => {
  const links = linksOfDocument(editor.document).filter(({ to }) => to === name);
  return portsOf(editor, name).inputs.filter(
    ({ type, index, isMany }) =>
      isAttachmentType(type) && (isMany === true || !links.some((link) => link.type === type && link.input === index)),
  );
};
