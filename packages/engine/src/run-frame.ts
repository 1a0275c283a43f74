import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@weft/node-catalogue';
import { timezoneOf } from '@weft/node-catalogue';
import { DateTime } from 'luxon';
import { connectingOutput } from './graph';
import type { Item } from './items';
import { readPins } from './pins';
import type { RunRequest, RunDeps } from './run-request';
import { bindResumeToken, RUN_MEMORY } from './run-memory';
import { RunStore } from './run-store';
import { RunAborted } from './run-aborted';
import { SecretMask } from './secrets/secret-mask';
import { ThreadTurns } from './thread-turns';

/** Milliseconds of work after which a run lets everything else in the process have its turn. */
const TURN_MS = 10;

/** A run that is stopped notices it after so long, while it rests. */
const MAX_REST_MS = 500;

/** All runs of a process share its thread. */
const TURNS = new ThreadTurns();

/** State shared by all node runs of one execution. */
export class RunFrame {
  readonly request: RunRequest;
  readonly deps: RunDeps;
  readonly store: RunStore;
  readonly timezone: string;
  /** State that nodes store between their runs, by name. */
  readonly memories: Map<string, JsonObject>;
  /** Pins that count in this run, by node name. */
  readonly pins: ReadonlyMap<string, readonly Item[]>;
  /** Console output of the node that runs now. */
  readonly console: string[] = [];
  /** Facts that the node that runs now wants in its record. */
  metadata: JsonObject | undefined;
  /** The secrets that the node that runs now was given. */
  readonly secrets = new SecretMask();
  readonly #connecting = new Map<string, number | undefined>();
  #runMemory: JsonObject | undefined;
  #turnBegan = performance.now();
  /** When the run was given the thread; undefined once it waits for something, and others have it. */
  #thread: number | undefined;
  #threadMs = 0;

  constructor(request: RunRequest, deps: RunDeps) {
    this.request = request;
    this.deps = deps;
    this.store = new RunStore(request.records);
    this.timezone = timezoneOf(request.workflow.definition) ?? deps.defaultTimezone;
    this.memories = new Map(Object.entries(request.state.memories));
    this.pins =
      request.usePinData && request.mode === 'manual' ? readPins(request.workflow.definition.pinData) : new Map();
  }

  /** State shared by all nodes of the run. It lies beside the memories of nodes, under a name that no node has. */
  get runMemory(): JsonObject {
    return (this.#runMemory ??= this.#openRunMemory());
  }

  #openRunMemory(): JsonObject {
    const memory = this.memories.get(RUN_MEMORY) ?? {};
    this.memories.set(RUN_MEMORY, memory);
    const { resumeToken } = this.deps;
    if (resumeToken !== undefined) bindResumeToken(memory, this.request.executionId, resumeToken);
    return memory;
  }

  /**
   * Lets other runs have the thread, if this one has had it for long.
   * @returns undefined if it may go on at once
   * @throws RunAborted if the signal of the run has fired meanwhile
   */
  pause(): Promise<void> | undefined {
    return performance.now() - this.#turnBegan < TURN_MS ? undefined : this.#takeTurn();
  }

  async #takeTurn(): Promise<void> {
    const { workflowId, signal } = this.request;
    const { thread } = this.deps;
    this.#countTurn();
    thread?.onTurn(this.#threadMs);
    let restMs: number | undefined;
    do {
      if (restMs !== undefined) await sleep(Math.min(restMs, MAX_REST_MS));
      await TURNS.take(thread?.ownerKey ?? '', workflowId);
      if (signal.aborted) throw new RunAborted();
      // Asked at its turn: others whose turns were before may have taken what there was.
      restMs = thread?.restMs() ?? 0;
    } while (restMs > 0);
    this.#turnBegan = performance.now();
    this.#thread = this.#turnBegan;
    // Comes when there is nothing left to do but to wait.
    process.nextTick(() => {
      if (this.#countTurn()) thread?.onTurn(this.#threadMs);
    });
  }

  /** @returns false if the turn has been counted before */
  #countTurn(): boolean {
    if (this.#thread === undefined) return false;
    this.#threadMs += performance.now() - this.#thread;
    this.#thread = undefined;
    return true;
  }

  /** The present moment in the zone of the workflow. */
  now(): DateTime {
    return DateTime.fromMillis(this.deps.ports.clock.now(), { zone: this.timezone });
  }

  /** The output through which one node leads to another, undefined if it does not. */
  connectingOutput(source: string, target: string): number | undefined {
    const key = `${source}\u0000${target}`;
    if (!this.#connecting.has(key)) this.#connecting.set(key, connectingOutput(this.request.workflow, source, target));
    return this.#connecting.get(key);
  }
}
