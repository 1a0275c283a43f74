import type { WaitSettings } from '@weft/proto/channels';
import type { Json, JsonObject, NodeDefinition } from '@weft/node-catalogue';
import type { ExpressionScope } from '@weft/expressions';
import type { Item, Outputs } from '../items/items';
import type { HttpResponse, NodePorts } from '../ports';
import type { TextStream } from '../ports/text-streams';
import type { ApprovalDecision } from '../records/pending-calls';
import type { RunSource } from '../records/run-record';
import type { MadeModelCall, ModelCall, ModelLimit } from './model-calls';
import type { Continuation, Supplied, SuppliedType, Supplies, ToolCallInfo, ToolRequest } from './attachments';

/** The way the execution was started. */
export type ExecutionMode = 'manual' | 'trigger' | 'webhook' | 'integrated' | 'error' | 'retry';

/** The condition that a run waits for. */
export type WaitRequest = QuietWait | CallerRequest | ApprovalRequest;

/** A wait that ends without a caller. */
export type QuietWait =
  | { readonly kind: 'timer'; /** Unix milliseconds. */ readonly at: number }
  | { readonly kind: 'child'; readonly executionId: string };

/** A person is to decide about a call of a tool. */
export interface ApprovalRequest {
  readonly kind: 'approval';
  /** The tool node, its function that the model called, and the arguments. */
  readonly node: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** Unix milliseconds. The run continues then without a decision. */
  readonly at: number;
}

/** A caller is to wake the run, at an address made of its token. */
export interface CallerRequest {
  readonly kind: 'webhook';
  /** Of the run: `resumeTokenOf(context.runMemory)`. */
  readonly token: string;
  /** The callers that may wake the run, at which address, and how the gateway receives them. */
  readonly settings: WaitSettings;
  /**
   * Response to the caller that wakes the run, made from what the run does then: parameters of a webhook node. Absent:
   * no response.
   */
  readonly answer?: JsonObject;
  /** Given to the caller who waits for the run now, and has no other answer: where it continues. */
  readonly announce?: HttpResponse;
  /** Unix milliseconds. The run continues then without a caller. */
  readonly at?: number;
}

/** The event that ended the wait of a node. */
export type Resume =
  | { readonly kind: 'timer' }
  | { readonly kind: 'webhook'; readonly item: Item }
  | { readonly kind: 'approval'; readonly approval: ApprovalDecision }
  /** The child has ended or no longer exists: a repeated request returns its result. */
  | { readonly kind: 'child' };

/** Result of an executor. */
export type NodeResult =
  /** Items by output. Outputs that are missing at the end count as empty. */
  | { readonly kind: 'items'; readonly outputs: Outputs }
  /**
   * Nothing, not even an empty list: the branch ends here, and no run of the node is recorded. If nothing else is
   * ready, the execution ends, and nodes that wait for further inputs do not run with what they have.
   */
  | { readonly kind: 'nothing' }
  /** The same as `items`, and an answer for the caller that waits for this run. */
  | { readonly kind: 'respond'; readonly response: HttpResponse; readonly outputs: Outputs }
  /**
   * Calls of tool nodes, at least one, or none to store the state. The engine runs the nodes, and then this node again
   * with `continuation` set. State: JSON, at most 1 MiB.
   */
  | { readonly kind: 'request'; readonly calls: readonly ToolRequest[]; readonly state: JsonObject }
  /** The run pauses here. When it continues, this node runs again with `resumed` set. */
  | { readonly kind: 'wait'; readonly wait: WaitRequest };

/** Everything an executor knows about the node run it performs. */
export interface NodeContext {
  readonly node: NodeDefinition;
  /** The node's `typeVersion`, or the newest version of its kind if the node has none. */
  readonly version: number;
  readonly mode: ExecutionMode;
  readonly executionId: string;
  readonly workflow: { readonly id: string; readonly name: string; readonly active: boolean };
  /** IANA name of the workflow's zone. */
  readonly timezone: string;
  /** Number of earlier runs of this node in this execution. */
  readonly runIndex: number;
  /**
   * Number of earlier tries of this node run under `retryOnFail`. The count restarts when the run continues after a
   * wait or in another process.
   */
  readonly attempt: number;
  /** The node's current items: those of the first input that has any. Cut to one item by `executeOnce`. */
  readonly items: readonly Item[];
  /** The input that `items` came from. */
  readonly itemsInput: number;
  /** Number of wired inputs. */
  readonly inputCount: number;
  /** Items of one input, empty if nothing came there. Cut by `executeOnce` as well. */
  input(index: number): readonly Item[];
  /** Items of one input, all of them even with `executeOnce`: for nodes whose user code sees everything. */
  fullInput(index: number): readonly Item[];
  /** The origin of the items of one input. */
  source(index: number): RunSource | null;
  /** Items that an earlier node run returned: for nodes that remember a source instead of items. */
  itemsOf(source: RunSource): readonly Item[];
  /**
   * The value of a parameter with expressions resolved for one item. `path` may lead into it (`options.responseCode`).
   * Absent parameters have the default of the catalogue, or undefined.
   * `roots` are further names that expressions in it see, `$` included; `$json` among them replaces the item.
   * @throws NodeFailure if an expression in it fails.
   */
  parameter(path: string, itemIndex: number, roots?: Readonly<Record<string, Json>>): unknown;
  /**
   * The same for text that must be JSON: an object or array from a `{{ }}` within a longer text is inserted as JSON.
   */
  jsonParameter(path: string, itemIndex: number): unknown;
  /** The same for templates of nodes, whose `{{ }}` are resolved even without a leading `=`. */
  templateParameter(path: string, itemIndex: number): unknown;
  /** The parameter as stored, with expressions unresolved. */
  rawParameter(path: string): Json | undefined;
  /** The default of a parameter in this version of the kind, for values that turn out to be empty. */
  defaultOf(path: string): Json | undefined;
  /**
   * True if the node continues after failures: executors that work item by item then return an error item in place of
   * the failed one.
   */
  readonly continueOnFail: boolean;
  /** True if error items go to a separate output. */
  readonly hasErrorOutput: boolean;
  /**
   * State of this node between its runs within the execution. Changes made to it are stored if the run succeeds. JSON
   * only.
   */
  readonly memory: JsonObject;
  /**
   * State shared by all nodes of the run. Unlike `memory`, changes persist even if the node fails. JSON only. Keep it
   * small: every checkpoint stores it.
   */
  readonly runMemory: JsonObject;
  /** Names of all nodes of the workflow. */
  readonly nodeNames: readonly string[];
  /** The expression scope of one of all current items, for nodes that pass it to code. */
  scope(itemIndex: number): ExpressionScope;
  /**
   * Stores what the node's code wrote to its console with the node run, also if the run fails. The caller bounds it.
   */
  log(lines: readonly string[]): void;
  /** Stores facts other than items with the node run, also if the run fails. Those of a later try count. */
  note(metadata: JsonObject): void;
  /**
   * Opens a stream of a text to readers that follow the run, without secrets. Undefined without such readers: the node
   * then need not produce the text in parts.
   */
  streamText(itemIndex: number): TextStream | undefined;
  /**
   * Makes one call of a model, or of embeddings: checks the limits, makes the call by `perform`, and counts its tokens.
   * @throws NodeFailure that names a limit: before the call with an estimate, or after it
   */
  callModel<Result>(call: ModelCall, perform: () => Promise<MadeModelCall<Result>>): Promise<Result>;
  /**
   * Counts one call of a model whose tokens are not known, before it is made.
   * @throws NodeFailure that names the limit if the execution has reached it
   */
  countModelCall(): Promise<void>;
  /** Reports that the node has reached one of its limits, for metrics. */
  limitReached(limit: ModelLimit): void;
  /** Set when the node continues after it asked to wait. */
  readonly resume: Resume | undefined;
  /** Set when the node continues after it requested calls of tools. */
  readonly continuation: Continuation | undefined;
  /** Set when the node performs a call that a model made. */
  readonly toolCall: ToolCallInfo | undefined;
  /**
   * Handles of the attached sub-nodes of a type for one item, in the order of their links. Disabled ones are left
   * out. Valid until this run of the node ends.
   * @throws NodeFailure if a sub-node cannot provide it
   */
  attached<Type extends SuppliedType>(type: Type, itemIndex: number): Promise<readonly Supplied<Type>[]>;
  /**
   * The stored data of a credential that the node names for this type. Its secrets are hidden in the output
   * and messages of the node run.
   * @param refusedTokenHash SHA-256 in base64url of an access token of it that a service has just refused: the data
   * has another one if the service issues it
   * @param storedType type of the stored credential, if the node names it by another type
   * @throws NodeFailure if it names none.
   */
  credential(type: string, refusedTokenHash?: string, storedType?: string): Promise<JsonObject>;
  /** Hides a string obtained with a credential, such as a token, in the output and messages of this node run. */
  hide(secret: string): void;
  /**
   * The JSON without the secrets of this node run, for a response that is used before the output is masked: its text
   * may become a call of another service.
   */
  withoutSecrets(json: JsonObject): JsonObject;
  /**
   * Yields the thread to other runs if this run has used it for long. Executors that evaluate parameters for each item
   * call it between items.
   * @returns undefined if the executor may continue at once
   * @throws RunAborted if the run must stop
   */
  pause(): Promise<void> | undefined;
  /** True if a node of this kind leads to this one, over any number of links. */
  hasUpstream(kind: string): boolean;
  /** True if this node leads to one of this kind, over any number of links. */
  hasDownstream(kind: string): boolean;
  /** The first items of the nodes that lead to this one and have run, the nearest node first. */
  upstreamFirstItems(): readonly Item[];
  readonly ports: NodePorts;
  /** Fires when the run is cancelled, timed out or lost. */
  readonly signal: AbortSignal;
}

/** Does the work of one node kind. May throw a NodeFailure. Pure apart from `context.ports` and `context.memory`. */
export type RunNode = (context: NodeContext) => NodeResult | Promise<NodeResult>;

/**
 * The questions the engine may ask a kind about one of its nodes before any item exists. Expressions are not resolved.
 */
export interface NodeShape {
  readonly version: number;
  rawParameter(path: string): Json | undefined;
}

/** A node kind as the engine runs it. */
export interface NodeExecutor {
  readonly kind: string;
  readonly run: RunNode;
  /**
   * True if a second run of it may be seen from outside: the run is checkpointed right after it. A function where it
   * depends on the parameters.
   */
  readonly actsOutside: boolean | ((shape: NodeShape) => boolean);
  /**
   * For nodes with several inputs, once nothing else can run: how many inputs, or which, must have items. Absent: one
   * is enough. A node that lacks them does not run.
   */
  readonly requiredInputs?: (shape: NodeShape) => readonly number[] | number;
  /**
   * True if it waits for a caller: another call of a tool does not run at the same time, since all waits of a run have
   * one address. A function where it depends on the parameters.
   */
  readonly awaitsCaller?: boolean | ((shape: NodeShape) => boolean);
  /** Its handles as a sub-node. A tool provides its functions here, and performs them by `run`. */
  readonly supplies?: Supplies;
  /** Number of ordinary outputs, where it depends on the parameters. Absent: what the catalogue lists. */
  readonly outputCount?: (shape: NodeShape) => number;
}

/** Executors by kind. */
export type NodeRegistry = ReadonlyMap<string, NodeExecutor>;

/** A result with one output. */
export function output(items: readonly Item[]): NodeResult {
  return { kind: 'items', outputs: [items] };
}

/** A result with several outputs. */
export function outputs(...all: Outputs): NodeResult {
  return { kind: 'items', outputs: all };
}
