import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { type Item, type NodeContext, NodeFailure, type NodeResult } from '@weft/engine';
import { LongDelay } from './send-call';
import type { Progress } from './steps/run-item-steps';

/** Key of the state in the memory of the node. */
const KEY = 'app';
const MAX_WAITS = 5;
const MAX_WAITED_MS = 15 * 60_000;
/** Maximum size of the finished items in bytes of JSON. */
const MAX_STATE_BYTES = 1024 * 1024;

/**
 * The state of a node run that waits for a service without holding a slot: finished items and steps, which are stored
 * in the memory of the node.
 */
export class DelayedItems {
  readonly #context: NodeContext;
  /** Items that were finished before the last wait, by index. */
  readonly #done: JsonObject;
  readonly #finished = new Map<number, readonly Item[]>();
  readonly #progress: Record<string, Json>;
  readonly #delays: LongDelay[] = [];
  #waits: number;
  #waitedMs: number;

  constructor(context: NodeContext) {
    this.#context = context;
    const stored = context.resume === undefined ? undefined : context.memory[KEY];
    const state = isJsonObject(stored) ? stored : {};
    this.#done = objectIn(state, 'done');
    this.#progress = { ...objectIn(state, 'progress') };
    this.#waits = Number(state['waits'] ?? 0);
    this.#waitedMs = Number(state['waitedMs'] ?? 0);
  }

  /** True if an item waits: no further item begins. */
  get isWaiting(): boolean {
    return this.#delays.length > 0;
  }

  /** The result of an item before the last wait; undefined if it has none. */
  done(index: number): Item[] | undefined {
    const stored = this.#done[String(index)];
    if (!Array.isArray(stored)) return undefined;
    return stored.map((one) => itemOf(one, index));
  }

  /** The steps of an item that were done before the last wait. */
  progress(index: number): Progress {
    const stored = this.#progress[String(index)] ?? {};
    const entryFiles = isJsonObject(stored) ? stored['entryFiles'] : undefined;
    return {
      steps: { ...objectIn(stored, 'steps') },
      binary: binaryOf(objectIn(stored, 'binary')),
      entryFiles: Array.isArray(entryFiles) ? entryFiles.map(binaryOf) : [],
    };
  }

  finish(index: number, items: readonly Item[]): void {
    this.#finished.set(index, items);
  }

  delay(index: number, { steps, binary, entryFiles }: Progress, delay: LongDelay): void {
    this.#progress[String(index)] = { steps, binary, entryFiles: [...entryFiles] };
    this.#delays.push(delay);
  }

  /**
   * Stores the state, and returns the wait after which the node run continues.
   * @throws the failure of the item that waits if the run has waited for too long, or its state is too large
   */
  wait(): NodeResult {
    const ms = Math.max(...this.#delays.map((delay) => delay.ms));
    const [first] = this.#delays;
    this.#waits += 1;
    this.#waitedMs += ms;
    const state: JsonObject = {
      done: {
        ...this.#done,
        ...Object.fromEntries([...this.#finished].map(([index, items]) => [index, stored(items)])),
      },
      progress: this.#progress,
      waits: this.#waits,
      waitedMs: this.#waitedMs,
    };
    const isTooLarge = Buffer.byteLength(JSON.stringify(state)) > MAX_STATE_BYTES;
    if (first !== undefined && (this.#waits > MAX_WAITS || this.#waitedMs > MAX_WAITED_MS || isTooLarge)) {
      this.clear();
      throw new NodeFailure(first.failure.message, {
        description: isTooLarge
          ? 'The service asks for a delay, and the finished items are too large to wait with. ' +
            'Send fewer items at a time.'
          : `The service asks for a delay of ${Math.ceil(ms / 1_000)} s, and the node has waited for too long already.`,
        cause: first.failure,
      });
    }
    this.#context.memory[KEY] = state;
    return { kind: 'wait', wait: { kind: 'timer', at: this.#context.ports.clock.now() + ms } };
  }

  clear(): void {
    if (this.#context.resume !== undefined) delete this.#context.memory[KEY];
  }
}

/**
 * Does work for the first item alone. A long delay that the service asks for ends the node run with a wait, after which
 * the steps in its progress are not repeated.
 */
export async function withDelays<Result>(
  context: NodeContext,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result | NodeResult> {
  const delayed = new DelayedItems(context);
  const progress = delayed.progress(0);
  try {
    const result = await work(progress);
    delayed.clear();
    return result;
  } catch (thrown) {
    if (!(thrown instanceof LongDelay)) throw thrown;
    delayed.delay(0, progress, thrown);
    return delayed.wait();
  }
}

function objectIn(value: Json, name: string): JsonObject {
  const found = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(found) ? found : {};
}

function binaryOf(value: Json): Progress['binary'] {
  return Object.fromEntries(
    Object.entries(isJsonObject(value) ? value : {}).flatMap(([name, one]) => {
      if (!isJsonObject(one)) return [];
      const { id, mimeType, fileSize } = one;
      if (typeof id !== 'string' || typeof mimeType !== 'string') return [];
      if (typeof fileSize !== 'string' && typeof fileSize !== 'number') return [];
      return [[name, { ...one, id, mimeType, fileSize }] as const];
    }),
  );
}

/** Items as JSON, without their links. */
const stored = (items: readonly Item[]): Json =>
  items.map(({ json, binary }) => ({ json, ...(binary === undefined ? {} : { binary }) }));

function itemOf(stored: Json, index: number): Item {
  const binary = binaryOf(objectIn(stored, 'binary'));
  return {
    json: objectIn(stored, 'json'),
    ...(Object.keys(binary).length === 0 ? {} : { binary }),
    pairedItem: { item: index },
  };
}
