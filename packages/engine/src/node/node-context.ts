import type { Json, JsonObject, NodeDefinition } from '@weft/node-catalogue';
import { ExpressionError, type ExpressionScope } from '@weft/expressions';
import type { InputSources } from '../records/engine-state';
import { ancestorsOf, descendantsOf } from '../prepare/graph';
import type { Item } from '../items/items';
import type { Continuation, ToolCallInfo } from './attachments';
import type { ExecutionMode, NodeContext, Resume } from './node';
import type { MadeModelCall, ModelCall, ModelLimit } from './model-calls';
import { missingCredential, NodeFailure } from './node-failure';
import { NodeScope } from './node-scope';
import type { NodeRunScope } from './node-scope';
import type { NodePorts } from '../ports';
import type { FileStore } from '../ports/files';
import type { TextStream } from '../ports/text-streams';
import type { PreparedNode } from '../prepare/prepare-workflow';
import type { RunFrame } from '../run/run-frame';
import { callModel } from '../run/sub-nodes/call-model';
import type { RunSource } from '../records/run-record';
import { maskedTextStream } from '../secrets/masked-text-stream';

/** The inputs of one node run. */
export interface NodeInputs {
  readonly sources: InputSources;
  /** By input, all items. */
  readonly items: readonly (readonly Item[])[];
}

/**
 * The ports of a run, whose files are stored with names and types that hold no secret of the node that runs. No object
 * has the ports as its prototype: V8 gives what is one a hidden class, which is freed only when all of the heap is
 * marked, and what it refers to with it.
 */
const portsWithoutSecrets = ({ deps: { ports }, secrets }: RunFrame): NodePorts => {
  const masked: FileStore = {
    read: (reference) => ports.files.read(reference),
    store: (bytes, facts) => ports.files.store(bytes, secrets.file(facts)),
  };
  return new Proxy(ports, { get: (target, name): unknown => (name === 'files' ? masked : Reflect.get(target, name)) });
};

/** Converts an expression error into a failure of the node; returns any other thrown value unchanged. */
const failureOf = (thrown: unknown, path: string, itemIndex: number): unknown => {
  if (!(thrown instanceof ExpressionError)) return thrown;
  return new NodeFailure(thrown.message, {
    itemIndex,
    cause: thrown,
    context: {
      type: thrown.type,
      parameter: path,
      ...(thrown.node === undefined ? {} : { nodeCause: thrown.node }),
    },
    ...(thrown.description === undefined ? {} : { description: thrown.description }),
  });
};

/** Parts of a context besides its node and inputs. */
export interface NodeRunOptions {
  readonly resume: Resume | undefined;
  readonly attempt: number;
  readonly continuation?: Continuation;
  readonly toolCall?: ToolCallInfo;
  /** Name of its memory; absent: that of the node. */
  readonly memoryKey?: string;
  /** The node from whose place in the workflow the node looks; absent: its own. */
  readonly place?: PreparedNode;
  /** Number of the first item among those of the source; 0 if absent. */
  readonly firstItem?: number;
  readonly attach: NodeContext['attached'];
}

/** Context of an executor. One object per try: changes that a failed try made to it are lost. */
export class NodeRunContext implements NodeContext {
  readonly node: NodeDefinition;
  readonly version: number;
  readonly runIndex: number;
  readonly attempt: number;
  readonly items: readonly Item[];
  readonly itemsInput: number;
  readonly resume: Resume | undefined;
  readonly continuation: Continuation | undefined;
  readonly toolCall: ToolCallInfo | undefined;
  readonly attached: NodeContext['attached'];
  readonly #frame: RunFrame;
  readonly #prepared: PreparedNode;
  readonly #inputs: NodeInputs;
  readonly #shared: NodeRunScope;
  #memory: JsonObject | undefined;
  #ports: NodePorts | undefined;
  #scope: NodeScope | undefined;

  /** The node from whose place in the workflow the node looks. */
  readonly #place: PreparedNode;
  readonly #memoryKey: string;

  constructor(frame: RunFrame, prepared: PreparedNode, inputs: NodeInputs, options: NodeRunOptions) {
    const { resume, attempt, continuation, toolCall, place = prepared, firstItem = 0, attach } = options;
    this.#frame = frame;
    this.#prepared = prepared;
    this.#inputs = inputs;
    this.node = prepared.definition;
    this.version = prepared.version;
    this.runIndex = frame.store.runsOf(prepared.name);
    this.itemsInput = Math.max(
      0,
      inputs.items.findIndex((items) => items.length > 0),
    );
    this.items = this.input(this.itemsInput);
    this.resume = resume;
    this.attempt = attempt;
    this.continuation = continuation;
    this.toolCall = toolCall;
    this.#memoryKey = options.memoryKey ?? prepared.name;
    this.attached = attach;
    this.#place = place;
    this.#shared = {
      frame,
      node: prepared,
      runIndex: this.runIndex,
      sources: inputs.sources,
      items: this.fullInput(this.itemsInput),
      itemsInput: this.itemsInput,
      ...(place === prepared ? {} : { place: place.name }),
      ...(firstItem === 0 ? {} : { firstItem }),
      leadingRuns: new Map(),
    };
  }

  get mode(): ExecutionMode {
    return this.#frame.request.mode;
  }

  get executionId(): string {
    return this.#frame.request.executionId;
  }

  get workflow(): NodeContext['workflow'] {
    const { request } = this.#frame;
    return { id: request.workflowId, name: request.workflow.definition.name, active: request.workflowActive };
  }

  get timezone(): string {
    return this.#frame.timezone;
  }

  get inputCount(): number {
    return this.#prepared.inputCount;
  }

  get continueOnFail(): boolean {
    return this.#prepared.options.onError !== 'stopWorkflow';
  }

  get hasErrorOutput(): boolean {
    return this.#prepared.options.onError === 'continueErrorOutput';
  }

  get ports(): NodePorts {
    this.#frame.thread.mark();
    this.#ports ??= portsWithoutSecrets(this.#frame);
    return this.#ports;
  }

  get signal(): AbortSignal {
    return this.#frame.request.signal;
  }

  get memory(): JsonObject {
    this.#memory ??= structuredClone(this.#frame.memories.get(this.#memoryKey) ?? {});
    return this.#memory;
  }

  get runMemory(): JsonObject {
    return this.#frame.runMemory;
  }

  get nodeNames(): readonly string[] {
    return [...this.#frame.request.workflow.nodes.keys()];
  }

  scope(itemIndex: number): ExpressionScope {
    this.#frame.thread.mark();
    return this.#scopeOf(itemIndex);
  }

  pause(): Promise<void> | undefined {
    return this.#frame.pause();
  }

  hide(secret: string): void {
    this.#frame.secrets.add(secret);
  }

  withoutSecrets(json: JsonObject): JsonObject {
    return this.#frame.secrets.json(json);
  }

  log(lines: readonly string[]): void {
    this.#frame.console.push(...lines);
  }

  note(metadata: JsonObject): void {
    this.#frame.metadata = metadata;
  }

  streamText(itemIndex: number): TextStream | undefined {
    const { id, name } = this.node;
    const stream = this.#frame.deps.ports.texts?.open({ node: name, nodeId: id, run: this.runIndex, itemIndex });
    return stream && maskedTextStream(stream, this.#frame.secrets);
  }

  callModel<Result>(call: ModelCall, perform: () => Promise<MadeModelCall<Result>>): Promise<Result> {
    return callModel(this.#frame, call, perform);
  }

  async countModelCall(): Promise<void> {
    await this.#frame.models.countUnknownCall();
  }

  limitReached(limit: ModelLimit): void {
    this.#frame.models.reached(limit);
  }

  /** Stores the executor's changes to its memory. Called once the run has succeeded. */
  keepMemory(): void {
    if (this.#memory !== undefined) this.#frame.memories.set(this.#memoryKey, this.#memory);
  }

  input(index: number): readonly Item[] {
    const items = this.fullInput(index);
    return this.#prepared.options.executeOnce ? items.slice(0, 1) : items;
  }

  fullInput(index: number): readonly Item[] {
    return this.#inputs.items[index] ?? [];
  }

  source(index: number): RunSource | null {
    return this.#inputs.sources[index] ?? null;
  }

  itemsOf(source: RunSource): readonly Item[] {
    return this.#frame.store.itemsOf(source);
  }

  parameter(path: string, itemIndex: number, roots?: Readonly<Record<string, Json>>): unknown {
    try {
      return this.#frame.thread.within(() =>
        this.#prepared.parameters.value(path, () => this.#scopeOf(itemIndex, roots)),
      );
    } catch (thrown) {
      throw failureOf(thrown, path, itemIndex);
    }
  }

  jsonParameter(path: string, itemIndex: number): unknown {
    try {
      return this.#frame.thread.within(() => this.#prepared.parameters.jsonText(path, () => this.#scopeOf(itemIndex)));
    } catch (thrown) {
      throw failureOf(thrown, path, itemIndex);
    }
  }

  templateParameter(path: string, itemIndex: number): unknown {
    try {
      return this.#frame.thread.within(() => this.#prepared.parameters.template(path, () => this.#scopeOf(itemIndex)));
    } catch (thrown) {
      throw failureOf(thrown, path, itemIndex);
    }
  }

  defaultOf(path: string): Json | undefined {
    return this.#prepared.parameters.defaultOf(path);
  }

  rawParameter(path: string): Json | undefined {
    return this.#prepared.parameters.raw(path);
  }

  async credential(type: string, refusedTokenHash?: string, storedType = type): Promise<JsonObject> {
    const { id = '', name = '' } =
      this.node.credentials !== undefined && Object.hasOwn(this.node.credentials, type)
        ? (this.node.credentials[type] ?? {})
        : {};
    if (id === '' && name === '') throw new NodeFailure(`The node names no credential of type ${type}`);
    if (id === '') throw missingCredential({ type: storedType, name, id });
    const data = await this.ports.credentials.use({
      node: this.node.name,
      type: storedType,
      id,
      ...(name === '' ? {} : { name }),
      ...(refusedTokenHash === undefined ? {} : { refusedTokenHash }),
    });
    this.#frame.secrets.learn(storedType, data);
    return data;
  }

  hasUpstream(kind: string): boolean {
    const { workflow } = this.#frame.request;
    return [...ancestorsOf(workflow, this.#place.name)].some((name) => workflow.nodes.get(name)?.kind === kind);
  }

  hasDownstream(kind: string): boolean {
    const { workflow } = this.#frame.request;
    return [...descendantsOf(workflow, this.#place.name)].some((name) => workflow.nodes.get(name)?.kind === kind);
  }

  upstreamFirstItems(): readonly Item[] {
    const { request, store } = this.#frame;
    return [...ancestorsOf(request.workflow, this.#place.name)].flatMap((name) => {
      const first = store.run(name, -1)?.data?.main?.find((items) => items.length > 0)?.[0];
      return first === undefined ? [] : [first];
    });
  }

  /** Executors read several parameters of one item in a row, so the last scope is cached. */
  #scopeOf(itemIndex: number, roots?: Readonly<Record<string, Json>>): NodeScope {
    if (roots !== undefined) return new NodeScope(this.#shared, itemIndex, this.runIndex, roots);
    if (this.#scope?.itemIndex !== itemIndex) this.#scope = new NodeScope(this.#shared, itemIndex);
    return this.#scope;
  }
}
