import { Schema, type Connection, type Model } from 'mongoose';
import type { ExecutionRecord } from '../../domain/state/execution';

const bytes = { type: Buffer };
const date = { type: Date };
const text = { type: String };
const count = { type: Number, required: true };

const response = new Schema(
  {
    statusCode: Number,
    headers: [{ _id: false, name: String, value: String }],
    body: Buffer,
    bodyChunk: String,
    fileId: String,
  },
  { _id: false },
);

const segment = new Schema(
  { fence: Number, encoding: String, bytes: Buffer, rawBytes: Number, totalBytes: Number, count: Number, runs: String },
  { _id: false },
);

const action = new Schema({ kind: String, when: String, target: String, due: Date, tries: Number }, { _id: false });

const executionSchema = new Schema<ExecutionRecord>(
  {
    _id: { type: String, required: true },
    workflowId: { type: String, required: true },
    versionId: { type: String, required: true },
    ownerId: { type: String, required: true },
    mode: { type: String, required: true },
    startNode: { type: String, default: '' },
    usePinData: { type: Boolean, default: true },
    parent: {
      type: new Schema(
        { executionId: String, depth: Number, rootId: String, detached: Boolean, inError: Boolean },
        { _id: false },
      ),
    },
    retry: { type: new Schema({ of: String, mode: String, inError: Boolean }, { _id: false }) },
    retrySuccessId: text,
    partial: {
      type: new Schema({ destinationNode: String, reuseFrom: String, reused: [String] }, { _id: false }),
    },
    state: { type: String, required: true },
    status: { type: String, required: true },
    fence: count,
    generation: count,
    claimId: text,
    lease: {
      type: new Schema(
        {
          runnerId: String,
          until: Date,
          attempt: Number,
          alone: Boolean,
          waits: Boolean,
          ms: Number,
          progress: Buffer,
          progressAt: Number,
        },
        { _id: false },
      ),
    },
    actedFence: { type: Number },
    crashes: count,
    runsAlone: { type: Boolean },
    suspicion: { type: Number },
    deathsAlone: { type: Number },
    runsAtCrash: count,
    crashPolicy: { type: String, required: true },
    publishAt: date,
    republished: { type: Number },
    notBefore: date,
    checkpoint: count,
    engineState: bytes,
    engineStateChunk: text,
    engineStateVersion: { type: Number },
    engineStateRuns: { type: Number },
    input: bytes,
    concurrency: {
      type: new Schema({ key: String, limit: Number, whenFull: String, slotId: String }, { _id: false }),
    },
    waitsForSlotId: text,
    inputBytes: { type: Number },
    inputChunk: text,
    log: { type: [{ _id: false, reference: String, count: Number }], default: undefined },
    manifest: { type: [segment], required: true },
    nodeRunCount: count,
    lostNodeRuns: { type: Number },
    dataBytes: count,
    inlineBytes: count,
    uploadedBytes: count,
    lastNode: text,
    failedRun: { type: new Schema({ node: String, executionIndex: Number }, { _id: false }) },
    resultOrigins: bytes,
    response: { type: response },
    responseSeq: { type: Number },
    lastResponse: { type: response },
    postRunActions: { type: [action], required: true },
    requestId: text,
    traceparent: text,
    idempotencyKey: text,
    requestHash: text,
    exclusiveKey: text,
    wait: {
      type: new Schema(
        {
          checkAt: Date,
          resumeAt: Date,
          tokenHash: String,
          settings: Buffer,
          opensResponse: Boolean,
          childId: String,
          approval: {
            type: new Schema({ node: String, tool: String, input: String, requestedAt: Date }, { _id: false }),
          },
        },
        { _id: false },
      ),
    },
    tokenHash: text,
    hasWaited: { type: Boolean },
    resume: bytes,
    createdAt: { type: Date, required: true },
    startedAt: date,
    finishedAt: date,
    deadlineAt: date,
    deadlineRenews: { type: Boolean },
    retentionMs: { type: Number },
    expireAt: date,
    deletedAt: date,
    error: { type: new Schema({ reason: String, message: String, node: String, errorJson: String }, { _id: false }) },
    customData: text,
    customDataPairs: { type: [String], default: undefined },
    modelUsage: {
      type: new Schema(
        {
          calls: Number,
          inputTokens: Number,
          outputTokens: Number,
          totalTokens: Number,
          cost: Number,
          unpricedModels: { type: [String], default: undefined },
        },
        { _id: false },
      ),
    },
    batchId: text,
  },
  {
    collection: 'executions',
    versionKey: false,
    strict: 'throw',
    minimize: false,
    autoIndex: false,
    autoCreate: false,
    id: false,
  },
);

/** The collection of executions. */
export type ExecutionModel = Model<ExecutionRecord>;

/** The model of executions on a connection. */
export const executionModel = (connection: Connection): ExecutionModel =>
  connection.model<ExecutionRecord>('Execution', executionSchema);
