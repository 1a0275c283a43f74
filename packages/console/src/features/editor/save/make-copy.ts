import { setWorkflowName, type WorkflowDocument } from '@weft/workflow-edit';
import { memberOf } from '../../../ui/json';
import { onceOnly } from '../../../api/tagged';
import { callText } from '../../../api/client';
import { queryClient } from '../../../api/queries';

const MAX_NAME = 500;

/** Creates a workflow from a definition, byte for byte. Returns its id. @throws WeftError */
export const createFrom = async (document: WorkflowDocument): Promise<string> => {
  const { text } = await callText('POST', '/workflows', {
    body: document.text,
    headers: onceOnly(),
  });
  const response: unknown = JSON.parse(text);
  void queryClient.invalidateQueries({ queryKey: ['workflows'] });
  return String(memberOf(memberOf(response, 'data'), 'id'));
};

/** Creates a copy that belongs to the caller. Returns its id. @throws WeftError */
export const makeCopy = (document: WorkflowDocument): Promise<string> => {
  const name = `Copy of ${document.definition.name}`.slice(0, MAX_NAME);
  return createFrom(setWorkflowName(document, name.isWellFormed() ? name : 'Copy').document);
};
