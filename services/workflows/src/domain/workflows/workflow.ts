import type { Json, MissedPolicy, OverlapPolicy, PinnedApp, ScheduleRule } from '@weft/node-catalogue';

/** An address of an active workflow. */
export interface RouteEntry {
  /** Method and path without the names of path parameters. Unique among all active workflows. */
  readonly key: string;
  readonly method: string;
  /** As set in the node, with named parameters. */
  readonly path: string;
  /** Name of the webhook node. */
  readonly node: string;
}

/** A schedule of an active workflow. */
export interface ScheduleEntry {
  /** Name of the trigger node. */
  readonly node: string;
  /** Index of the node's rule, from 0. */
  readonly index: number;
  readonly rule: ScheduleRule;
  /** IANA time zone of the workflow; absent: that of the instance. */
  readonly timezone?: string;
  /** Payload of the start: an item with the fields of the due time, or an empty item; `poll`: the node polls. */
  readonly item: 'clock' | 'empty' | 'poll';
  /** Policy for due times missed while nothing could be started. */
  readonly missed: MissedPolicy;
  /** Policy for a due time during a run of the node. */
  readonly overlap: OverlapPolicy;
  /** Next due time; absent: never again. */
  readonly nextAt?: Date;
  /** The last due time that was started. */
  readonly lastDue?: Date;
  /** Error of the last start; absent: it succeeded. */
  readonly trouble?: ScheduleTrouble;
}

/** Error of starting a due time. */
export interface ScheduleTrouble {
  /** Reason as in docs/errors.md. */
  readonly reason: string;
  readonly message: string;
  /** Consecutive failures with this reason. */
  readonly count: number;
  /** Time of the first of them. */
  readonly since: Date;
  /** Time of the retry; absent: the due time was given up, and the schedule advanced to the next. */
  readonly retryAt?: Date;
}

/** Routes and schedules that start a workflow. Exists only while the workflow is active. */
export interface Activation {
  /** Changes with every activation and replacement; compare-and-set uses it. */
  readonly id: string;
  readonly versionId: string;
  readonly routes: readonly RouteEntry[];
  readonly schedules: readonly ScheduleEntry[];
}

/** A tool that manages workflows. */
export type Manager = 'cli' | 'kubernetes';

/** Who manages a workflow. */
export interface Management {
  readonly by: Manager;
  /** The set that the workflow belongs to; empty: none. */
  readonly set: string;
  /** Where the definition comes from; empty: not known. */
  readonly source: string;
  /** The version that the manager stored last: a workflow with another current version was changed elsewhere. */
  readonly appliedVersionId: string;
  readonly appliedAt: Date;
}

/** Triggers that a client of MCP can call. */
export type McpTrigger = 'executeWorkflowTrigger' | 'webhook' | 'formTrigger';

/** A workflow as a tool of MCP clients. */
export interface McpTool {
  /** Name of the trigger. */
  readonly node: string;
  readonly trigger: McpTrigger;
  /** Empty: the definition has none. */
  readonly description: string;
  /** JSON Schema of the arguments, as JSON text. */
  readonly inputSchema: string;
}

/** A trigger as shown in lists. */
export interface TriggerSummary {
  /** Name of the node. */
  readonly node: string;
  readonly kind: string;
  /** Of a webhook or form with a valid path. */
  readonly path?: string;
  /** Of a webhook, separated by commas. */
  readonly methods?: string;
}

/** Summary of a definition for lists. */
export interface WorkflowOutline {
  readonly nodeCount: number;
  /** The enabled ones; at most 20. */
  readonly triggers: readonly TriggerSummary[];
}

/** A workflow as shown in lists: without its definition, which is in its current version. */
export interface WorkflowSummary {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  /** True while it has an activation. */
  readonly active: boolean;
  readonly versionId: string;
  /** Size of the definition in bytes. */
  readonly definitionBytes: number;
  /** Of the current version; absent: stored by an earlier release. */
  readonly definitionHash?: string;
  /** Set by its client, unique within the instance. */
  readonly key?: string;
  readonly managed?: Management;
  /** Of the current version. */
  readonly mcpTool?: McpTool;
  /** Of the current version; absent: stored by an earlier release. */
  readonly outline?: WorkflowOutline;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A workflow without its definition. */
export interface Workflow extends WorkflowSummary {
  readonly activation?: Activation;
  /** Id of the last change of routes or owner, while gateways may not have seen it. */
  readonly routesRelease?: string;
  /** Set when it is deleted. */
  readonly deletedAt?: Date;
}

/** The workflow with another activation, or none. */
export const withActivation = (workflow: Workflow, activation: Activation | undefined): Workflow => {
  const { activation: _before, ...rest } = workflow;
  return { ...rest, active: activation !== undefined, ...(activation === undefined ? {} : { activation }) };
};

/** Type version of a node that sets none, resolved when the definition was stored. */
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
  /** The complete definition as JSON text, as it was sent. */
  readonly definition: string;
  readonly typeVersions: readonly TypeVersionDefault[];
  /** User-defined apps that its nodes use, as they were when it was stored; absent: none. */
  readonly apps?: readonly PinnedApp[];
  /** Ids of the credentials that its nodes use. */
  readonly credentialIds: readonly string[];
  /** Absent: stored by an earlier release, or sent with a start. */
  readonly hash?: string;
  readonly createdAt: Date;
}

/** A definition as JSON. */
export type DefinitionJson = Readonly<Record<string, Json>>;
