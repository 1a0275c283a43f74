// The SDKs of the vendors and the providers of the AI SDK, each as a function that makes one call of the stand-in.
import Anthropic from '@anthropic-ai/sdk';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { GoogleGenAI } from '@google/genai';
import { generateText, jsonSchema, streamText, tool } from 'ai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { MESSAGES, QUESTION, SYSTEM, TOOL } from './scripts.mjs';

globalThis.AI_SDK_LOG_WARNINGS = false;

const KEY = 'sk-test-0123456789abcdef';

const calls = (list) => list.map(({ name, input }) => ({ name, input }));

const openAi = (url) => new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, maxRetries: 0 });

async function openAiChat(url, model, isStreamed) {
  const request = { model, messages: MESSAGES, tools: [{ type: 'function', function: TOOL }] };
  const client = openAi(url).chat.completions;
  const { choices, usage } = isStreamed
    ? await client.stream({ ...request, stream_options: { include_usage: true } }).finalChatCompletion()
    : await client.create(request);
  const [{ message, finish_reason: finish }] = choices;
  return {
    text: message.content ?? '',
    toolCalls: calls(
      (message.tool_calls ?? []).map((one) => ({ name: one.function.name, input: JSON.parse(one.function.arguments) })),
    ),
    usage: [usage.prompt_tokens, usage.completion_tokens],
    finish: { stop: 'stop', length: 'length', tool_calls: 'toolCalls' }[finish],
  };
}

async function openAiResponses(url, model, isStreamed) {
  const request = {
    model,
    instructions: SYSTEM,
    input: QUESTION,
    tools: [{ type: 'function', strict: false, ...TOOL }],
    store: false,
  };
  const client = openAi(url).responses;
  const response = isStreamed ? await client.stream(request).finalResponse() : await client.create(request);
  const called = response.output.filter(({ type }) => type === 'function_call');
  const thinking = response.output.find(({ type }) => type === 'reasoning');
  return {
    text: response.output_text,
    thinking: thinking?.summary.map(({ text }) => text).join(''),
    toolCalls: calls(called.map(({ name, arguments: input }) => ({ name, input: JSON.parse(input) }))),
    usage: [response.usage.input_tokens, response.usage.output_tokens],
    finish:
      response.incomplete_details?.reason === 'max_output_tokens' ? 'length' : called.length > 0 ? 'toolCalls' : 'stop',
  };
}

async function anthropic(url, model, isStreamed) {
  const client = new Anthropic({ apiKey: KEY, baseURL: url, maxRetries: 0 });
  const request = {
    model,
    max_tokens: 1_000,
    system: SYSTEM,
    messages: [{ role: 'user', content: QUESTION }],
    tools: [{ name: TOOL.name, description: TOOL.description, input_schema: TOOL.parameters }],
  };
  const message = isStreamed
    ? await client.messages.stream(request).finalMessage()
    : await client.messages.create(request);
  const texts = (type, field) =>
    message.content
      .filter((block) => block.type === type)
      .map((block) => block[field])
      .join('');
  const { usage } = message;
  return {
    text: texts('text', 'text'),
    thinking: texts('thinking', 'thinking') || undefined,
    signature: texts('thinking', 'signature') || undefined,
    toolCalls: calls(message.content.filter(({ type }) => type === 'tool_use')),
    usage: [
      usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
      usage.output_tokens,
    ],
    finish: { end_turn: 'stop', max_tokens: 'length', tool_use: 'toolCalls' }[message.stop_reason],
  };
}

async function gemini(url, model, isStreamed) {
  const { models } = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: url } });
  const request = {
    model,
    contents: QUESTION,
    config: {
      systemInstruction: SYSTEM,
      tools: [
        {
          functionDeclarations: [
            { name: TOOL.name, description: TOOL.description, parametersJsonSchema: TOOL.parameters },
          ],
        },
      ],
    },
  };
  const responses = [];
  if (isStreamed) for await (const one of await models.generateContentStream(request)) responses.push(one);
  else responses.push(await models.generateContent(request));
  const parts = responses.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
  const called = parts.filter(({ functionCall }) => functionCall !== undefined);
  const last = responses.at(-1);
  if (last === undefined) throw new Error('no response');
  const { usageMetadata: usage } = last;
  const texts = (isThought) =>
    parts
      .filter(({ text, thought = false }) => text !== undefined && thought === isThought)
      .map(({ text }) => text)
      .join('');
  const finish = last.candidates[0].finishReason;
  // a connection that was cut leaves no reason
  if (finish === undefined) throw new Error('cut');
  return {
    text: texts(false),
    thinking: texts(true) || undefined,
    signature: called[0]?.thoughtSignature,
    toolCalls: calls(called.map(({ functionCall }) => ({ name: functionCall.name, input: functionCall.args }))),
    usage: [usage.promptTokenCount, (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0)],
    finish: finish === 'MAX_TOKENS' ? 'length' : called.length > 0 ? 'toolCalls' : 'stop',
  };
}

async function ollama(url, model, isStreamed) {
  const client = new Ollama({ host: url });
  const request = { model, messages: MESSAGES, tools: [{ type: 'function', function: TOOL }] };
  const responses = [];
  if (isStreamed) for await (const one of await client.chat({ ...request, stream: true })) responses.push(one);
  else responses.push(await client.chat(request));
  const last = responses.at(-1);
  if (last?.done !== true) throw new Error('cut');
  const texts = (field) => responses.map(({ message }) => message[field] ?? '').join('');
  const called = responses.flatMap(({ message }) => message.tool_calls ?? []);
  return {
    text: texts('content'),
    thinking: texts('thinking') || undefined,
    toolCalls: calls(called.map((one) => ({ name: one.function.name, input: one.function.arguments }))),
    usage: [last.prompt_eval_count, last.eval_count],
    finish: last.done_reason === 'length' ? 'length' : called.length > 0 ? 'toolCalls' : 'stop',
  };
}

const FINISH = { stop: 'stop', length: 'length', 'tool-calls': 'toolCalls' };

/** A provider of the AI SDK. */
const aiSdk = (modelAt) => async (url, name, isStreamed) => {
  const request = {
    model: modelAt(url, name),
    system: SYSTEM,
    prompt: QUESTION,
    tools: { [TOOL.name]: tool({ description: TOOL.description, inputSchema: jsonSchema(TOOL.parameters) }) },
    maxRetries: 0,
  };
  let failure;
  const result = isStreamed
    ? streamText({ ...request, onError: ({ error }) => void (failure = error) })
    : await generateText(request);
  if (isStreamed) {
    await result.consumeStream({ onError: (error) => void (failure ??= error) });
    if (failure !== undefined) throw failure;
  }
  const [text, thinking, toolCalls, usage, finish] = await Promise.all([
    result.text,
    result.reasoningText,
    result.toolCalls,
    result.usage,
    result.finishReason,
  ]);
  if (FINISH[finish] === undefined) throw new Error(`ended with ${finish}`);
  return {
    text,
    ...(thinking ? { thinking } : {}),
    toolCalls: calls(toolCalls.map(({ toolName, input }) => ({ name: toolName, input }))),
    usage: [usage.inputTokens, usage.outputTokens],
    finish: FINISH[finish],
  };
};

/** Clients by format. Each returns the same fields; those that it does not have are not compared. */
export const CLIENTS = {
  'openai-chat': {
    openai: openAiChat,
    'ai openai': aiSdk((url, model) => createOpenAI({ apiKey: KEY, baseURL: `${url}/v1` }).chat(model)),
    'ai openai-compatible': aiSdk((url, model) =>
      createOpenAICompatible({ name: 'x', apiKey: KEY, baseURL: `${url}/v1`, includeUsage: true })(model),
    ),
  },
  'openai-responses': {
    openai: openAiResponses,
    'ai openai': aiSdk((url, model) => createOpenAI({ apiKey: KEY, baseURL: `${url}/v1` }).responses(model)),
  },
  gemini: {
    '@google/genai': gemini,
    'ai google': aiSdk((url, model) => createGoogleGenerativeAI({ apiKey: KEY, baseURL: `${url}/v1beta` })(model)),
  },
  anthropic: {
    '@anthropic-ai/sdk': anthropic,
    'ai anthropic': aiSdk((url, model) => createAnthropic({ apiKey: KEY, baseURL: `${url}/v1` })(model)),
  },
  ollama: { ollama },
};
