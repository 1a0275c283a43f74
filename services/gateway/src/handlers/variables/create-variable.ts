import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { readVariableBody } from './variable-body';
import { variableText } from './variable-json';

/** POST /variables: stores a variable. 201 with it. */
export const createVariable: ApiHandler = async ({ body, principal }, { variables }) => {
  const { variable } = await variables.calls.createVariable(readVariableBody(body), { principal });
  return dataAnswer(variableText(variable), {
    status: 201,
    headers: { location: `/api/v1/variables/${variable?.id ?? ''}` },
  });
};
