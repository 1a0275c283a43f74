/**
 * Types of connections that attach a sub-node to another node, as n8n calls them. Unlike `main` they carry no items: a
 * node uses what is attached to it while it runs.
 */
export const ATTACHMENT_TYPES = [
  'ai_languageModel',
  'ai_tool',
  'ai_outputParser',
  'ai_memory',
  'ai_embedding',
  'ai_document',
  'ai_textSplitter',
  'ai_vectorStore',
  'ai_reranker',
  'ai_retriever',
] as const;

export type AttachmentType = (typeof ATTACHMENT_TYPES)[number];

/** True for the name of a type that attaches a sub-node. */
export function isAttachmentType(type: string): type is AttachmentType {
  return ATTACHMENT_TYPES.some((known) => known === type);
}
