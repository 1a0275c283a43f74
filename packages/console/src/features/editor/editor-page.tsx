import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { nodeTypesQuery } from '../../api/queries';
import { ErrorState, Loading } from '../../ui/states';
import { EditorShell } from './editor-shell';
import { storedWorkflowQuery } from './stored-workflow';

const route = getRouteApi('/workflows/$id');

/** A workflow: its editor, executions, conversations, versions, schedule and settings. */
export const EditorPage = () => {
  const { id } = route.useParams();
  const stored = useQuery(storedWorkflowQuery(id));
  const kinds = useQuery(nodeTypesQuery);
  if (stored.data === undefined && stored.isError)
    return (
      <ErrorState
        isPage
        error={stored.error}
        what="this workflow"
        retry={() => void stored.refetch()}
        next={
          <Link className="btn" to="/workflows" search={{}}>
            Show all workflows
          </Link>
        }
      />
    );
  if (kinds.data === undefined && kinds.isError)
    return <ErrorState isPage error={kinds.error} what="the node types" retry={() => void kinds.refetch()} />;
  if (stored.data === undefined || kinds.data === undefined) return <Loading label="Loading the workflow" />;
  return <EditorShell key={id} workflowId={id} received={stored.data} kinds={kinds.data} />;
};
