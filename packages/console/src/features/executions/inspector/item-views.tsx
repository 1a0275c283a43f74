import { isRecord, type JsonRecord, memberOf } from '../../../ui/values/json';
import type { ReactNode } from 'react';
import { CopyButton } from '../../../ui/values/copy';
import { JsonTree } from '../../../ui/values/json-tree';

/** An item as the API returns it. */
export type Item = JsonRecord;

const MAX_COLUMNS = 40;
const MAX_CELL = 200;

/** The data of an item; a truncated one has the beginning of its text. */
export const dataOf = (item: Item): unknown => (item['truncated'] === true ? item['text'] : (item['json'] ?? item));

const cellText = (value: unknown): string => {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text;
};

const columnsOf = (items: readonly Item[]): { readonly shown: readonly string[]; readonly left: number } => {
  const names = new Set<string>();
  for (const item of items) {
    const data = dataOf(item);
    if (isRecord(data)) for (const name of Object.keys(data)) names.add(name);
  }
  return { shown: [...names].slice(0, MAX_COLUMNS), left: Math.max(0, names.size - MAX_COLUMNS) };
};

interface ViewProps {
  readonly items: readonly Item[];
  /** Index of the first of them, from 0. */
  readonly first: number;
}

interface TableProps extends ViewProps {
  /** Called by the button of a row. */
  readonly open: (item: number) => void;
  /** Says what that button does; absent: it shows the item as JSON. */
  readonly actionOf?: (number: number) => string;
  /** The chosen item. */
  readonly current?: number | undefined;
  /** Accessible name; absent: `Items as a table`. */
  readonly label?: string;
  /** The head of a column; absent: its name. */
  readonly headOf?: (name: string) => ReactNode;
}

const showsJson = (number: number): string => `Show item ${number} as JSON`;

/** Items as rows, each with a button. */
export const TableView = ({
  items,
  first,
  open,
  actionOf = showsJson,
  current,
  label = 'Items as a table',
  headOf,
}: TableProps) => {
  const { shown, left } = columnsOf(items);
  return (
    <div className="itable" tabIndex={0} role="region" aria-label={label}>
      <table className="table">
        <thead>
          <tr>
            <th>#</th>
            {shown.map((name) => (
              <th key={name}>{headOf === undefined ? name : headOf(name)}</th>
            ))}
            {shown.length === 0 && <th>Item</th>}
          </tr>
        </thead>
        <tbody>
          {items.map((item, at) => {
            const data = dataOf(item);
            return (
              <tr key={at} className={current === first + at ? 'cur' : undefined}>
                <td>
                  <button
                    type="button"
                    className="lnk num"
                    aria-label={actionOf(first + at + 1)}
                    aria-pressed={current === undefined ? undefined : current === first + at}
                    onClick={() => open(first + at)}
                  >
                    {first + at + 1}
                  </button>
                </td>
                {shown.map((name) => {
                  const text = cellText(memberOf(data, name));
                  return (
                    <td key={name} title={text}>
                      {text}
                    </td>
                  );
                })}
                {shown.length === 0 && (
                  <td>{isRecord(data) ? <span className="faint">no fields</span> : cellText(data)}</td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {left > 0 && <p className="faint pad">{left} more columns: see JSON.</p>}
    </div>
  );
};

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' ? 'object' : typeof value;
};

interface Shape {
  readonly path: string;
  readonly steps: readonly string[];
  readonly types: Set<string>;
  count: number;
}

const MAX_PATHS = 500;
const MAX_DEPTH = 6;

/** The fields of items with their types and how many items have them. */
const schemaOf = (items: readonly Item[]): readonly Shape[] => {
  const shapes = new Map<string, Shape>();
  const visit = (value: unknown, above: readonly string[]): void => {
    if (!isRecord(value) || above.length > MAX_DEPTH) return;
    for (const [name, member] of Object.entries(value)) {
      const steps = [...above, name];
      const here = steps.join('.');
      const shape = shapes.get(here) ?? { path: here, steps, types: new Set<string>(), count: 0 };
      if (!shapes.has(here) && shapes.size >= MAX_PATHS) return;
      shapes.set(here, shape);
      shape.types.add(typeOf(member));
      shape.count += 1;
      visit(member, steps);
    }
  };
  for (const item of items) visit(dataOf(item), []);
  return [...shapes.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
};

/** A field as an expression reads it: `$json.customer["first name"]`. */
const expressionOf = (steps: readonly string[]): string =>
  `$json${steps.map((step) => (/^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`)).join('')}`;

/** The fields of the shown items. */
export const SchemaView = ({
  items,
  headOf,
  label = 'Fields of the items',
}: Pick<ViewProps, 'items'> & {
  /** Accessible name. */
  readonly label?: string;
  /** The name of a field; absent: its path. */
  readonly headOf?: (path: readonly string[]) => ReactNode;
}) => (
  <div className="itable" tabIndex={0} role="region" aria-label={label}>
    <table className="table">
      <thead>
        <tr>
          <th>Field</th>
          <th>Type</th>
          <th className="r">In</th>
        </tr>
      </thead>
      <tbody>
        {schemaOf(items).map(({ path, steps, types, count }) => (
          <tr key={path}>
            <td>
              {headOf === undefined ? (
                <span className="line">
                  <code>{path}</code>
                  <CopyButton text={expressionOf(steps)} label={`Copy the path ${path}`} />
                </span>
              ) : (
                headOf(steps)
              )}
            </td>
            <td className="soft">{[...types].join(' or ')}</td>
            <td className="r soft">
              {count} of {items.length}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** One item as JSON. */
export const JsonView = ({ item, number }: { item: Item; number: number }) => (
  <>
    {item['truncated'] === true && <p className="st waiting">This item is too long: only its beginning is shown.</p>}
    <JsonTree value={dataOf(item)} label={`Item ${number + 1}`} />
  </>
);
