import type { MissedPolicy, OverlapPolicy, ScheduleRule } from '@weft/node-catalogue';
import type { Manager, McpTool, TriggerSummary } from '../../domain/workflows/workflow';
import { Schema, type Connection, type Model } from 'mongoose';

/** A stored workflow. */
export interface WorkflowDocument {
  _id: string;
  name: string;
  ownerId: string;
  active: boolean;
  versionId: string;
  definitionBytes: number;
  /** The hash of the definition of a version: earlier releases change the version without it. */
  hash?: { versionId: string; value: string };
  key?: string;
  managed?: { by: Manager; set: string; source: string; appliedVersionId: string; appliedAt: Date };
  /** The tool of a version: earlier releases change the version without it. */
  mcpTool?: McpTool & { versionId: string };
  /** Redundant with mcpTool, for its index. */
  isMcpTool?: true;
  /** The outline of a version: earlier releases change the version without it. */
  outline?: { versionId: string; nodeCount: number; triggers: TriggerSummary[] };
  createdAt: Date;
  updatedAt: Date;
  /** Redundant with deletedAt: every server uses an index for equality on it, but not for the absence of a field. */
  isDeleted: boolean;
  deletedAt?: Date;
  /** Id of the last change of routes or owner, while it is listed. */
  routesRelease?: string;
  activation?: {
    id: string;
    versionId: string;
    routes: { key: string; method: string; path: string; node: string }[];
    schedules: ScheduleDocument[];
    /** Time of the first check of the schedules; indexed for due schedules. */
    checkAt?: Date;
  };
}

/** A stored schedule. */
export interface ScheduleDocument {
  node: string;
  index: number;
  rule: ScheduleRule;
  timezone?: string;
  item: 'clock' | 'empty' | 'poll';
  missed?: MissedPolicy;
  overlap?: OverlapPolicy;
  nextAt?: Date;
  lastDue?: Date;
  trouble?: { reason: string; message: string; count: number; since: Date; retryAt?: Date };
}

const string = { type: String, required: true };

const routeSchema = new Schema({ key: string, method: string, path: string, node: string }, { _id: false });

const troubleSchema = new Schema(
  {
    reason: string,
    message: String,
    count: { type: Number, required: true },
    since: { type: Date, required: true },
    retryAt: Date,
  },
  { _id: false },
);

/** A schedule as a subdocument. */
export const scheduleSchema = new Schema(
  {
    node: string,
    index: { type: Number, required: true },
    rule: { type: Schema.Types.Mixed, required: true },
    timezone: String,
    item: string,
    missed: String,
    overlap: String,
    nextAt: Date,
    lastDue: Date,
    trouble: { type: troubleSchema },
  },
  { _id: false },
);

const activationSchema = new Schema(
  { id: string, versionId: string, routes: [routeSchema], schedules: [scheduleSchema], checkAt: Date },
  { _id: false },
);

const workflowSchema = new Schema<WorkflowDocument>(
  {
    _id: string,
    // May be empty, which mongoose does not accept for a required string.
    name: String,
    ownerId: string,
    active: { type: Boolean, required: true },
    versionId: string,
    definitionBytes: { type: Number, required: true },
    hash: new Schema({ versionId: string, value: string }, { _id: false }),
    key: String,
    managed: new Schema(
      { by: string, set: String, source: String, appliedVersionId: string, appliedAt: { type: Date, required: true } },
      { _id: false },
    ),
    mcpTool: new Schema(
      { versionId: string, node: string, trigger: string, description: String, inputSchema: string },
      { _id: false },
    ),
    isMcpTool: Boolean,
    outline: new Schema(
      {
        versionId: string,
        nodeCount: { type: Number, required: true },
        triggers: [new Schema({ node: string, kind: String, path: String, methods: String }, { _id: false })],
      },
      { _id: false },
    ),
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    isDeleted: { type: Boolean, required: true },
    deletedAt: Date,
    routesRelease: String,
    activation: activationSchema,
  },
  { versionKey: false, minimize: false },
);

export const workflowModel = (connection: Connection): Model<WorkflowDocument> =>
  connection.model<WorkflowDocument>('Workflow', workflowSchema, 'workflows');
