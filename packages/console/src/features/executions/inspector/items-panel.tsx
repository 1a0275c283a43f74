import type { NodeRun } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { ITEMS_PAGE, itemsQuery } from '../../../api/queries';
import { copyText } from '../../../ui/values/copy';
import { formatCount } from '../../../ui/values/format';
import { Icon } from '../../../ui/icon';
import { download } from '../../../ui/values/json';
import { ErrorState, Loading } from '../../../ui/states';
import type { InspectorSearch } from '../search';
import { dataOf, JsonView, SchemaView, TableView } from './item-views';
import { Origins } from './origins';
import { WordedSteps } from './steps';

const VIEWS = [
  ['table', 'Table'],
  ['json', 'JSON'],
  ['schema', 'Schema'],
] as const;

interface ItemsPanelProps {
  readonly id: string;
  readonly executionIndex: number;
  /** Number of items of each output. */
  readonly counts: readonly number[];
  /** Labels of the outputs. */
  readonly labels: readonly string[];
  readonly search: InspectorSearch;
  readonly change: (changes: Partial<InspectorSearch>) => void;
  /** The output to show if none is chosen. */
  readonly output?: number;
  /** Inputs of the node run, to follow items back; absent: its items are those of another node. */
  readonly sources?: NodeRun['source'] | undefined;
}

/** The items of one output of a node run, 50 at a time. */
export const ItemsPanel = ({
  id,
  executionIndex,
  counts,
  labels,
  search,
  change,
  output: given = 0,
  sources,
}: ItemsPanelProps) => {
  const output = search.output ?? given;
  const page = search.page ?? 0;
  const query = useQuery(itemsQuery(id, executionIndex, output, page));
  const items = query.data?.data ?? [];
  const total = query.data?.total ?? counts[output] ?? 0;
  // One item is read, several are compared.
  const view = search.view ?? (total === 1 ? 'json' : 'table');
  const pages = Math.max(1, Math.ceil(total / ITEMS_PAGE));
  const first = page * ITEMS_PAGE;
  const at = Math.min(Math.max(0, (search.item ?? first) - first), Math.max(0, items.length - 1));
  const item = items[at];
  const showItem = (number: number): void =>
    change({ item: number, page: Math.floor(number / ITEMS_PAGE), view: 'json' });
  return (
    <>
      {counts.length > 1 && (
        <div className="seg" role="group" aria-label="Output">
          {counts.map((count, number) => (
            <button
              key={number}
              type="button"
              aria-pressed={number === output}
              onClick={() => change({ output: number, page: undefined, item: undefined })}
            >
              {labels[number] === undefined || labels[number] === '' ? `Output ${number}` : labels[number]}{' '}
              <span className="count">{formatCount(count)}</span>
            </button>
          ))}
        </div>
      )}
      <div className="dh flat">
        <b className="num">{total === 1 ? '1 item' : `${formatCount(total)} items`}</b>
        <span className="grow" />
        <div className="seg" role="group" aria-label="Show items as">
          {VIEWS.map(([value, label]) => (
            <button key={label} type="button" aria-pressed={view === value} onClick={() => change({ view: value })}>
              {label}
            </button>
          ))}
        </div>
      </div>
      {query.isPending && <Loading rows={4} label="Loading items" />}
      {query.isError && <ErrorState error={query.error} what="the items" retry={() => void query.refetch()} />}
      {query.data !== undefined && items.length === 0 && <p className="soft">This output has no items.</p>}
      {items.length > 0 && view === 'table' && <TableView items={items} first={first} open={showItem} />}
      {view === 'schema' && items.length > 0 && <SchemaView items={items} />}
      {view === 'json' && item !== undefined && (
        <>
          <Origins item={item} sources={sources} change={change} />
          <JsonView key={first + at} item={item} number={first + at} />
        </>
      )}
      {items.length > 0 && (
        <nav className="pager" aria-label="Items">
          {view === 'json' ? (
            <WordedSteps at={first + at} count={total} go={showItem}>
              <b>{formatCount(first + at + 1)}</b> of {formatCount(total)}
            </WordedSteps>
          ) : (
            pages > 1 && (
              <WordedSteps at={page} count={pages} go={(next) => change({ page: next, item: undefined })}>
                Page <b>{formatCount(page + 1)}</b> of {formatCount(pages)}
              </WordedSteps>
            )
          )}
          <span className="grow" />
          {view === 'json' && item !== undefined && (
            <button
              type="button"
              className="btn sm quiet"
              onClick={() => void copyText(JSON.stringify(dataOf(item), undefined, 2), 'Item')}
            >
              <Icon name="copy" size={12} />
              Copy
            </button>
          )}
          <button
            type="button"
            className="btn sm quiet"
            onClick={() => download(items, `items-${executionIndex}-${output}-${page + 1}.json`)}
          >
            <Icon name="download" size={12} />
            Download<span className="sr"> the shown items</span>
          </button>
        </nav>
      )}
    </>
  );
};
