import type { Caller, Workflow, WorkflowSummary } from '@weft/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { callerQuery, latestQuery, useMay, type WorkflowFilters, workflowsQuery } from '../../api/queries';
import { MAX_SELECTED } from '../../ui/act-on-all';
import { Check } from '../../ui/check';
import { formatCount } from '../../ui/values/format';
import { Icon } from '../../ui/icon';
import { LoadMore, PageHead, Stale } from '../../ui/page';
import { Picker } from '../../ui/picker';
import { ErrorState, Loading, PageState } from '../../ui/states';
import { ImportArea, NewWorkflowButton } from '../import/import-area';
import type { WorkflowSearch } from './search';
import { WorkflowCard, WorkflowRow } from './workflow-row';

/** Dialogs are a quarter of the scripts, and most visits select nothing. */
const BulkWorkflows = lazy(() => import('./bulk-workflows').then((module) => ({ default: module.BulkWorkflows })));

const route = getRouteApi('/workflows');

const isSummary = (entry: Workflow | WorkflowSummary): entry is WorkflowSummary =>
  'etag' in entry && 'ownerId' in entry;

const filtersOf = ({ q, active, project }: WorkflowSearch): WorkflowFilters => ({
  ...(q === undefined ? {} : { search: q }),
  ...(active === undefined ? {} : { active: active === 'yes' }),
  ...(project === undefined ? {} : { projectId: project }),
});

/** An owner as the name of its project, `Personal` for the caller; empty until the caller is known. */
const ownerName = (caller: Caller | undefined, ownerId: string): string => {
  if (caller === undefined) return '';
  if (caller.user.id === ownerId) return 'Personal';
  return caller.projects.find(({ id }) => id === ownerId)?.name ?? 'Another owner';
};

/** A field whose text reaches the address after a pause. */
const SearchField = ({ value, change }: { value: string; change: (text: string) => void }) => {
  const [text, setText] = useState(value);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = window.setTimeout(() => change(text.trim()), 250);
    return () => window.clearTimeout(timer);
  }, [text, value, change]);
  return (
    <label className="field grow find">
      <Icon name="search" />
      <span className="sr">Search workflows</span>
      <input
        type="search"
        value={text}
        maxLength={200}
        placeholder="Search by name"
        onChange={({ target }) => setText(target.value)}
      />
      <kbd className="only-wide">/</kbd>
    </label>
  );
};

const CHOICES = [
  [undefined, 'All'],
  ['yes', 'Active'],
  ['no', 'Inactive'],
] as const;

const Nothing = ({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) =>
  isFiltered ? (
    <PageState
      icon="search"
      tone="neutral"
      title="No workflow matches"
      actions={
        <button type="button" className="btn" onClick={clear}>
          Clear the filters
        </button>
      }
    >
      <p>Try another name, or show all workflows.</p>
    </PageState>
  ) : (
    <PageState icon="workflow" tone="running" title="No workflows yet">
      <p>Create one, or import exports of n8n or Weft: drop their files here, or paste their text.</p>
    </PageState>
  );

/** The list of workflows. */
export const WorkflowsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(workflowsQuery(filtersOf(search)));
  const { data: caller } = useQuery(callerQuery);
  const mayWrite = useMay('workflows:write');
  const workflows = (list.data?.pages ?? []).flatMap(({ data }) => data.filter(isSummary));
  const latest = useQuery(latestQuery(workflows.map(({ id }) => id))).data;
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const selected = workflows.filter(({ id }) => selectedIds.has(id));
  const isFiltered = search.q !== undefined || search.active !== undefined || search.project !== undefined;
  const rows = workflows.map((workflow) => ({
    workflow,
    latest,
    owner: ownerName(caller, workflow.ownerId),
    mayChange: mayWrite,
    isSelected: selectedIds.has(workflow.id),
    select: (isOn: boolean): void => {
      const next = new Set(selected.map(({ id }) => id));
      if (!isOn) next.delete(workflow.id);
      else if (next.size < MAX_SELECTED) next.add(workflow.id);
      setSelectedIds(next);
    },
  }));
  const isProject = caller?.projects.some(({ id }) => id === search.project) === true;
  return (
    <ImportArea isAllowed={mayWrite} projectId={search.project}>
      {(importButton) => (
        <>
          <PageHead title="Workflows">
            {list.data !== undefined && (
              <span className="tag num">
                {formatCount(workflows.length)}
                {list.hasNextPage ? '+' : ''}
              </span>
            )}
            <span className="grow" />
            <Stale query={list} />
            {importButton}
            {mayWrite && <NewWorkflowButton projectId={isProject ? search.project : undefined} />}
          </PageHead>
          <div className="page">
            <div className="bar">
              <SearchField
                key={isFiltered ? 'filtered' : 'all'}
                value={search.q ?? ''}
                change={(q) =>
                  void navigate({ search: (before) => ({ ...before, q: q === '' ? undefined : q }), replace: true })
                }
              />
              <div className="seg" role="group" aria-label="Show">
                {CHOICES.map(([value, label]) => (
                  <button
                    key={label}
                    type="button"
                    aria-pressed={search.active === value}
                    onClick={() => void navigate({ search: (before) => ({ ...before, active: value }), replace: true })}
                  >
                    {label}
                  </button>
                ))}
              </div>
              {caller !== undefined && caller.projects.length > 0 && (
                <Picker
                  label="Project"
                  all="All projects"
                  value={search.project}
                  choices={[
                    [caller.user.id, 'Personal'],
                    ...caller.projects.map(({ id, name }) => [id, name] as const),
                  ]}
                  change={(project) => void navigate({ search: (before) => ({ ...before, project }), replace: true })}
                />
              )}
            </div>
            <Suspense>
              {selected.length > 0 && <BulkWorkflows selected={selected} clear={() => setSelectedIds(new Set())} />}
            </Suspense>
            {list.isPending && <Loading label="Loading workflows" />}
            {list.isError && list.data === undefined && (
              <ErrorState error={list.error} what="the workflows" retry={() => void list.refetch()} />
            )}
            {list.data !== undefined && rows.length === 0 && !list.hasNextPage && (
              <Nothing isFiltered={isFiltered} clear={() => void navigate({ search: {} })} />
            )}
            {rows.length > 0 && (
              <>
                <section className="card only-wide scrolls" aria-label="Workflows" tabIndex={0}>
                  <table className="table">
                    <thead>
                      <tr>
                        {mayWrite && (
                          <th className="checkcell">
                            <Check
                              isOn={selected.length === Math.min(MAX_SELECTED, workflows.length)}
                              isMixed={
                                selected.length > 0 && selected.length < Math.min(MAX_SELECTED, workflows.length)
                              }
                              label="Select all that are shown"
                              change={(isOn) =>
                                setSelectedIds(
                                  new Set(isOn ? workflows.slice(0, MAX_SELECTED).map(({ id }) => id) : []),
                                )
                              }
                            />
                          </th>
                        )}
                        <th>Name</th>
                        <th>Trigger</th>
                        <th>Last run</th>
                        <th>Recent runs</th>
                        <th>Owner</th>
                        <th>Changed</th>
                        <th>Active</th>
                      </tr>
                    </thead>
                    <tbody>
                      {rows.map((row) => (
                        <WorkflowRow key={row.workflow.id} {...row} />
                      ))}
                    </tbody>
                  </table>
                </section>
                <ul className="card only-narrow" aria-label="Workflows">
                  {rows.map((row) => (
                    <WorkflowCard key={row.workflow.id} {...row} />
                  ))}
                </ul>
              </>
            )}
            {list.hasNextPage && (
              <div className="foot">
                <span className="grow" />
                <LoadMore list={list} />
              </div>
            )}
          </div>
        </>
      )}
    </ImportArea>
  );
};
