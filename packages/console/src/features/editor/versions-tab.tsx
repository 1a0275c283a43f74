import { useInfiniteQuery } from '@tanstack/react-query';
import { versionsQuery } from '../../api/queries';
import { LoadMore } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { Ago } from '../../ui/time';
import { useEditor } from './editor-context';

/** Stored versions of the workflow. */
export const VersionsTab = () => {
  const { workflowId } = useEditor();
  const list = useInfiniteQuery(versionsQuery(workflowId));
  if (list.isError && list.data === undefined)
    return <ErrorState error={list.error} what="the versions" retry={() => void list.refetch()} />;
  if (list.data === undefined) return <Loading label="Loading versions" />;
  return (
    <div className="page ed-tab">
      <h2>Versions</h2>
      <ul className="card">
        {list.data.pages
          .flatMap(({ data }) => data)
          .map(({ versionId, createdAt, current }) => (
            <li key={versionId} className="ed-row">
              <span className="grow">
                <Ago at={createdAt} />
              </span>
              {current && <span className="tag">Current</span>}
            </li>
          ))}
      </ul>
      <LoadMore list={list} />
    </div>
  );
};
