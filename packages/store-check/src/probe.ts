import { ok } from 'node:assert/strict';
import { isDuplicateKey } from '@weft/service-kit/mongo';
import type { Collection, Db } from 'mongodb';

/** A document of the probes. */
export interface Row {
  readonly _id: string;
  readonly list?: readonly number[];
  readonly set?: readonly string[];
  readonly count?: number;
  readonly least?: number;
  readonly most?: number;
  readonly made?: number;
  readonly number?: number;
  readonly owner?: number | null;
  readonly group?: number;
  readonly key?: number;
  readonly name?: string;
  readonly state?: string;
  readonly writes?: number;
  readonly early?: boolean;
  readonly tags?: readonly { readonly key: number }[];
  readonly body?: Buffer;
  readonly expireAt?: Date;
}

/** A database that is dropped afterwards, with a new collection for each probe. */
export interface Scratch {
  readonly db: Db;
  readonly rows: Collection<Row>;
}

/** Something that the services do with their store. */
export interface Probe {
  readonly area: string;
  readonly what: string;
  /** @returns figures for the table @throws an error that says what is different */
  readonly run: (scratch: Scratch) => Promise<string>;
}

/** Id of the row with a number. */
export const idOf = (number: number): string => `row-${String(number).padStart(5, '0')}`;
/** Rows with ids in the order of their numbers. */
export const many = (count: number, row: (number: number) => Omit<Row, '_id'>): Row[] =>
  Array.from({ length: count }, (_, number) => ({ _id: idOf(number), ...row(number) }));

/** Asserts that a unique index refused a write. */
export const isDuplicate = (error: unknown): true => {
  ok(isDuplicateKey(error), `the error is not a duplicate key (11000): ${String(error)}`);
  return true;
};
