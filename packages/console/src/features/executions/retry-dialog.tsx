import type { Execution } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { itemsQuery, useMay, workflowSummaryQuery } from '../../api/queries';
import { Icon } from '../../ui/icon';
import { Modal } from '../../ui/overlays/dialog';
import { Ago } from '../../ui/values/time';
import { dataOf, type Item } from './inspector/item-views';
import { failedNodeOf } from './execution-facts';
import { readItems } from './retry-input';
import { type RetryOptions, useRetry } from './retry-menu';
import type { NodeRunRow } from './run-model';

const MAX_NAMES = 3;

const listed = (names: readonly string[]): string =>
  names.length > MAX_NAMES
    ? `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`
    : names.join(', ');

type From = NonNullable<RetryOptions['from']>;
type Version = NonNullable<RetryOptions['version']>;

const Choice = ({
  title,
  help,
  isChosen,
  choose,
}: {
  title: string;
  help: string;
  isChosen: boolean;
  choose: () => void;
}) => (
  <label className="opt">
    <input type="radio" name="retry-from" checked={isChosen} onChange={choose} />
    <span>
      <b>{title}</b>
      <small className="soft">{help}</small>
    </span>
  </label>
);

const Segments = <Value extends string>({
  label,
  values,
  value,
  choose,
}: {
  label: string;
  values: readonly (readonly [Value, string])[];
  value: Value;
  choose: (value: Value) => void;
}) => (
  <div className="labelled">
    <b>{label}</b>
    <div className="seg" role="group" aria-label={label}>
      {values.map(([one, text]) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => choose(one)}>
          {text}
        </button>
      ))}
    </div>
  </div>
);

/** The items that the start node gave; undefined if they are too many or too long to be edited. */
const useFirstItems = (id: string, isWanted: boolean): string | undefined => {
  const { data } = useQuery({ ...itemsQuery(id, 0, 0, 0), enabled: isWanted });
  const items: readonly Item[] = data?.data ?? [];
  const isWhole = items.length > 0 && items.length === (data?.total ?? 0);
  if (!isWhole || items.some((item) => item['truncated'] === true)) return undefined;
  return JSON.stringify(items.map(dataOf), undefined, 2);
};

/** Asks where a retry begins, which version runs and which items the start node gets. */
export const RetryDialog = ({
  execution,
  rows,
  close,
}: {
  execution: Execution;
  rows: readonly NodeRunRow[];
  close: () => void;
}) => {
  const { id, workflowId, versionId, state } = execution;
  const retry = useRetry(execution);
  const mayStart = useMay('workflows:write');
  const current = useQuery(workflowSummaryQuery(workflowId)).data ?? undefined;
  const isChanged = current !== undefined && versionId !== undefined && current.versionId !== versionId;
  const [from, setFrom] = useState<From>(state === 'success' ? 'start' : 'failedNode');
  const [chosen, setVersion] = useState<Version>();
  const version = chosen ?? (isChanged ? 'current' : 'original');
  const [isEdited, setEdited] = useState(false);
  const [typed, type] = useState<string>();
  const first = useFirstItems(id, from === 'start' && isEdited);
  const text = typed ?? first ?? '';
  const input = isEdited && from === 'start' ? readItems(text) : undefined;
  const go = useRef<HTMLButtonElement>(null);
  const failed = failedNodeOf(execution);
  const kept = [...new Set(rows.filter((row) => row.state === 'success').map(({ node }) => node))];
  const start = (): void => {
    close();
    retry.mutate({ from, version, ...(input?.isValid === true ? { input: [...input.items] } : {}) });
  };
  return (
    <Modal
      title={state === 'success' ? 'Run this execution again' : 'Retry this execution'}
      close={close}
      initialFocus={go}
    >
      <div className="dbody retry">
        {state !== 'success' && (
          <div role="radiogroup" aria-label="Where it begins" className="opts">
            <Choice
              title={failed === undefined ? 'From where it ended' : `From “${failed}”`}
              help={kept.length === 0 ? 'Nothing ran before it.' : `Not run again: ${listed(kept)}.`}
              isChosen={from === 'failedNode'}
              choose={() => setFrom('failedNode')}
            />
            <Choice
              title="From the start"
              help="All nodes run again, also those that sent something."
              isChosen={from === 'start'}
              choose={() => setFrom('start')}
            />
          </div>
        )}
        <div className="pair">
          <Segments
            label="Version"
            values={[
              ['original', 'That ran'],
              ['current', 'Current'],
            ]}
            value={version}
            choose={setVersion}
          />
          {from === 'start' && mayStart && (
            <Segments
              label="Input"
              values={[
                ['same', 'Same'],
                ['edited', 'Edit'],
              ]}
              value={isEdited ? 'edited' : 'same'}
              choose={(one) => setEdited(one === 'edited')}
            />
          )}
        </div>
        {current !== undefined && (
          <p className="soft">
            {isChanged ? (
              <>
                The workflow was saved after this run, <Ago at={current.updatedAt} />.
              </>
            ) : (
              'The workflow has not changed since this run.'
            )}
          </p>
        )}
        {input !== undefined && (
          <label className="labelled">
            <span>Items of the start node, as a JSON array</span>
            <textarea
              className="tarea code"
              rows={8}
              spellCheck={false}
              aria-invalid={!input.isValid}
              value={text}
              onChange={({ target }) => type(target.value)}
            />
            {!input.isValid && text !== '' && <span className="st error wraps">{input.why}</span>}
          </label>
        )}
      </div>
      <div className="dfoot">
        <button type="button" className="btn" onClick={close}>
          Cancel
        </button>
        <button type="button" ref={go} className="btn primary" disabled={input?.isValid === false} onClick={start}>
          <Icon name="retry" />
          {state === 'success' ? 'Run again' : 'Retry'}
        </button>
      </div>
    </Modal>
  );
};
