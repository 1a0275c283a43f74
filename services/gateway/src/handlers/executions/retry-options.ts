import { RetryFrom, type RetryOptions, RetryVersion } from '@weft/proto/retries';
import type { FieldReader } from '../../http/body-fields';

const FROM: ReadonlyMap<string, RetryFrom> = new Map([
  ['failedNode', RetryFrom.RETRY_FROM_FAILED_NODE],
  ['start', RetryFrom.RETRY_FROM_START],
]);
const VERSIONS: ReadonlyMap<string, RetryVersion> = new Map([
  ['original', RetryVersion.RETRY_VERSION_ORIGINAL],
  ['current', RetryVersion.RETRY_VERSION_CURRENT],
]);

/** Fields of a body that say how executions are run again. */
export const RETRY_FIELDS = ['from', 'version'] as const;

const choice = <Value>(fields: FieldReader, name: string, choices: ReadonlyMap<string, Value>, usual: Value): Value => {
  const word = fields.string(name);
  if (word === undefined) return usual;
  const value = choices.get(word);
  if (value === undefined) fields.fault(name, `must be one of ${[...choices.keys()].join(', ')}.`);
  return value ?? usual;
};

/** Reads them: from the failed node and with the original version, unless the body says otherwise. */
export const readRetryOptions = (fields: FieldReader): RetryOptions => ({
  from: choice(fields, 'from', FROM, RetryFrom.RETRY_FROM_FAILED_NODE),
  version: choice(fields, 'version', VERSIONS, RetryVersion.RETRY_VERSION_ORIGINAL),
});
