import { useQuery } from '@tanstack/react-query';
import { ITEMS_PAGE, itemsQuery } from '../../../api/queries';
import { formatCount } from '../../../ui/values/format';
import { ErrorState, Loading } from '../../../ui/states';
import { type Item, JsonView, SchemaView, TableView } from '../../executions/inspector/item-views';
import { ItemSteps, WordedSteps } from '../../executions/inspector/steps';
import { KeyHead } from './key-head';

/** Form in which items are shown. */
export type View = 'table' | 'json' | 'schema';

const VIEWS = [
  ['table', 'Table'],
  ['json', 'JSON'],
  ['schema', 'Schema'],
] as const;

/** Chooses the form in which items are shown. */
export const ViewSwitch = ({ view, change, of }: { view: View; change: (view: View) => void; of: string }) => (
  <div className="seg" role="group" aria-label={`Show ${of} as`}>
    {VIEWS.map(([value, label]) => (
      <button key={value} type="button" aria-pressed={view === value} onClick={() => change(value)}>
        {label}
      </button>
    ))}
  </div>
);

interface ItemsProps {
  readonly items: readonly Item[];
  /** Number of the first item, and of all. */
  readonly first: number;
  readonly total: number;
  readonly view: View;
  /** Names the items, such as `Input`. */
  readonly label: string;
  readonly current: number | undefined;
  /** Chooses an item; shows its page. */
  readonly choose: (item: number) => void;
  /** How expressions read these items; undefined if they cannot. */
  readonly root: string | undefined;
}

const usesItem = (number: number): string => `Show values for item ${number}`;

/** Items of one page. */
export const Items = ({ items, first, total, view, label, current, choose, root }: ItemsProps) => {
  const at = Math.min(Math.max(0, (current ?? first) - first), Math.max(0, items.length - 1));
  const item = items[at];
  const isElsewhere = current !== undefined && (current < first || current >= first + items.length);
  if (items.length === 0) return <p className="soft pad">No items.</p>;
  if (view === 'schema')
    return (
      <SchemaView
        items={items}
        label={`${label}, fields`}
        {...(root === undefined ? {} : { headOf: (path) => <KeyHead root={root} path={path} /> })}
      />
    );
  if (view === 'json' && item !== undefined)
    return (
      <div className="jview">
        <nav className="pager" aria-label={`${label}, items`}>
          <ItemSteps at={first + at} count={total} go={choose}>
            <span className="soft num">
              <b>{formatCount(first + at + 1)}</b> of {formatCount(total)}
            </span>
          </ItemSteps>
        </nav>
        <JsonView key={first + at} item={item} number={first + at} />
      </div>
    );
  return (
    <TableView
      items={items}
      first={first}
      open={choose}
      label={`${label}, items as a table`}
      actionOf={usesItem}
      current={isElsewhere ? -1 : (current ?? -1)}
      {...(root === undefined ? {} : { headOf: (name) => <KeyHead root={root} path={[name]} /> })}
    />
  );
};

interface StoredItemsProps extends Omit<ItemsProps, 'items' | 'first' | 'total'> {
  readonly executionId: string;
  readonly executionIndex: number;
  readonly output: number;
  readonly page: number;
  readonly turn: (page: number) => void;
}

/** The items of an output that an execution stored, a page at a time. */
export const StoredItems = ({ executionId, executionIndex, output, page, turn, ...props }: StoredItemsProps) => {
  const query = useQuery(itemsQuery(executionId, executionIndex, output, page));
  if (query.isPending) return <Loading rows={3} label="Loading items" />;
  if (query.data === undefined)
    return <ErrorState error={query.error} what="the items" retry={() => void query.refetch()} />;
  const { data: items, total } = query.data;
  const pages = Math.max(1, Math.ceil(total / ITEMS_PAGE));
  return (
    <>
      <Items items={items} first={page * ITEMS_PAGE} total={total} {...props} />
      {pages > 1 && props.view !== 'json' && (
        <nav className="pager" aria-label={`${props.label}, pages`}>
          <WordedSteps at={page} count={pages} go={turn} className="btn quiet sm">
            Page <b>{formatCount(page + 1)}</b> of {formatCount(pages)}
          </WordedSteps>
        </nav>
      )}
    </>
  );
};
