import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { credentialUsesQuery } from '../../api/credentials';
import { Section } from '../../ui/lists/section';
import { plural } from '../../ui/values/format';
import { ErrorState, Loading } from '../../ui/states';

/** The number of workflows that name a credential. */
export const UseCount = ({ id }: { id: string }) => {
  const { data } = useQuery({ ...credentialUsesQuery(id), staleTime: 30_000 });
  if (data === undefined) return <span className="faint">…</span>;
  const count = data.workflows.length;
  return (
    <span className={count === 0 && !data.hasHidden ? 'faint' : 'soft'}>
      {count === 0 && !data.hasHidden
        ? 'no workflow'
        : `${plural(count, 'workflow')}${data.hasHidden ? ' and others' : ''}`}
    </span>
  );
};

/** The workflows that name a credential: they fail without it. */
export const UsedBy = ({ id }: { id: string }) => {
  const query = useQuery(credentialUsesQuery(id));
  const { workflows = [], hasHidden = false } = query.data ?? {};
  return (
    <Section title="Used by">
      {query.isPending && <Loading rows={1} label="Loading the workflows" />}
      {query.isError && query.data === undefined && (
        <ErrorState error={query.error} what="the workflows" retry={() => void query.refetch()} />
      )}
      {query.data !== undefined && workflows.length === 0 && !hasHidden && (
        <p className="soft">No workflow names it.</p>
      )}
      {workflows.length > 0 && (
        <ul className="usedby" aria-label="Workflows">
          {workflows.map((workflow) => (
            <li key={workflow.id}>
              <Link className="lnk" to="/workflows/$id" params={{ id: workflow.id }} search={{}}>
                {workflow.name === '' ? workflow.id : workflow.name}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {hasHidden && <p className="soft">Workflows that you may not read use it as well.</p>}
    </Section>
  );
};
