import type { Execution } from '@weft/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { executionsQuery } from '../../../api/queries';
import { formatDuration } from '../../../ui/values/format';
import { Icon } from '../../../ui/icon';
import { LoadMore, Stale } from '../../../ui/page';
import { durationOf, StateLabel } from '../../../ui/runs/run-state';
import { ErrorState, Loading, PageState } from '../../../ui/states';
import { Ago } from '../../../ui/values/time';
import { causeOf, messageOf } from '../../executions/execution-facts';
import { useEditor } from '../editor-context';

const Row = ({ execution, isShown }: { execution: Execution; isShown: boolean }) => {
  const { id, workflowId, startedAt, mode } = execution;
  const ms = durationOf(execution);
  return (
    <li className="ed-row">
      <Link className="ed-main" to="/executions/$id" params={{ id }} search={{}}>
        <StateLabel state={execution.state} />
        <span className="soft grow clip">{messageOf(execution)}</span>
        <span className="soft only-wide">{causeOf(mode)}</span>
        <span className="soft num">{ms === undefined ? '' : formatDuration(ms)}</span>
        <span className="faint">{startedAt !== null && <Ago at={startedAt} />}</span>
      </Link>
      {isShown ? (
        <span className="tag">Shown in the editor</span>
      ) : (
        <Link className="btn sm" to="/workflows/$id" params={{ id: workflowId }} search={{ execution: id }}>
          Show its data in the editor
        </Link>
      )}
    </li>
  );
};

/** Executions of the workflow, and which one's data the editor shows. */
export const ExecutionsTab = () => {
  const { workflowId, source } = useEditor();
  const list = useInfiniteQuery(executionsQuery({ workflowId }));
  const executions = (list.data?.pages ?? []).flatMap(({ data }) => data);
  return (
    <div className="page ed-tab">
      <div className="bar">
        <h2 className="grow">Executions</h2>
        <Stale query={list} />
        <Link className="lnk" to="/executions" search={{ workflow: workflowId }}>
          Filter in all executions
        </Link>
      </div>
      {list.isPending && <Loading label="Loading executions" />}
      {list.isError && list.data === undefined && (
        <ErrorState error={list.error} what="the executions" retry={() => void list.refetch()} />
      )}
      {list.data !== undefined && executions.length === 0 && (
        <PageState icon="runs" tone="neutral" title="No executions yet">
          <p>Run the workflow, or activate it so that its triggers start it.</p>
        </PageState>
      )}
      {executions.length > 0 && (
        <ul className="card">
          {executions.map((execution) => (
            <Row key={execution.id} execution={execution} isShown={execution.id === source?.executionId} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <div className="foot">
          <Icon name="runs" />
          <span className="grow" />
          <LoadMore list={list} />
        </div>
      )}
    </div>
  );
};
