import type { Execution } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { childrenQuery, namesQuery } from '../../api/queries';
import { shortId } from '../../ui/values/format';
import { isTerminal, StateLabel } from '../../ui/runs/run-state';

/** Links among the facts; all others are in the list. */
const MAX_SHOWN = 3;

/** Links to the executions that this one has called, newest first; renders nothing without them. */
export const Children = ({ execution: { id, state } }: { execution: Execution }) => {
  const page = useQuery(childrenQuery(id, !isTerminal(state))).data;
  const children = page?.data ?? [];
  const names = useQuery(namesQuery(children.map(({ workflowId }) => workflowId))).data;
  if (children.length === 0) return null;
  const hasMore = children.length > MAX_SHOWN || page?.nextCursor !== null;
  return (
    <div className="children">
      <dt>Called</dt>
      <dd>
        <ul>
          {children.slice(0, MAX_SHOWN).map((child) => (
            <li key={child.id}>
              <Link className="lnk" to="/executions/$id" params={{ id: child.id }} search={{}}>
                {names?.get(child.workflowId) ?? shortId(child.id)}
              </Link>{' '}
              <StateLabel state={child.state} />
            </li>
          ))}
          {hasMore && (
            <li>
              <Link className="lnk" to="/executions" search={{ parent: id }}>
                All executions that it called
              </Link>
            </li>
          )}
        </ul>
      </dd>
    </div>
  );
};
