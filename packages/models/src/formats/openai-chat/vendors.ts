/** Services that speak `openai-chat`, and `compatible` for any other server that does. */
export type Vendor =
  | 'openai'
  | 'azure'
  | 'foundry'
  | 'openrouter'
  | 'deepseek'
  | 'xai'
  | 'vercel'
  | 'groq'
  | 'mistral'
  | 'moonshot'
  | 'minimax'
  | 'qwen'
  | 'nvidia'
  | 'cohere'
  | 'lemonade'
  | 'compatible';

/** Differences of a service from OpenAI. */
export interface VendorRules {
  /** Where the service is, without `/chat/completions`. Absent: the user gives the address. */
  readonly baseUrl?: string;
  readonly maxTokens: 'max_tokens' | 'max_completion_tokens';
  readonly seed: 'seed' | 'random_seed';
  /** Whether the service takes `stream_options`. The others report usage of streams anyway. */
  readonly hasStreamOptions: boolean;
  /** Whether the service can enforce a schema. Otherwise it is asked for JSON, with the schema in words. */
  readonly hasSchemas: boolean;
  /** `object`: `reasoning: { effort }` in place of `reasoning_effort`. */
  readonly reasoning: 'field' | 'object';
  readonly hasTopK: boolean;
  /** Fields of the model's message that the next request sends back unchanged. */
  readonly sendsBack: readonly string[];
  /** How files other than images and sound are sent: as OpenAI, as a link to a document, or not at all. */
  readonly files: 'file' | 'document_url' | 'none';
}

const AS_OPENAI: VendorRules = {
  maxTokens: 'max_completion_tokens',
  seed: 'seed',
  hasStreamOptions: true,
  hasSchemas: true,
  reasoning: 'field',
  hasTopK: false,
  sendsBack: [],
  files: 'file',
};

const COMPATIBLE: VendorRules = {
  maxTokens: 'max_tokens',
  seed: 'seed',
  hasStreamOptions: true,
  hasSchemas: true,
  reasoning: 'field',
  hasTopK: true,
  sendsBack: [],
  files: 'none',
};

/** Differences by service. */
export const VENDORS: Readonly<Record<Vendor, VendorRules>> = {
  openai: { ...AS_OPENAI, baseUrl: 'https://api.openai.com/v1' },
  compatible: COMPATIBLE,
  azure: AS_OPENAI,
  foundry: AS_OPENAI,
  openrouter: {
    ...COMPATIBLE,
    baseUrl: 'https://openrouter.ai/api/v1',
    reasoning: 'object',
    sendsBack: ['reasoning_details'],
    files: 'file',
  },
  deepseek: {
    ...COMPATIBLE,
    baseUrl: 'https://api.deepseek.com',
    hasSchemas: false,
    hasTopK: false,
    // in thinking mode, a conversation with tool calls is refused without it
    sendsBack: ['reasoning_content'],
  },
  xai: { ...COMPATIBLE, baseUrl: 'https://api.x.ai/v1', hasTopK: false },
  vercel: {
    ...COMPATIBLE,
    baseUrl: 'https://ai-gateway.vercel.sh/v1',
    hasTopK: false,
    sendsBack: ['reasoning_details'],
    files: 'file',
  },
  groq: {
    ...COMPATIBLE,
    baseUrl: 'https://api.groq.com/openai/v1',
    maxTokens: 'max_completion_tokens',
    hasTopK: false,
  },
  mistral: {
    ...COMPATIBLE,
    baseUrl: 'https://api.mistral.ai/v1',
    seed: 'random_seed',
    hasStreamOptions: false,
    hasTopK: false,
    files: 'document_url',
  },
  moonshot: {
    ...COMPATIBLE,
    baseUrl: 'https://api.moonshot.ai/v1',
    maxTokens: 'max_completion_tokens',
    hasSchemas: false,
    hasTopK: false,
    // models that think read it between calls of tools
    sendsBack: ['reasoning_content'],
  },
  minimax: {
    ...COMPATIBLE,
    baseUrl: 'https://api.minimax.io/v1',
    hasSchemas: false,
    hasTopK: false,
    sendsBack: ['reasoning_details'],
  },
  qwen: { ...COMPATIBLE, baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1', hasSchemas: false },
  nvidia: { ...COMPATIBLE, baseUrl: 'https://integrate.api.nvidia.com/v1', hasSchemas: false, hasTopK: false },
  // refuses fields that it does not know
  cohere: {
    ...COMPATIBLE,
    baseUrl: 'https://api.cohere.ai/compatibility/v1',
    hasStreamOptions: false,
    hasTopK: false,
  },
  lemonade: { ...COMPATIBLE, baseUrl: 'http://localhost:8000/api/v1', hasSchemas: false },
};
