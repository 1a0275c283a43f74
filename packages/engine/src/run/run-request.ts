import type { Json } from '@weft/node-catalogue';
import type { RegexFallback } from '@weft/expressions';
import type { EngineState } from '../records/engine-state';
import type { Item } from '../items/items';
import type { ModelPorts } from '../node/model-calls';
import type { WaitRequest, ExecutionMode, NodeRegistry, Resume } from '../node/node';
import type { NodePorts } from '../ports';
import type { PreparedWorkflow } from '../prepare/prepare-workflow';
import type { ModelUsage, RunUsage } from '../records/model-usage';
import type { PendingCall } from '../records/pending-calls';
import type { ExecutionError, NodeRunRecord, RunData } from '../records/run-record';
import type { RunThread } from './run-thread';

/**
 * The reason a run is stopped from outside. `drain`: it continues elsewhere. `release`: it continues later, when what
 * it needs can be reached.
 */
export type StopReason = 'cancel' | 'lost' | 'timeout' | 'drain' | 'release';

/** Environment of a run. */
export interface RunDeps {
  readonly registry: NodeRegistry;
  readonly ports: NodePorts;
  /** IANA zone of workflows that set none. */
  readonly defaultTimezone: string;
  /** `$vars` of expressions. */
  readonly vars: Readonly<Record<string, Json>>;
  /** `$env` of expressions: an allowlist, never the environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly regexFallback?: RegexFallback;
  /** Address under which clients reach the gateway, for addresses that wake the run. Absent: expressions see none. */
  readonly publicUrl?: string;
  /** The token that wakes an execution, the same on every attempt. Absent: random ones. */
  readonly resumeToken?: (executionId: string) => string;
  /** Maximum number of node runs of one execution; the run fails beyond it. */
  readonly nodeRunsMax: number;
  /** Absent: calls of models have the limits of the execution only. */
  readonly models?: ModelPorts;
  /** Wraps each node run to measure it. */
  readonly aroundNode?: AroundNode;
  /** The run's share of the thread of the process. Absent: that of a run without an owner. */
  readonly thread?: RunThread;
}

/** A node that is about to run. */
export interface TracedNode {
  readonly name: string;
  /** If the catalogue has it. */
  readonly kind: string | undefined;
  /** Number of this run of the node, from 0. */
  readonly run: number;
  /** The call that a tool node performs. */
  readonly call?: Pick<PendingCall, 'id' | 'tool' | 'input' | 'root'>;
}

/** Outcome of one step of a node. */
export interface StepOutcome {
  /** `continues`: the node waits, or runs again with the results of tools. */
  readonly kind: 'success' | 'error' | 'continues';
  /** Tokens that models used in the run of the node. */
  readonly usage?: RunUsage;
  /** Output of a tool. */
  readonly output?: Json;
}

/** Runs a node by `run`, whose result and errors it passes on. */
export type AroundNode = <Result>(
  node: TracedNode,
  run: () => Promise<Result>,
  outcomeOf: (result: Result) => StepOutcome,
) => Promise<Result>;

/** One execution to run or to continue. */
export interface RunRequest {
  readonly workflow: PreparedWorkflow;
  readonly workflowId: string;
  readonly workflowActive: boolean;
  readonly executionId: string;
  readonly mode: ExecutionMode;
  /** Items of the node the run starts at. */
  readonly input: readonly Item[];
  /** The state to begin with: `initialState(node)` for a new run, else the stored state. */
  readonly state: EngineState;
  /** The node runs stored so far; empty for a new run. */
  readonly records: RunData;
  /** The event that ended the wait, if the run continues after one. */
  readonly resume?: Resume;
  /** True to take the pins of the definition for the output of their nodes. Only counts in manual mode. */
  readonly usePinData: boolean;
  /** Fires when work in progress must end at once. A `drain` does not fire it: the running node may finish. */
  readonly signal: AbortSignal;
}

/** Report of a node run. */
export interface NodeRunEvent {
  readonly node: string;
  /** Number of this run of the node, from 0. */
  readonly run: number;
  readonly record: NodeRunRecord;
  /** The record as JSON text, as it is to be stored. */
  readonly json: Uint8Array;
  /** True if the node may have had a side effect: a checkpoint is due. */
  readonly actsOutside: boolean;
  /** True if the failure of this node ends the run: the node run is stored with the outcome, never separately. */
  readonly ends: boolean;
  /**
   * True for a run of a sub-node that is stored only together with the node runs that follow it: no state lies between
   * them.
   */
  readonly joinsNext: boolean;
  /** All custom data that the run has stored so far; absent if none. */
  readonly customData?: Readonly<Record<string, string>>;
  /** Calls and tokens of models of the run so far; absent if it called none. */
  readonly modelUsage?: ModelUsage;
  /** The state after this node run. Built when asked for. */
  state(): EngineState;
}

/** Watches a run. Between two node runs it may delay or stop the run. */
export interface RunObserver {
  /** Called before every node run, also before one that continues after a wait. Must not throw. */
  onNodeStart?(node: string, run: number): void;
  /** Called after every node run; the run continues when it is done. */
  onNodeRun(event: NodeRunEvent): Promise<void> | void;
  /** Asked before every node run. */
  stopRequested(): StopReason | undefined;
}

/** The way a run stopped. */
export type RunOutcome =
  | { readonly kind: 'success'; readonly lastNode: string | undefined }
  /** `state` is where the failed node would run again; absent if no node is to blame. */
  | {
      readonly kind: 'error';
      readonly error: ExecutionError;
      readonly lastNode: string | undefined;
      readonly state?: EngineState;
    }
  | {
      readonly kind: 'waiting';
      readonly wait: WaitRequest;
      readonly node: string;
      readonly run: number;
      readonly state: EngineState;
    }
  /** Stopped from outside. `state` is where another runner could continue. */
  | { readonly kind: 'stopped'; readonly reason: StopReason; readonly state: EngineState };
