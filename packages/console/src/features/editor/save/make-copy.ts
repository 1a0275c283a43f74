import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { MAX_NAME_LENGTH } from '@weft/node-catalogue/definitions';
import { setOwner, setWorkflowName, type WorkflowDocument } from '@weft/workflow-edit';
import { memberOf } from '../../../ui/values/json';
import { notify } from '../../../ui/overlays/toast';
import { onceOnly } from '../../../api/tagged';
import { callText } from '../../../api/client';
import { queryClient } from '../../../api/queries';
import { useEditor } from '../editor-context';

/**
 * Creates a workflow from a definition, byte for byte. Returns its id.
 * @param ownerId a project or user; absent: the caller
 * @throws WeftError
 */
export const createFrom = async (document: WorkflowDocument, ownerId?: string): Promise<string> => {
  const { text } = await callText('POST', '/workflows', {
    body: ownerId === undefined ? document.text : setOwner(document, ownerId).document.text,
    headers: onceOnly(),
  });
  const response: unknown = JSON.parse(text);
  return String(memberOf(memberOf(response, 'data'), 'id'));
};

const nameOfCopy = ({ definition }: WorkflowDocument): string => {
  const name = `Copy of ${definition.name}`.slice(0, MAX_NAME_LENGTH);
  return name.isWellFormed() ? name : 'Copy';
};

/** Creates a copy of the workflow that belongs to the caller, and opens it. */
export const useMakeCopy = () => {
  const { document } = useEditor();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => createFrom(setWorkflowName(document, nameOfCopy(document)).document),
    onSuccess: (id) => {
      void queryClient.invalidateQueries({ queryKey: ['workflows'] });
      return navigate({ to: '/workflows/$id', params: { id }, search: {} });
    },
    onError: (error) => notify('Could not copy the workflow', 'error', error.message),
  });
};
