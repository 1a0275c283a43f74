import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callerQuery, namesQuery } from '../../api/queries';
import { Icon } from '../../ui/icon';
import { Picker } from '../../ui/picker';
import { shortId } from '../../ui/values/format';
import { causeOf, MODES } from './execution-facts';
import type { ExecutionSearch, Period } from './search';

const STATUSES = [
  [undefined, 'All'],
  ['error', 'Failed'],
  ['running', 'Running'],
  ['waiting', 'Waiting'],
  ['success', 'Succeeded'],
] as const;

/** Periods that end now, in words. */
export const PERIOD_WORDS: readonly (readonly [Period, string])[] = [
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
];

/** Reasons of failures that are worth a filter; docs/errors.md explains them. */
const REASONS = [
  ['NODE_ERROR', 'A node failed'],
  ['TIMED_OUT', 'Timed out'],
  ['CRASHED', 'Crashed'],
  ['CANCELLED', 'Cancelled'],
] as const;

/** Custom data as `name:value`, applied by Enter. */
const DataField = ({ value, change }: { value: string; change: (data: string | undefined) => void }) => {
  const [text, setText] = useState(value);
  const isWrong = text !== '' && !/^[^:]+:/.test(text);
  return (
    <form
      className="datafilter"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) change(text === '' ? undefined : text);
      }}
    >
      <label className="field">
        <Icon name="search" />
        <span className="sr">Custom data, as name:value</span>
        <input
          type="search"
          value={text}
          maxLength={300}
          placeholder="Custom data: order:SO-1043"
          aria-invalid={isWrong}
          onChange={({ target }) => {
            setText(target.value);
            if (target.value === '') change(undefined);
          }}
        />
        <kbd className="only-wide">/</kbd>
      </label>
    </form>
  );
};

/** The filters of the list; all of them are in the address. */
export const FilterBar = ({
  search,
  change,
}: {
  search: ExecutionSearch;
  change: (changes: Partial<ExecutionSearch>) => void;
}) => {
  const { data: caller } = useQuery(callerQuery);
  const names = useQuery(namesQuery(search.workflow === undefined ? [] : [search.workflow])).data;
  const projects = caller?.projects ?? [];
  return (
    <div className="bar wraps">
      <div className="seg" role="group" aria-label="Status">
        {STATUSES.map(([status, label]) => (
          <button
            key={label}
            type="button"
            aria-pressed={search.status === status}
            onClick={() => change({ status, reason: undefined })}
          >
            {label}
          </button>
        ))}
      </div>
      <Picker
        label="Period"
        all="Any time"
        value={search.period}
        choices={PERIOD_WORDS}
        change={(value) => change({ period: PERIOD_WORDS.find(([word]) => word === value)?.[0] })}
      />
      <Picker
        label="Started by"
        all="Any cause"
        value={search.mode}
        choices={MODES.map((mode) => [mode, causeOf(mode)] as const)}
        change={(value) => change({ mode: MODES.find((mode) => mode === value) })}
      />
      {(search.status === 'error' || search.reason !== undefined) && (
        <Picker
          label="Reason"
          all="Any reason"
          value={search.reason}
          choices={REASONS}
          change={(reason) => change({ reason })}
        />
      )}
      {projects.length > 0 && (
        <Picker
          label="Project"
          all="All projects"
          value={search.project}
          choices={projects.map(({ id, name }) => [id, name] as const)}
          change={(project) => change({ project })}
        />
      )}
      {search.workflow !== undefined && (
        <button type="button" className="chip" onClick={() => change({ workflow: undefined })}>
          <Icon name="workflow" size={12} />
          <span className="clip">{names?.get(search.workflow) ?? search.workflow}</span>
          <span className="sr">: remove this filter</span>
          <Icon name="close" size={12} />
        </button>
      )}
      {search.parent !== undefined && (
        <button type="button" className="chip" onClick={() => change({ parent: undefined })}>
          <Icon name="runs" size={12} />
          <span className="clip">Called by {shortId(search.parent)}</span>
          <span className="sr">: remove this filter</span>
          <Icon name="close" size={12} />
        </button>
      )}
      <DataField key={search.data ?? ''} value={search.data ?? ''} change={(data) => change({ data })} />
    </div>
  );
};
