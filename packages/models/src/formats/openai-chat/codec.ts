import type { Codec } from '../codec';
import { OpenAiChatAssembly } from './assemble';
import { buildOpenAiChat } from './build';
import { parseOpenAiChat } from './parse';

export const openAiChat: Codec = {
  format: 'openai-chat',
  framing: 'sse',
  build: buildOpenAiChat,
  parse: parseOpenAiChat,
  assemble: () => new OpenAiChatAssembly(),
};
