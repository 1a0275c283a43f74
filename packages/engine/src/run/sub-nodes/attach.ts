import type { JsonObject } from '@weft/node-catalogue';
import type { Recorded, Supplied, SuppliedType, SupplyContext } from '../../node/attachments';
import type { Item } from '../../items/items';
import { NodeRunContext, type NodeInputs, type NodeRunOptions } from '../../node/node-context';
import { errorRecordOf, NodeFailure } from '../../node/node-failure';
import { executorFor, type PreparedNode } from '../../prepare/prepare-workflow';
import { boundedError } from '../../records/record-json';
import { abortable } from '../run-aborted';
import type { RunFrame } from '../run-frame';

/** Levels of sub-nodes of sub-nodes. */
const MAX_DEPTH = 5;

/** Options of a context, but for what this file adds. */
type ContextOptions = Omit<NodeRunOptions, 'attach'>;

/** The context of a node that runs, with its sub-nodes. */
export function contextOf(
  frame: RunFrame,
  node: PreparedNode,
  inputs: NodeInputs,
  options: ContextOptions,
): NodeRunContext {
  return new NodeRunContext(frame, node, inputs, {
    ...options,
    attach: (type, itemIndex) => attach({ frame, inputs, options, user: node, depth: 1 }, type, itemIndex),
  });
}

/** A node that uses sub-nodes: the root, or a sub-node with sub-nodes. */
interface User {
  readonly frame: RunFrame;
  /** Inputs and options of the root. */
  readonly inputs: NodeInputs;
  readonly options: ContextOptions;
  readonly user: PreparedNode;
  readonly depth: number;
}

async function attach<Type extends SuppliedType>(
  user: User,
  type: Type,
  itemIndex: number,
): Promise<readonly Supplied<Type>[]> {
  const { frame } = user;
  if (user.depth > MAX_DEPTH)
    throw new NodeFailure(`The sub-nodes of "${user.user.name}" are nested more than ${MAX_DEPTH} levels deep`);
  const supplied: Supplied<Type>[] = [];
  for (const { node, port } of user.user.attachments?.get(type) ?? []) {
    const subNode = frame.request.workflow.nodes.get(node);
    if (subNode === undefined || subNode.options.disabled) continue;
    const supply = executorFor(subNode, frame.deps.registry)?.supplies?.[type];
    if (supply === undefined)
      throw new NodeFailure(
        `The node "${node}" (${subNode.definition.type}) cannot be used as ${type} by "${user.user.name}"`,
      );
    const context = new SubNodeContext(user, subNode, type, itemIndex);
    supplied.push({ node, port, handle: await abortable(asPromise(supply(context)), frame.request.signal) });
    frame.thread.mark();
  }
  return supplied;
}

async function asPromise<Value>(value: Value | Promise<Value>): Promise<Value> {
  return value;
}

/** Context of a sub-node that provides something. */
class SubNodeContext extends NodeRunContext implements SupplyContext {
  readonly pins: readonly Item[] | undefined;
  readonly user: string;
  readonly #frame: RunFrame;
  readonly #user: User;
  readonly #type: SuppliedType;

  constructor(
    user: User,
    subNode: PreparedNode,
    type: SuppliedType,
    readonly itemIndex: number,
  ) {
    const { frame, inputs, options, depth } = user;
    const { memoryKey: _memoryKey, ...inherited } = options;
    super(frame, subNode, inputs, {
      ...inherited,
      place: options.place ?? user.user,
      attach: (nested, item) => attach({ ...user, user: subNode, depth: depth + 1 }, nested, item),
    });
    this.#frame = frame;
    this.#user = user;
    this.#type = type;
    this.user = user.user.name;
    this.pins = frame.pins.get(subNode.name);
  }

  /** Facts of a sub-node are in its own records. */
  override note(): void {}

  async record<Result>(input: JsonObject, call: () => Promise<Recorded<Result>>): Promise<Result> {
    const { clock } = this.#frame.deps.ports;
    const { secrets, subRuns, request } = this.#frame;
    const startTime = clock.now();
    const facts = () => ({
      node: this.node.name,
      type: this.#type,
      source: { previousNode: this.#user.user.name, ...previousRun(this.#frame, this.#user.user.name) },
      startTime,
      executionTime: clock.now() - startTime,
      input: secrets.json(input),
    });
    try {
      const { result, output } = await abortable(call(), request.signal);
      this.#frame.thread.mark();
      subRuns.add({ ...facts(), output: secrets.json(output) });
      return result;
    } catch (thrown) {
      if (request.signal.aborted) throw thrown;
      this.#frame.thread.mark();
      subRuns.add({ ...facts(), error: boundedError(secrets.error(errorRecordOf(thrown, this.node))) });
      throw thrown;
    }
  }
}

function previousRun({ store, subRuns }: RunFrame, node: string): { readonly previousNodeRun?: number } {
  const run = store.runsOf(node) + subRuns.countOf(node);
  return run === 0 ? {} : { previousNodeRun: run };
}
