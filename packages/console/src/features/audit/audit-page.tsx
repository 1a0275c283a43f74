import type { AuditEntry } from '@weft/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { entriesOf } from '../../api/lists';
import { useOwners, useUserName, useUsers } from '../../api/owners';
import { type AuditFilters, auditQuery } from '../../api/people';
import { namesQuery, useMay } from '../../api/queries';
import { type AuditSearch } from '../../app/admin-search';
import { FilterField } from '../../ui/lists/filter-field';
import { type Column, RecordList } from '../../ui/lists/records';
import { Icon } from '../../ui/icon';
import { PageHead, Stale } from '../../ui/page';
import { Picker } from '../../ui/picker';
import { PageState } from '../../ui/states';
import { At } from '../../ui/values/time';
import { PERIODS } from '../executions/search';
import { PERIOD_WORDS } from '../executions/filter-bar';
import { About, isId } from './about';

const route = getRouteApi('/audit');

/** A period starts when it is chosen, so that all pages have the same filter. */
const useFilters = ({ actor, action, target, period }: AuditSearch, now: number): AuditFilters =>
  useMemo(
    () => ({
      ...(actor === undefined ? {} : { actor }),
      ...(action === undefined ? {} : { action }),
      ...(target === undefined ? {} : { target }),
      ...(period === undefined ? {} : { from: new Date(now - PERIODS[period]).toISOString() }),
    }),
    [actor, action, target, period, now],
  );

/** Who did what, newest first. */
export const AuditPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [now, setNow] = useState(() => Date.now());
  const list = useInfiniteQuery(auditQuery(useFilters(search, now)));
  const entries = entriesOf(list.data);
  const managesUsers = useMay('users:manage');
  const users = useUsers();
  const userName = useUserName();
  const { nameOf } = useOwners();
  const workflowIds = (entries ?? []).map(({ about }) => about['workflowId'] ?? '').filter(isId);
  const workflows = useQuery(namesQuery(workflowIds)).data;
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  const change = (changes: Partial<AuditSearch>): void => {
    setNow(Date.now());
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  };
  const columns: readonly Column<AuditEntry>[] = [
    { title: 'Time', cell: ({ at }) => <At at={at} /> },
    {
      title: 'Action',
      cell: ({ action, outcome }) => (
        <span className="nm">
          <button type="button" className="lnk plain" title="Show only this action" onClick={() => change({ action })}>
            {action}
          </button>
          {outcome === 'refused' && (
            <span className="st error">
              <Icon name="error" size={12} />
              refused
            </span>
          )}
        </span>
      ),
    },
    {
      title: 'By',
      cell: ({ actor, clientAddress }) => (
        <span className="soft">
          {actor === '' ? 'unknown' : userName(actor)}
          {clientAddress !== '' && <span className="faint"> from {clientAddress}</span>}
        </span>
      ),
    },
    {
      title: 'About',
      className: 'wrapcell',
      cell: ({ about }) => <About about={about} ownerName={nameOf} userName={userName} workflows={workflows} />,
    },
  ];
  return (
    <>
      <PageHead title="Audit log">
        <span className="grow" />
        <Stale query={list} />
        <button type="button" className="btn" onClick={() => void list.refetch()}>
          <Icon name="retry" />
          Refresh
        </button>
      </PageHead>
      <div className="page">
        <div className="bar wraps">
          <FilterField
            key={`action ${search.action ?? ''}`}
            label="Action"
            placeholder="Action: credential.update"
            value={search.action}
            suggestions={[...new Set((entries ?? []).map(({ action }) => action))].sort()}
            change={(action) => change({ action })}
          />
          {managesUsers && (
            <Picker
              label="User"
              all="Any user"
              value={search.actor}
              choices={users.map(({ id, email }) => [id, email] as const)}
              change={(actor) => change({ actor })}
            />
          )}
          <Picker
            label="Period"
            all="Any time"
            value={search.period}
            choices={PERIOD_WORDS}
            change={(value) => change({ period: PERIOD_WORDS.find(([word]) => word === value)?.[0] })}
          />
          <FilterField
            key={`target ${search.target ?? ''}`}
            label="Id that the entry is about"
            placeholder="About an id"
            value={search.target}
            change={(target) => change({ target })}
          />
        </div>
        <RecordList
          query={list}
          rows={entries}
          what="the audit log"
          label="Audit log"
          columns={columns}
          keyOf={({ id, at, action }) => `${id} ${at} ${action}`}
          empty={
            <PageState
              icon={isFiltered ? 'search' : 'scroll'}
              tone="neutral"
              title={isFiltered ? 'No entry matches' : 'No entries yet'}
              actions={
                isFiltered && (
                  <button type="button" className="btn" onClick={() => void navigate({ search: {} })}>
                    Clear the filters
                  </button>
                )
              }
            >
              <p>Sign-ins and changes of users, keys, credentials, workflows and variables are recorded here.</p>
            </PageState>
          }
        />
      </div>
    </>
  );
};
