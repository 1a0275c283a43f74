import { isJsonObject } from '@weft/service-kit/json';
import type { ExecutionRecord, ExecutionError } from '../state/execution';
import { storedRuns, type RunDataPorts, type StoredRun } from './run-records';

/** Bytes that small pieces are joined to before they are sent. */
const PIECE_BYTES = 64 * 1024;

const parseObject = (json: string): object => {
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : {};
  } catch {
    // The runner did not send an object: the reason and the message say what is known.
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
 * The run data of an execution as pieces of one JSON text, in the shape that clients know: runs by node name, each
 * node's in the order in which it ran.
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
