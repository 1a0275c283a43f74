import type { Json, MissedPolicy, OverlapPolicy, ScheduleRule } from '@weft/node-catalogue';

/** An address of an active workflow. */
export interface RouteEntry {
  /** What no two active workflows share: method and path, with every parameter of the path left open. */
  readonly key: string;
  readonly method: string;
  /** As the node states it, parameters by name. */
  readonly path: string;
  /** Name of the webhook node. */
  readonly node: string;
}

/** A schedule of an active workflow. */
export interface ScheduleEntry {
  /** Name of the trigger node. */
  readonly node: string;
  /** Which of the node's rules, from 0. */
  readonly index: number;
  readonly rule: ScheduleRule;
  /** IANA zone the workflow states; absent: the instance's. */
  readonly timezone?: string;
  /** What a due time gives the node: the parts of the time, or an empty item. */
  readonly item: 'clock' | 'empty';
  /** What becomes of due times that passed while nothing could be started. */
  readonly missed: MissedPolicy;
  /** What becomes of a due time while a run of the node is under way. */
  readonly overlap: OverlapPolicy;
  /** When it is due next; absent: never again. */
  readonly nextAt?: Date;
  /** The due time that was last started. */
  readonly lastDue?: Date;
  /** Why it was not started the last time; absent: it was. */
  readonly trouble?: ScheduleTrouble;
}

/** Why a due time was not started. */
export interface ScheduleTrouble {
  /** A word of docs/errors.md. */
  readonly reason: string;
  readonly message: string;
  /** Starts that ended so without one that went well in between. */
  readonly count: number;
  /** When the first of them was. */
  readonly since: Date;
  /** When the due time is tried again; absent: it was given up, and the schedule goes on to the next. */
  readonly retryAt?: Date;
}

/** What makes a workflow start by itself. It exists while the workflow is active, and only then. */
export interface Activation {
  /** New with every activation and replacement: the mark of compare-and-set. */
  readonly id: string;
  readonly versionId: string;
  readonly routes: readonly RouteEntry[];
  readonly schedules: readonly ScheduleEntry[];
}

/** A workflow as lists show it: without its definition, which is in its current version. */
export interface WorkflowSummary {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  /** True while it has an activation. */
  readonly active: boolean;
  readonly versionId: string;
  /** Size of the definition in bytes. */
  readonly definitionBytes: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A workflow without its definition. */
export interface Workflow extends WorkflowSummary {
  readonly activation?: Activation;
  /** Set once, when it is deleted. */
  readonly deletedAt?: Date;
}

/** The workflow with another activation, or with none. */
export const withActivation = (workflow: Workflow, activation: Activation | undefined): Workflow => {
  const { activation: _before, ...rest } = workflow;
  return { ...rest, active: activation !== undefined, ...(activation === undefined ? {} : { activation }) };
};

/** The version that a node means that states none, decided when it was stored. */
export interface TypeVersionDefault {
  /** Name of the node. */
  readonly node: string;
  readonly typeVersion: number;
}

/** An immutable definition. */
export interface Version {
  readonly id: string;
  readonly workflowId: string;
  readonly ownerId: string;
  /** The whole definition as JSON text, as it came. */
  readonly definition: string;
  readonly typeVersions: readonly TypeVersionDefault[];
  readonly createdAt: Date;
}

/** A definition as JSON. */
export type DefinitionJson = Readonly<Record<string, Json>>;
