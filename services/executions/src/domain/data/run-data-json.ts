import { isJsonObject } from '@weft/service-kit/json';
import type { ExecutionRecord, ExecutionError } from '../state/execution';
import { storedRuns, type RunDataPorts, type StoredRun } from './run-records';

/** Bytes up to which small pieces are joined before they are sent. */
const PIECE_BYTES = 64 * 1024;

const parseObject = (json: string): object => {
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : {};
  } catch {
    // The runner sent no error object: built from the reason and the message.
    return {};
  }
};

const errorJson = ({ reason, message, node, errorJson: json }: ExecutionError): string =>
  JSON.stringify({ message, ...(node === '' ? {} : { node: { name: node } }), ...parseObject(json), reason });

const byNode = (runs: readonly StoredRun[]): Map<string, StoredRun[]> => {
  const nodes = new Map<string, StoredRun[]>();
  for (const run of runs) {
    const known = nodes.get(run.node);
    if (known === undefined) nodes.set(run.node, [run]);
    else known.push(run);
  }
  return nodes;
};

async function* pieces(record: ExecutionRecord, ports: RunDataPorts): AsyncGenerator<string | Buffer> {
  yield '{"startData":{},"resultData":{"runData":{';
  let isFirstNode = true;
  for (const [node, runs] of byNode(await storedRuns(record, ports))) {
    yield `${isFirstNode ? '' : ','}${JSON.stringify(node)}:[`;
    isFirstNode = false;
    for (const [index, run] of runs.entries()) {
      if (index > 0) yield ',';
      yield* run.read();
    }
    yield ']';
  }
  yield '}';
  if (record.lastNode !== undefined) yield `,"lastNodeExecuted":${JSON.stringify(record.lastNode)}`;
  if (record.error !== undefined) yield `,"error":${errorJson(record.error)}`;
  yield '}}';
}

/**
 * The run data of an execution as pieces of one JSON document, in the public format: runs by node name, each node's in
 * order of execution.
 * @throws ChunkNotFound if a chunk was deleted meanwhile
 */
export async function* runDataJson(record: ExecutionRecord, ports: RunDataPorts): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces(record, ports)) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    held.push(bytes);
    length += bytes.length;
    if (length < PIECE_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    length = 0;
  }
  yield Buffer.concat(held);
}
