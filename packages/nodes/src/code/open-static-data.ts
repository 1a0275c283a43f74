import type { JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { type StateEntry, type NodeContext, NodeFailure, type NodeShape } from '@weft/engine';
import { nodeKey, nodeRunOperation } from '../shared/persistent-state/node-key';
import { valueOf } from '../shared/persistent-state/update-state';
import type { StaticData, StoredStaticData } from './static-data';
import { changedStaticData, readStoredStaticData, seenStaticData, staticDataJson } from './static-data';

/** Name of the entry that stores the static data of a workflow. */
const ENTRY = 'static';
/** Limits in characters of all static data of a workflow as JSON, when stored and within a manual run. */
const MAX_STORED = 512 * 1024;
const MAX_MANUAL = 64 * 1024;
/** Number of times that changes are applied on top of concurrent writes. */
const TRIES = 20;
const PAUSE_MS = 200;

/** True for code that may use static data. */
export function namesStaticData(code: string): boolean {
  return code.includes('WorkflowStaticData');
}

/** True for a node whose code may change static data: running it twice could be visible. */
export function keepsStaticData(shape: NodeShape): boolean {
  return ['jsCode', 'pythonCode', 'functionCode'].some((name) => {
    const code = shape.rawParameter(name);
    return typeof code === 'string' && namesStaticData(code);
  });
}

/** Static data during one run of code. */
export interface OpenStaticData {
  /** A copy for the code. */
  readonly seen: StaticData;
  /**
   * Stores the changes of the code. `again`: another run has changed the data, nothing is stored, and `seen` is new:
   * the code must run again. With `isLast` the changes are applied on top of the other run's instead.
   * @throws NodeFailure if the data is too large
   */
  readonly keep: (wanted: StaticData, isLast: boolean) => Promise<'kept' | 'again'>;
}

/** Runs the code of one node with static data, after other runs of the workflow in this process. */
export function withStaticData<Result>(
  context: NodeContext,
  work: (staticData: OpenStaticData) => Promise<Result>,
): Promise<Result> {
  const once = async (): Promise<Result> => {
    context.signal.throwIfAborted();
    return work(await openStaticData(context));
  };
  return context.mode === 'manual' ? once() : context.ports.persistentState.inTurn(ENTRY, once);
}

/**
 * Opens the static data of the workflow for one node run. Manual runs see the stored data and do not store changes.
 */
async function openStaticData(context: NodeContext): Promise<OpenStaticData> {
  const entry = await context.ports.persistentState.read(ENTRY);
  return context.mode === 'manual'
    ? new ManualStaticData(context, readStoredStaticData(valueOf(entry)))
    : new KeptStaticData(context, entry);
}

class ManualStaticData implements OpenStaticData {
  readonly seen: StaticData;
  readonly #context: NodeContext;
  readonly #nodePart: string;

  constructor(context: NodeContext, stored: StoredStaticData) {
    this.#context = context;
    this.#nodePart = nodeKey(context.node.name);
    const own = objectOf(context.runMemory['staticData']);
    const parts: JsonObject = { ...stored.parts, ...own };
    this.seen = seenStaticData({ parts, writes: [] }, { nodePart: this.#nodePart, operation: '' });
  }

  readonly keep = ({ global, node }: StaticData): Promise<'kept'> => {
    const { runMemory } = this.#context;
    const staticData: JsonObject = { ...objectOf(runMemory['staticData']), global, [this.#nodePart]: node };
    if (JSON.stringify(staticData).length > MAX_MANUAL) throw tooMuch(MAX_MANUAL);
    runMemory['staticData'] = staticData;
    return Promise.resolve('kept');
  };
}

class KeptStaticData implements OpenStaticData {
  readonly #context: NodeContext;
  #entry: StateEntry;
  #seen: StaticData;
  #collisions = 0;

  constructor(context: NodeContext, entry: StateEntry) {
    this.#context = context;
    this.#entry = entry;
    this.#seen = this.#look();
  }

  get seen(): StaticData {
    return this.#seen;
  }

  readonly keep = async (wanted: StaticData, isLast: boolean): Promise<'kept' | 'again'> => {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      if (await this.#write(wanted)) return 'kept';
      this.#collisions += 1;
      // Concurrent runs succeed one after the other, as long as they do not all retry at the same moment.
      await this.#context.ports.clock.sleep(
        Math.random() * Math.min(PAUSE_MS, this.#collisions * 10),
        this.#context.signal,
      );
      if (isLast) continue;
      this.#entry = await this.#context.ports.persistentState.read(ENTRY);
      this.#seen = this.#look();
      return 'again';
    }
    throw new NodeFailure('Other runs of this workflow keep changing its static data', {
      description: 'Reduce the number of its concurrent runs, or run the node again.',
    });
  };

  /** True once nothing is left to write. */
  async #write(wanted: StaticData): Promise<boolean> {
    const next = changedStaticData(readStoredStaticData(valueOf(this.#entry)), this.#user, this.#seen, wanted);
    if (next === undefined) return true;
    if (JSON.stringify(next.parts).length > MAX_STORED) throw tooMuch(MAX_STORED);
    const { version } = this.#entry;
    const outcome = await this.#context.ports.persistentState.write({
      name: ENTRY,
      expectedVersion: version,
      valueJson: JSON.stringify(staticDataJson(next)),
      operation: `${this.#user.operation}:static:${version}`,
    });
    if (outcome.kind === 'written') return true;
    this.#entry = outcome.entry;
    // A write by this operation already includes the changes.
    return outcome.kind === 'repeated';
  }

  get #user(): { nodePart: string; operation: string } {
    const { node, attempt } = this.#context;
    // Each attempt is a separate operation: it sees what a failed attempt before it did.
    return { nodePart: nodeKey(node.name), operation: `${nodeRunOperation(this.#context)}:${attempt}` };
  }

  #look(): StaticData {
    return seenStaticData(readStoredStaticData(valueOf(this.#entry)), this.#user);
  }
}

function tooMuch(limit: number): NodeFailure {
  return new NodeFailure(`The static data is longer than ${limit} characters as JSON`, {
    description:
      'Store less in it, for example only the newest entries of an array. Put large amounts of data in a data table.',
  });
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
