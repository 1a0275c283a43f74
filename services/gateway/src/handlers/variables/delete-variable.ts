import { DELETED } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';

/** DELETE /variables/:id: in runs that begin later it is undefined. */
export const deleteVariable: ApiHandler = async ({ id, principal }, { variables }) => {
  await variables.calls.deleteVariable({ variableId: id }, { principal });
  return DELETED;
};
