import { withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import { openSegment, readRuns } from '../../domain/data/node-runs';
import type { ExecutionRecord, Segment } from '../../domain/state/execution';
import type { ChunkStore } from '../../domain/data/chunks';
import { segmentModel } from '../run-data/segment-schema';
import { segmentOf } from './stored-record';

type Ended = Pick<ExecutionRecord, '_id' | 'workflowId' | 'finishedAt' | 'manifest' | 'log'>;

/** A run that is stored as successful although its last node run ended it. */
export interface FalseSuccess {
  readonly executionId: string;
  readonly workflowId: string;
  readonly finishedAt?: Date;
  readonly node: string;
}

const PAGE = 200;

/** A node run whose failure ended its run has no outputs; one that continued has. */
const hasOutputs = (record: Buffer): boolean => {
  const value: unknown = JSON.parse(record.toString('utf8'));
  return typeof value === 'object' && value !== null && 'data' in value;
};

/**
 * Finds successful executions whose last node run is a failure that ends a run. Reads every successful execution once,
 * and changes nothing.
 */
export async function* findFalseSuccesses(
  connection: Connection,
  chunks: Pick<ChunkStore, 'read'>,
): AsyncGenerator<FalseSuccess> {
  const executions = connection.collection<ExecutionRecord>('executions');
  const segments = segmentModel(connection);
  const lastSegment = async ({ _id, manifest, log }: Ended): Promise<Segment | undefined> => {
    const inline = manifest.at(-1);
    if (inline !== undefined) return segmentOf(inline);
    const logged = log?.at(-1);
    if (logged === undefined) return undefined;
    const found = await withStore(() =>
      segments.findOne({ executionId: _id, reference: logged.reference }, { segment: 1 }).lean().exec(),
    );
    return found === null ? undefined : segmentOf(found.segment);
  };
  for (let after = ''; ;) {
    const page: Ended[] = await withStore(() =>
      executions
        .find({ status: 'success', state: 'success', _id: { $gt: after } })
        .project<Ended>({ workflowId: 1, finishedAt: 1, manifest: 1, log: 1 })
        .sort({ _id: 1 })
        .limit(PAGE)
        .toArray(),
    );
    for (const ended of page) {
      const segment = await lastSegment(ended);
      if (segment === undefined) continue;
      const last = readRuns(segment).reduce((latest, one) =>
        one.executionIndex > latest.executionIndex ? one : latest,
      );
      if (!last.failed) continue;
      const run = (await openSegment(segment)).find(({ executionIndex }) => executionIndex === last.executionIndex);
      let record = run?.record;
      if (last.chunk !== '') {
        const parts: Buffer[] = [];
        for await (const part of chunks.read(ended._id, last.chunk)) parts.push(part);
        record = Buffer.concat(parts);
      }
      if (record !== undefined && hasOutputs(record)) continue;
      const { _id: executionId, workflowId, finishedAt } = ended;
      yield { executionId, workflowId, node: last.node, ...(finishedAt === undefined ? {} : { finishedAt }) };
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last._id;
  }
}
