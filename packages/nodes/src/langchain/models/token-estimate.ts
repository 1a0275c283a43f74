import type { ChatCall, ChatMessage, ChatResult, TokenUsage } from '@weft/models';

/** Bytes of text for each token, on the safe side for European languages. */
const BYTES_PER_TOKEN = 3;
/** Tokens of a file: services count images and pages, not their bytes. */
const FILE_TOKENS = 1_000;

/** Tokens of a text, estimated. */
export const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

/** Tokens that the messages, tools and the schema of a call have, estimated before it is made. */
export function estimateTokens({ messages, tools = [], schema }: ChatCall): number {
  const described = tools.length === 0 ? 0 : tokensOf(JSON.stringify(tools));
  const form = schema === undefined ? 0 : tokensOf(JSON.stringify(schema.schema));
  return messages.reduce((sum, message) => sum + tokensOfMessage(message), described + form);
}

function tokensOfMessage(message: ChatMessage): number {
  if (message.role === 'assistant') {
    const calls = message.toolCalls ?? [];
    return tokensOf(message.content) + (calls.length === 0 ? 0 : tokensOf(JSON.stringify(calls)));
  }
  if (typeof message.content === 'string') return tokensOf(message.content);
  return message.content.reduce((sum, part) => sum + (part.type === 'text' ? tokensOf(part.text) : FILE_TOKENS), 0);
}

/** Tokens as the service counted them, or an estimate if it does not say. */
export function usageOrEstimate({ usage, message }: ChatResult, promptTokens: number): TokenUsage {
  if (usage !== undefined) return usage;
  const outputTokens = tokensOfMessage(message);
  return { inputTokens: promptTokens, outputTokens, totalTokens: promptTokens + outputTokens };
}
