import type { AttachmentType, Json, JsonObject } from '@weft/node-catalogue';
import type { ChatCall, ChatMessage, ChatResult, ToolDefinition } from '@weft/models';
import type { Item } from '../items/items';
import type { ExecutionError } from '../records/run-record';
import type { NodeContext } from './node';

/** A language model that a sub-node provides, with the settings of its node. Each call is recorded. */
export interface LanguageModel {
  /** Name of the model at its service. */
  readonly name: string;
  /** True if the service enforces the schema of an answer; otherwise the prompt must describe it. */
  readonly enforcesSchema: boolean;
  /** True if the settings of its node make every answer JSON, without a schema. */
  readonly answersJson?: boolean;
  /** @throws NodeFailure if the service refuses, or a limit of the execution is reached */
  call(call: ChatCall): Promise<ChatResult>;
}

/** Reads the answer of a model. */
export interface OutputParser {
  /** JSON Schema of what it returns; undefined if only words describe it. */
  readonly schema: JsonObject | undefined;
  /** Text for the prompt that describes the form of the answer. */
  readonly instructions: string;
  /** @throws NodeFailure if the text has another form */
  parse(text: string): Promise<Json>;
}

/** A stored message of a conversation. */
export type MemoryMessage = ChatMessage & {
  /** True if pages of chats do not show it. */
  readonly isHidden?: true;
};

/** The stored messages of one conversation. */
export interface ChatMemory {
  /** Its last turns, the oldest first, as many as the node wants. */
  load(): Promise<readonly MemoryMessage[]>;
  /** The newest messages within the bounds of the memory, the oldest first. */
  all(): Promise<readonly MemoryMessage[]>;
  /** @param replaces true: instead of all messages; false if absent */
  append(messages: readonly MemoryMessage[], replaces?: boolean): Promise<void>;
  /** Deletes the last `count` messages, or none if there are fewer; without a count, all. */
  remove(count?: number): Promise<void>;
}

/** The functions that a tool node offers to a model. The engine runs the node when the model calls one of them. */
export interface Tool {
  readonly functions: readonly ToolDefinition[];
}

/** Makes vectors from strings. Each call is recorded, without the vectors. */
export interface EmbeddingModel {
  /** Name of the model at its service. */
  readonly name: string;
  /**
   * One vector for each text, in order, all of the same dimension and of finite numbers.
   * @param purpose some services have different vectors for queries and for documents
   * @throws NodeFailure if the service refuses, or a limit of the execution is reached
   */
  embed(texts: readonly string[], purpose: 'document' | 'query'): Promise<readonly Float32Array[]>;
}

/** Splits strings into parts that a vector can stand for. */
export interface TextSplitter {
  /** The parts of a text, in order. @throws NodeFailure for too many */
  split(text: string): Promise<readonly string[]>;
}

/** A text with facts about it, as vector stores have them. */
export interface RetrievalDocument {
  readonly pageContent: string;
  readonly metadata: JsonObject;
}

/** Makes documents from the item of the root. */
export interface DocumentLoader {
  load(): Promise<readonly RetrievalDocument[]>;
}

/** A document that a search has found. */
export interface FoundDocument extends RetrievalDocument {
  /** Its id in the store; absent if the store does not tell it. */
  readonly id?: string | number;
  /** Similarity to the query; the higher the closer, in most stores. */
  readonly score: number;
}

/** Documents that can be found by their meaning. */
export interface VectorStore {
  /** The documents closest to a query, the closest first. */
  search(query: string, limit: number): Promise<readonly FoundDocument[]>;
}

/** Orders documents by their relevance to a query. Each call is recorded. */
export interface Reranker {
  /**
   * The most relevant documents with their relevance as the score, the most relevant first.
   * @throws NodeFailure if the service refuses
   */
  rerank(query: string, documents: readonly RetrievalDocument[]): Promise<readonly FoundDocument[]>;
}

/** Finds documents for a query, as many as its settings say. Each call is recorded. */
export interface Retriever {
  retrieve(query: string): Promise<readonly RetrievalDocument[]>;
}

/** Handles that sub-nodes provide, by type of connection. */
export interface Handles {
  readonly ai_languageModel: LanguageModel;
  readonly ai_outputParser: OutputParser;
  readonly ai_memory: ChatMemory;
  readonly ai_tool: Tool;
  readonly ai_embedding: EmbeddingModel;
  readonly ai_textSplitter: TextSplitter;
  readonly ai_document: DocumentLoader;
  readonly ai_vectorStore: VectorStore;
  readonly ai_reranker: Reranker;
  readonly ai_retriever: Retriever;
}

/** A type of connection whose sub-nodes can run. */
export type SuppliedType = AttachmentType & keyof Handles;

/** One attached sub-node and its handle. */
export interface Supplied<Type extends SuppliedType> {
  /** Name of the sub-node. */
  readonly node: string;
  /** Input of that type that it is attached to, from 0. */
  readonly port: number;
  readonly handle: Handles[Type];
}

/** Outcome of one call of a sub-node, and what its record shows. */
export interface Recorded<Result> {
  readonly result: Result;
  /** JSON of the item in the record. */
  readonly output: JsonObject;
}

/**
 * Context of a sub-node that provides a handle to a root. Parameters are read for the items of the root, and
 * expressions see the workflow from the place of the root.
 */
export interface SupplyContext extends NodeContext {
  /** The item of the root for which it provides. */
  readonly itemIndex: number;
  /** Name of the node that uses it. */
  readonly user: string;
  /** Items that replace its responses, in manual runs. */
  readonly pins: readonly Item[] | undefined;
  /**
   * Performs one call of the sub-node, and records it as a run of the sub-node, also if it fails.
   * @param input JSON of the input in the record
   */
  record<Result>(input: JsonObject, call: () => Promise<Recorded<Result>>): Promise<Result>;
}

/** Makers of the handles of a kind, by type of connection. */
export type Supplies = {
  readonly [Type in SuppliedType]?: (context: SupplyContext) => Promise<Handles[Type]> | Handles[Type];
};

/** A call of a tool that a root asks the engine to make. */
export interface ToolRequest {
  /** Chosen by the model, unique within the request. */
  readonly id: string;
  /** Name of the tool node. */
  readonly node: string;
  /** The function of the node that is called. */
  readonly tool: string;
  /** Its arguments. The node runs with an item that has them next to the fields of the root's item. */
  readonly input: JsonObject;
  /** The item of the root that the call is for. */
  readonly itemIndex: number;
}

/** Outcome of a requested call. */
export interface ToolOutcome extends ToolRequest {
  /** Number of the run of the tool node. */
  readonly run: number;
  /** Items that the tool returned; empty if it failed. */
  readonly items: readonly Item[];
  readonly error?: ExecutionError;
  /** True if the tool failed and its node says `onError: stopWorkflow`: then the root is to fail. */
  readonly endsRoot?: true;
}

/** The state that a root stored with a request, and the outcomes of its calls. */
export interface Continuation {
  readonly state: JsonObject;
  /** In the order of the request. */
  readonly outcomes: readonly ToolOutcome[];
}

/** The call that a tool node performs. */
export interface ToolCallInfo {
  readonly tool: string;
  readonly input: JsonObject;
}
