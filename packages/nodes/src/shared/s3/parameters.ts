import { booleanParameter, numberParameter, textParameter } from '../read-parameter';
import type { MadeItem } from '../each-item';
import { type Json, isJsonObject } from '@weft/node-catalogue';
import type { S3Call } from './run-s3';

/** A parameter of a call as a string. */
export const textOf = ({ context, index }: S3Call, name: string): string => textParameter(context, name, index);

/** The maximum number of entries that a call returns. */
export const limitOf = ({ context, index }: S3Call): number =>
  booleanParameter(context, 'returnAll', index)
    ? Infinity
    : Math.max(1, Math.floor(numberParameter(context, 'limit', index)));

/** The query for listing files. */
export const listQuery = (call: S3Call, field: 'options' | 'additionalFields'): Record<string, string> => {
  const owner = booleanParameter(call.context, `${field}.fetchOwner`, call.index);
  return { 'list-type': '2', ...(owner ? { 'fetch-owner': 'true' } : {}) };
};

/** Result of an operation that returns no data. */
export const SUCCESS: readonly MadeItem[] = [{ json: { success: true } }];

/** An item for each entry that is an object. */
export const entryItems = (entries: readonly Json[]): MadeItem[] =>
  entries.filter(isJsonObject).map((json) => ({ json }));

export const entryField = (entry: Json, name: string): string => {
  const value = isJsonObject(entry) ? entry[name] : undefined;
  return typeof value === 'string' ? value : '';
};
