import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { readVariableBody } from './variable-body';
import { variableText } from './variable-json';

/** PUT /variables/:id: replaces key and value; runs that begin later see them. */
export const replaceVariable: ApiHandler = async ({ id, body, principal }, { variables }) => {
  const { variable } = await variables.calls.replaceVariable(
    { variableId: id, ...readVariableBody(body) },
    { principal },
  );
  return dataAnswer(variableText(variable));
};
