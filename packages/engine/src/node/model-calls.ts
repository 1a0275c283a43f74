import type { JsonObject } from '@weft/node-catalogue';
import type { ChatCall, ChatMessage, TokenUsage } from '@weft/models';

/** A call of a model that a node is about to make. */
export interface ModelCall {
  readonly operation: 'chat' | 'embeddings';
  /** The service, by its name in OpenTelemetry's conventions, such as `openai`. */
  readonly provider: string;
  /** Name of the model at its service. */
  readonly model: string;
  /** Address of the service. */
  readonly baseUrl?: string;
  /** Tokens of the prompt, estimated. */
  readonly estimatedTokens: number;
  /** The request of a chat, for traces. */
  readonly request?: Pick<ChatCall, 'messages' | 'settings' | 'tools'>;
}

/** Facts about the response to a call of a model. */
export interface ModelResponse {
  /** Tokens as the service counted them, or an estimate. */
  readonly usage: TokenUsage;
  /** The model that responded, as the service names it. */
  readonly model?: string;
  /** Id of the response at the service. */
  readonly id?: string;
  readonly finish?: string;
  /** The answer of a chat, for traces. */
  readonly message?: ChatMessage;
}

/** A call that was made. */
export interface MadeModelCall<Result> {
  readonly result: Result;
  readonly response: ModelResponse;
}

/** Names of the limits on models, tools and agents. */
export const MODEL_LIMITS = [
  'MODEL_CALLS',
  'TOOL_CALLS',
  'MODEL_TOKENS',
  'MAX_TOKENS',
  'MAX_COST',
  'MODEL_TOKENS_PER_DAY',
  'AGENT_STEPS',
  'AGENT_TIME',
  'AGENT_STATE_BYTES',
] as const;

/** Name of a limit: `MAX_TOKENS` and `MAX_COST` are those of the workflow. */
export type ModelLimit = (typeof MODEL_LIMITS)[number];

/** Price of a model, for a million tokens each. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
}

/** Tokens that the owner of a workflow has used today. */
export interface DayUse {
  readonly used: number;
  readonly limit: number;
  /** When the next day begins. */
  readonly resetAt: Date;
}

/** Tokens that the owner of the workflow may use in a day. */
export interface DayTokens {
  /** Counts tokens before they are used. If they exceed the limit, counts nothing and gives the use of the day. */
  reserve(tokens: number): Promise<DayUse | undefined>;
  /** Counts further tokens, or fewer if negative. */
  settle(tokens: number): Promise<void>;
}

/** Sees the calls of models of a run, for traces and metrics. */
export interface ModelObserver {
  /**
   * Makes a call by `perform`, whose result and errors it passes on.
   * @param withoutSecrets removes the secrets of the node from a JSON object
   */
  call<Result>(
    call: ModelCall,
    perform: () => Promise<MadeModelCall<Result>>,
    withoutSecrets: (json: JsonObject) => JsonObject,
  ): Promise<MadeModelCall<Result>>;
  limitReached(limit: ModelLimit): void;
  /** A node that can call tools has ended after this number of steps. */
  stepsTaken(steps: number): void;
}

/** Dependencies of the calls of models of a run. */
export interface ModelPorts {
  /** Absent: no limit. */
  readonly dayTokens?: DayTokens;
  /** The price of a model; undefined if it has none. Absent: no prices are known. */
  readonly priceOf?: (model: string) => ModelPrice | undefined;
  readonly observer?: ModelObserver;
}
