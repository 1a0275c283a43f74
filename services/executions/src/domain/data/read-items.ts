import { InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import type { TakeTurn } from '@weft/service-kit/json';
import { RecordCutter, type ItemPage } from './cut-items';
import { eachStoredRun, type RunDataPorts, type RunDataRecord, type StoredRun } from './run-records';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
const DEFAULT_ITEM_BYTES = 256 * 1024;
const MIN_ITEM_BYTES = 1_024;
const MAX_ITEM_BYTES = 1024 * 1024;

/** A requested page with its defaults, which 0 stands for. @throws InvalidRequest */
export const readItemPage = ({ output, offset, limit, maxItemBytes }: ItemPage): ItemPage => {
  const errors: FieldError[] = [];
  if (limit > MAX_LIMIT) errors.push({ field: 'limit', message: `must be from 1 to ${MAX_LIMIT}.` });
  if (maxItemBytes !== 0 && (maxItemBytes < MIN_ITEM_BYTES || maxItemBytes > MAX_ITEM_BYTES))
    errors.push({ field: 'maxItemBytes', message: `must be from ${MIN_ITEM_BYTES} to ${MAX_ITEM_BYTES}.` });
  if (errors.length > 0) throw new InvalidRequest('The page is not valid.', errors);
  return { output, offset, limit: limit || DEFAULT_LIMIT, maxItemBytes: maxItemBytes || DEFAULT_ITEM_BYTES };
};

/**
 * Finds a node run by its position; undefined if there is none. Runs are stored in the order of their positions, unless
 * a crash lost some.
 * @throws ChunkNotFound
 */
export const findNodeRun = async (
  record: RunDataRecord,
  ports: RunDataPorts,
  executionIndex: number,
): Promise<StoredRun | undefined> => {
  for await (const run of eachStoredRun(record, ports, executionIndex)) {
    if (run.executionIndex === executionIndex) return run;
    break;
  }
  for await (const run of eachStoredRun(record, ports)) if (run.executionIndex === executionIndex) return run;
  return undefined;
};

/** The record of a node run without its items, and the number of items of each output. */
export interface RecordWithoutItems {
  readonly json: string;
  readonly counts: readonly number[];
}

/** Reads a node run without its items, yielding between pieces. @throws ChunkNotFound */
export const readWithoutItems = async (run: StoredRun, takeTurn: TakeTurn): Promise<RecordWithoutItems> => {
  const cutter = new RecordCutter();
  for await (const piece of run.read()) {
    await takeTurn();
    cutter.write(piece);
  }
  return { json: cutter.restJson, counts: Array.from(cutter.counts, (count = 0) => count) };
};

const COMMA = Buffer.from(',');

/**
 * Reads the items of a page as parts of a JSON array, yielding between pieces of the record.
 * @returns the number of items of the output
 * @throws ChunkNotFound
 */
export async function* readItems(run: StoredRun, page: ItemPage, takeTurn: TakeTurn): AsyncGenerator<Buffer, number> {
  const cutter = new RecordCutter(page);
  yield Buffer.from('[');
  let isFirst = true;
  for await (const piece of run.read()) {
    await takeTurn();
    for (const item of cutter.write(piece)) {
      if (!isFirst) yield COMMA;
      isFirst = false;
      yield item;
    }
  }
  yield Buffer.from(']');
  return cutter.counts[page.output] ?? 0;
}
