import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json-values';
import type { AssistantMessage, ChatCall, ChatMessage, ChatSettings, ContentPart, ToolMessage } from '../../chat-model';
import type { ModelEndpoint } from '../../client/model-endpoint';
import type { WireRequest } from '../codec';
import {
  mergeBody,
  nativeOf,
  partsOf,
  present,
  refuseFile,
  stopOf,
  systemTextOf,
  unlessEmpty,
} from '../shared/request-parts';
import { isOwnId } from '../shared/tool-calls';

/** From version 3 on, models refuse calls without a signature. Google names this one for calls of other models. */
const FOREIGN_CALL: JsonObject = { thoughtSignature: 'skip_thought_signature_validator' };
const needsSignatures = (model: string): boolean => Number(/gemini-(\d{1,2})/.exec(model)?.[1] ?? 0) >= 3;

/** The request of a call. */
export function buildGemini(call: ChatCall, { model }: ModelEndpoint): WireRequest {
  const { settings = {} } = call;
  const system = systemTextOf(call.messages);
  const body = present({
    contents: contentsOf(call.messages, needsSignatures(model) ? FOREIGN_CALL : {}),
    systemInstruction: system === undefined ? undefined : { parts: [{ text: system }] },
    ...toolFields(call),
    generationConfig: unlessEmpty(generationConfig(call)),
  });
  // models of the user's own have another prefix, `tunedModels/`
  const path = (model.includes('/') ? model : `models/${model}`).split('/').map(encodeURIComponent).join('/');
  const method = call.onDelta === undefined ? 'generateContent' : 'streamGenerateContent?alt=sse';
  return { path: `/v1beta/${path}:${method}`, body: mergeBody(body, settings.body) };
}

/** Results of tools that follow each other are parts of one content. */
function contentsOf(messages: readonly ChatMessage[], unsigned: JsonObject): JsonObject[] {
  const contents: { readonly role: string; readonly parts: Json[]; readonly isResults: boolean }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const last = contents.at(-1);
    if (message.role === 'tool' && last?.isResults === true) last.parts.push(resultOf(message));
    else
      contents.push({
        role: message.role === 'assistant' ? 'model' : 'user',
        parts: message.role === 'tool' ? [resultOf(message)] : contentParts(message, unsigned),
        isResults: message.role === 'tool',
      });
  }
  return contents.filter(({ parts }) => parts.length > 0).map(({ role, parts }) => ({ role, parts }));
}

function contentParts(message: Exclude<ChatMessage, { role: 'system' | 'tool' }>, unsigned: JsonObject): Json[] {
  return message.role === 'user' ? partsOf(message).map(partOf) : assistantParts(message, unsigned);
}

/** @param unsigned added to calls that another model or format made */
function assistantParts(message: AssistantMessage, unsigned: JsonObject): Json[] {
  const native = nativeOf(message, 'gemini');
  if (Array.isArray(native)) return native;
  const { content, toolCalls = [] } = message;
  return [
    ...(content === '' ? [] : [{ text: content }]),
    ...toolCalls.map(({ id, name, input }) => ({
      functionCall: { ...(isOwnId(id) ? {} : { id }), name, args: input },
      ...unsigned,
    })),
  ];
}

function resultOf({ toolCallId, toolName, content, isError = false }: ToolMessage): JsonObject {
  return {
    functionResponse: {
      ...(isOwnId(toolCallId) ? {} : { id: toolCallId }),
      name: toolName,
      response: isError ? { error: content } : { result: content },
    },
  };
}

function partOf(part: ContentPart): JsonObject {
  if (part.type === 'text') return { text: part.text };
  if (part.type === 'fileId') return refuseFile('gemini', part);
  return part.type === 'file'
    ? { inlineData: { mimeType: part.mimeType, data: part.data } }
    : { fileData: { mimeType: part.mimeType, fileUri: part.url } };
}

function toolFields({ tools = [], settings = {} }: ChatCall): Record<string, Json | undefined> {
  if (tools.length === 0) return {};
  const choice = settings.toolChoice;
  return {
    tools: [
      {
        functionDeclarations: tools.map(({ name, description, parameters }) =>
          present({ name, description, ...(hasFields(parameters) ? { parametersJsonSchema: parameters } : {}) }),
        ),
      },
    ],
    toolConfig: choice === undefined ? undefined : { functionCallingConfig: callingConfig(choice) },
  };
}

/** A function without parameters is declared without a schema. */
const hasFields = ({ properties }: JsonObject): boolean =>
  !isJsonObject(properties) || Object.keys(properties).length > 0;

function callingConfig(choice: NonNullable<ChatSettings['toolChoice']>): JsonObject {
  if (typeof choice === 'object') return { mode: 'ANY', allowedFunctionNames: [choice.name] };
  return { mode: { auto: 'AUTO', none: 'NONE', required: 'ANY' }[choice] };
}

function generationConfig({ settings = {}, schema }: ChatCall): JsonObject {
  const { thinkingTokens, reasoningEffort } = settings;
  const wantsJson = schema !== undefined || settings.json === true;
  return present({
    temperature: settings.temperature,
    topP: settings.topP,
    topK: settings.topK,
    maxOutputTokens: settings.maxTokens,
    stopSequences: stopOf(settings),
    seed: settings.seed,
    presencePenalty: settings.presencePenalty,
    frequencyPenalty: settings.frequencyPenalty,
    responseMimeType: wantsJson ? 'application/json' : undefined,
    responseJsonSchema: schema?.schema,
    thinkingConfig: unlessEmpty(present({ thinkingBudget: thinkingTokens, thinkingLevel: reasoningEffort })),
  });
}
