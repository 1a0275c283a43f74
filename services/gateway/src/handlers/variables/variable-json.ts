import type { Variable } from '@weft/proto/variables';
import { InternalError } from '@weft/service-kit/errors';
import { quote, timeText } from '../../http/json-text';

/**
 * A variable as the REST API shows it. Its value is always a string, which `type` says for clients that know other types.
 */
export const variableText = (variable: Variable | undefined): string => {
  if (variable === undefined)
    throw new InternalError(new Error('The workflows service answered without the variable.'));
  const { id, key, value, createdAt, updatedAt } = variable;
  return `{"id":${quote(id)},"key":${quote(key)},"value":${quote(value)},"type":"string","createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)}}`;
};
