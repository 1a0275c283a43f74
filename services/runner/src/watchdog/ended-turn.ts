import { isObject } from '@weft/service-kit/json';
import type { HoldingRun } from './thread-word';

/** A turn at the thread of a process that ended the process. */
export interface EndedTurn {
  /** Milliseconds of CPU that the turn had. */
  readonly ms: number;
  /** The run that had the thread; absent: several runs may have had it. */
  readonly run?: HoldingRun;
}

const readRun = (value: unknown): HoldingRun | undefined => {
  if (!isObject(value)) return undefined;
  const { executionId, workflowId, versionId, ownerKey, node } = value;
  if (typeof executionId !== 'string' || typeof workflowId !== 'string' || typeof versionId !== 'string')
    return undefined;
  if (typeof ownerKey !== 'string' || typeof node !== 'string') return undefined;
  return { executionId, workflowId, versionId, ownerKey, node };
};

/** Parses the report of a watchdog; undefined if it is not one. */
export const readEndedTurn = (value: unknown): EndedTurn | undefined => {
  if (!isObject(value) || typeof value['ms'] !== 'number') return undefined;
  const run = readRun(value['run']);
  return { ms: value['ms'], ...(run === undefined ? {} : { run }) };
};

/** The value of JSON text; undefined for any other text. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** As {@link readEndedTurn}, of JSON text; undefined for any other text. */
export const parseEndedTurn = (text: string): EndedTurn | undefined => readEndedTurn(parsed(text));
