import type { ReactNode } from 'react';
import { LoadMore } from '../page';
import { ErrorState, Loading } from '../states';

/** A column of a list. In a narrow window each row is a card, with the title before the value. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly className?: string;
  /** True for buttons: the title is only read out. */
  readonly isBare?: boolean;
}

/** A table of records. The roles keep its meaning where a narrow window shows rows as cards. */
export const Records = <Row,>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}) => (
  <section className="card scrolls" aria-label={`${label}, table`} tabIndex={0}>
    <table className="table stacks" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, className, isBare = false }) => (
            <th key={title} role="columnheader" className={className}>
              {isBare ? <span className="sr">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map(({ title, cell, className, isBare = false }, at) => (
              <td key={title} role="cell" className={className} data-label={isBare || at === 0 ? undefined : title}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

interface ListState {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly error: unknown;
  readonly refetch: () => Promise<unknown>;
  readonly hasNextPage?: boolean;
  readonly isFetchingNextPage?: boolean;
  readonly fetchNextPage?: () => Promise<unknown>;
}

/** A list in each of its states: loading, refused or failed, empty, filled. */
export const RecordList = <Row,>({
  query,
  rows,
  what,
  empty,
  ...records
}: {
  query: ListState;
  /** Undefined until they were read. */
  rows: readonly Row[] | undefined;
  /** Names the list, such as `the credentials`. */
  what: string;
  /** Shown in place of an empty list. */
  empty: ReactNode;
  label: string;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
}) => {
  const { hasNextPage = false, isFetchingNextPage = false, fetchNextPage } = query;
  if (rows === undefined)
    return query.isError ? (
      <ErrorState error={query.error} what={what} retry={() => void query.refetch()} />
    ) : (
      <Loading label={`Loading ${what}`} />
    );
  return (
    <>
      {rows.length === 0 && !hasNextPage ? empty : <Records rows={rows} {...records} />}
      {fetchNextPage !== undefined && hasNextPage && (
        <div className="foot">
          <span className="grow" />
          <LoadMore list={{ hasNextPage, isFetchingNextPage, fetchNextPage }} />
        </div>
      )}
    </>
  );
};
