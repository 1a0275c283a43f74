import { weft } from '../../api/client';
import { queryClient } from '../../api/queries';
import { onceOnly } from '../../api/tagged';
import { router } from '../../app/router';

/** Creates an empty workflow and opens it. @param projectId its owner; absent: the user. @throws WeftError */
export const createEmptyWorkflow = async (projectId?: string): Promise<void> => {
  const { data } = await weft.call('createWorkflow', {
    body: {
      name: 'New workflow',
      nodes: [],
      connections: {},
      settings: { executionOrder: 'v1' },
      ...(projectId === undefined ? {} : { projectId }),
    },
    headers: onceOnly(),
  });
  void queryClient.invalidateQueries({ queryKey: ['workflows'] });
  await router.navigate({ to: '/workflows/$id', params: { id: data.id }, search: {} });
};
