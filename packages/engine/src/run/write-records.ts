import type { JsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '../node/node-failure';
import type { ReadyEntry } from '../records/engine-state';
import { roundedCost, type RunUsage } from '../records/model-usage';
import { writeRecord } from '../records/record-json';
import type { NodeRunRecord } from '../records/run-record';
import type { RunFrame } from './run-frame';
import { subRunsOf } from './sub-nodes/requested-calls';

/** A record, and its JSON. */
export interface WrittenRecord {
  readonly record: NodeRunRecord;
  readonly json: Uint8Array;
}

/** A run of a sub-node. */
export interface WrittenSubRun extends WrittenRecord {
  readonly node: string;
}

/** Records of the calls of sub-nodes in this step, which are small. Without pauses: they must be stored if made. */
export async function writeSubRuns(frame: RunFrame, first: number): Promise<WrittenSubRun[]> {
  const written: WrittenSubRun[] = [];
  for (const { node, record } of frame.subRuns.records(first)) {
    const bounded = await writeSubRun(record);
    written.push({ node, ...bounded });
  }
  return written;
}

async function writeSubRun(record: NodeRunRecord): Promise<WrittenRecord> {
  try {
    return { record, json: await writeRecord(record, 0, () => undefined) };
  } catch (thrown) {
    if (!(thrown instanceof NodeFailure)) throw thrown;
    const { data: _data, inputOverride: _input, ...bare } = record;
    return { record: bare, json: await writeRecord(bare, 0, () => undefined) };
  }
}

/** Facts that the node noted, its sub-nodes' runs, the tokens that models used, and the decision about a call. */
export function metadataOf(frame: RunFrame, entry: ReadyEntry): JsonObject | undefined {
  const approval = entry.call?.approval;
  const facts = factsOf(frame, entry);
  return approval === undefined ? facts : { ...facts, approval: { ...approval } };
}

function factsOf(frame: RunFrame, entry: ReadyEntry): JsonObject | undefined {
  if (frame.subRuns.isEmpty && entry.request === undefined) return frame.metadata;
  const subRun = subRunsOf(frame, entry);
  const usage = frame.subRuns.usageWith(entry.request?.usage);
  if (subRun.length === 0 && usage === undefined) return frame.metadata;
  return {
    ...frame.metadata,
    ...(subRun.length === 0 ? {} : { subRun: subRun.map((place) => ({ ...place })) }),
    ...(usage === undefined ? {} : usageFacts(usage)),
  };
}

/** Tokens, and what they cost if prices are known. */
function usageFacts({ inputTokens, outputTokens, cost, unpricedModels }: RunUsage): JsonObject {
  const unpriced = unpricedModels === undefined ? {} : { unpricedModels: [...unpricedModels] };
  return {
    tokenUsage: { inputTokens, outputTokens },
    ...(cost === undefined ? {} : { modelCost: { cost: roundedCost(cost), ...unpriced } }),
  };
}

/** A failure is always stored; the node's console output is dropped if it is too large. */
export async function writeFailure(record: NodeRunRecord): Promise<WrittenRecord> {
  // A pause could end the run, and then nothing would be stored.
  const goOn = (): undefined => undefined;
  try {
    return { record, json: await writeRecord(record, 0, goOn) };
  } catch {
    const { console: _console, metadata: _metadata, ...bare } = record;
    return { record: bare, json: await writeRecord(bare, 0, goOn) };
  }
}
