import type { JsonObject } from '@weft/node-catalogue';
import { timezoneOf } from '@weft/node-catalogue';
import { DateTime } from 'luxon';
import { connectingOutput } from '../prepare/graph';
import type { Item } from '../items/items';
import { visibleRecords } from './partial-run';
import { readPins } from '../items/pins';
import type { RunRequest, RunDeps } from './run-request';
import { customDataOf } from '../records/custom-data';
import { bindResumeToken, resumeUrlsOf, RUN_MEMORY } from './run-memory';
import { RunStore } from '../records/run-store';
import { SecretMask } from '../secrets/secret-mask';
import { RunThread } from './run-thread';
import { ModelBudget } from './sub-nodes/model-budget';
import { SubRuns } from './sub-nodes/sub-runs';
import type { ResumeUrls, ScopeFrame } from '../node/node-scope';

/** State that belongs to the node that runs now. Calls of tools that run at the same time have one each. */
export interface NodeRunState {
  /** Console output of the node. */
  readonly console: string[];
  /** Facts that the node wants in its record. */
  metadata: JsonObject | undefined;
  /** The secrets that the node was given. */
  readonly secrets: SecretMask;
  /** Calls of sub-nodes by the node. */
  readonly subRuns: SubRuns;
}

/** State shared by all node runs of one execution, and that of the node that runs now. */
export class RunFrame implements ScopeFrame, NodeRunState {
  readonly request: RunRequest;
  readonly deps: RunDeps;
  readonly store: RunStore;
  readonly timezone: string;
  /** State that nodes store between their runs, by name. */
  readonly memories: Map<string, JsonObject>;
  /** Pins that count in this run, by node name. */
  readonly pins: ReadonlyMap<string, readonly Item[]>;
  readonly console: string[] = [];
  metadata: JsonObject | undefined;
  readonly secrets = new SecretMask();
  readonly subRuns = new SubRuns();
  /** Calls and tokens of models that the run has used. */
  readonly models: ModelBudget;
  readonly #connecting = new Map<string, number | undefined>();
  #runMemory: JsonObject | undefined;
  readonly thread: RunThread;
  /** The frame that this one was made from. */
  readonly #origin: RunFrame | undefined;

  /** @param origin the frame with which this one shares everything but the state of the node that runs */
  constructor(request: RunRequest, deps: RunDeps, origin?: RunFrame) {
    this.request = request;
    this.deps = deps;
    this.#origin = origin;
    if (origin !== undefined) {
      ({
        thread: this.thread,
        store: this.store,
        timezone: this.timezone,
        models: this.models,
        memories: this.memories,
        pins: this.pins,
      } = origin);
      return;
    }
    const { workflowId, signal } = request;
    this.thread = deps.thread ?? new RunThread({ ownerKey: '', workflowId, signal });
    this.store = new RunStore(visibleRecords(request.records, request.state.partial));
    this.timezone = timezoneOf(request.workflow.definition) ?? deps.defaultTimezone;
    this.models = new ModelBudget(() => this.runMemory, request.workflow.definition, deps.models);
    this.memories = new Map(Object.entries(request.state.memories));
    this.pins =
      request.usePinData && request.mode === 'manual' ? readPins(request.workflow.definition.pinData) : new Map();
  }

  /** State shared by all nodes of the run, stored with the memories of nodes under a name that no node can have. */
  get runMemory(): JsonObject {
    if (this.#origin !== undefined) return this.#origin.runMemory;
    return (this.#runMemory ??= this.#openRunMemory());
  }

  #openRunMemory(): JsonObject {
    const memory = this.memories.get(RUN_MEMORY) ?? {};
    this.memories.set(RUN_MEMORY, memory);
    const { resumeToken } = this.deps;
    if (resumeToken !== undefined) bindResumeToken(memory, this.request.executionId, resumeToken);
    return memory;
  }

  /** A frame for a node that runs while others do. */
  fork(): RunFrame {
    return new RunFrame(this.request, this.deps, this);
  }

  customData(): Readonly<Record<string, string>> | undefined {
    return customDataOf(this.runMemory);
  }

  /** Their token takes a digest, and from then on its hash is stored with the run. */
  resumeUrls(): ResumeUrls | undefined {
    const { publicUrl } = this.deps;
    return publicUrl === undefined ? undefined : resumeUrlsOf(publicUrl, this.runMemory);
  }

  /** As in {@link RunThread}. */
  pause(): Promise<void> | undefined {
    return this.thread.pause();
  }

  /** The present moment in the zone of the workflow. */
  now(): DateTime {
    return DateTime.fromMillis(this.deps.ports.clock.now(), { zone: this.timezone });
  }

  connectingOutput(source: string, target: string): number | undefined {
    const key = `${source}\u0000${target}`;
    if (!this.#connecting.has(key)) this.#connecting.set(key, connectingOutput(this.request.workflow, source, target));
    return this.#connecting.get(key);
  }
}
