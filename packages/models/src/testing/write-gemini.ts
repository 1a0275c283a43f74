import type { JsonObject } from '@weft/service-kit/json-values';
import { type FormatWriter, piecesOf, type ScriptedAnswer, type ScriptedError } from './script';

const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

const FINISH = { stop: 'STOP', length: 'MAX_TOKENS', contentFilter: 'SAFETY' } as const;

const usageOf = ({ usage }: ScriptedAnswer): JsonObject =>
  usage === undefined
    ? {}
    : {
        usageMetadata: {
          promptTokenCount: usage.input,
          candidatesTokenCount: usage.output - (usage.reasoning ?? 0),
          totalTokenCount: usage.input + usage.output,
          ...(usage.cached === undefined ? {} : { cachedContentTokenCount: usage.cached }),
          ...(usage.reasoning === undefined ? {} : { thoughtsTokenCount: usage.reasoning }),
        },
      };

/** Parts of an answer: each call with the signature of the thinking before it on the first one. */
const partsOf = ({ text, thinking, toolCalls = [] }: ScriptedAnswer, textPieces: readonly string[]): JsonObject[] => [
  ...(thinking === undefined ? [] : [{ text: thinking.text, thought: true }]),
  ...(text === undefined ? [] : textPieces.map((piece) => ({ text: piece }))),
  ...toolCalls.map((call, index) => ({
    functionCall: { name: call.name, args: call.input },
    ...(thinking === undefined || index > 0 ? {} : { thoughtSignature: thinking.signature }),
  })),
];

const responseOf = (parts: JsonObject[], answer: ScriptedAnswer, model: string, isLast: boolean): JsonObject => ({
  candidates: [
    {
      content: { role: 'model', parts },
      index: 0,
      ...(isLast ? { finishReason: FINISH[answer.finish ?? 'stop'] } : {}),
    },
  ],
  ...usageOf(answer),
  modelVersion: model,
  responseId: 'r1',
});

/** The prompt is blocked: there are no candidates. */
const blocked = (model: string): JsonObject => ({
  promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
  modelVersion: model,
});

const errorBody = ({ status, message, code }: ScriptedError): JsonObject => ({
  error: { code: status, message, status: code ?? STATUS[status] ?? 'UNKNOWN' },
});

/** `gemini` from the side of the service. */
export const geminiWriter: FormatWriter = {
  whole: (answer, model) =>
    answer.refusal === undefined
      ? responseOf(partsOf(answer, [answer.text ?? '']), answer, model, true)
      : blocked(model),
  events: (answer, model) => {
    if (answer.refusal !== undefined) return [{ data: blocked(model) }];
    const parts = partsOf(answer, piecesOf(answer.text ?? '', 7));
    if (parts.length === 0) return [{ data: responseOf([], answer, model, true) }];
    return parts.map((part, index) => ({
      data: responseOf([part], answer, model, index === parts.length - 1),
    }));
  },
  error: errorBody,
  errorEvent: (error) => ({ data: errorBody(error) }),
};
