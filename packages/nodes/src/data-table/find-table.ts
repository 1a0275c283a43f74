import { isJsonObject } from '@weft/node-catalogue';
import { type DataTable, type NodeContext, NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';

/** Finds tables for the items of one node run; each is requested once. */
export class TableFinder {
  readonly #context: NodeContext;
  readonly #found = new Map<string, Promise<DataTable>>();

  constructor(context: NodeContext) {
    this.#context = context;
  }

  /** The table that the node names for an item. @throws NodeFailure if it names none, or one that does not exist */
  of(itemIndex: number): Promise<DataTable> {
    const locator = this.#locator(itemIndex);
    const key = JSON.stringify(locator);
    const known = this.#found.get(key) ?? this.#find(locator, itemIndex);
    this.#found.set(key, known);
    return known;
  }

  #locator(itemIndex: number): Locator {
    const stated = toJson(this.#context.parameter('dataTableId', itemIndex));
    const { mode, value, cachedResultName } = isJsonObject(stated)
      ? stated
      : { mode: 'id', value: stated, cachedResultName: undefined };
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    if (text === '')
      throw new NodeFailure('No data table is chosen', {
        itemIndex,
        description: 'Name the table in `dataTableId`, by its id or by its name.',
      });
    if (mode === 'name') return { id: '', name: text };
    return { id: text, name: mode === 'list' && typeof cachedResultName === 'string' ? cachedResultName : '' };
  }

  async #find({ id, name }: Locator, itemIndex: number): Promise<DataTable> {
    const { dataTables } = this.#context.ports;
    const byId = id === '' ? undefined : await dataTables.find({ id });
    // A table chosen from a list elsewhere has another id here, but may have the same name.
    const table = byId ?? (name === '' ? undefined : await dataTables.find({ name }));
    if (table !== undefined) return table;
    throw new NodeFailure(`There is no data table "${name === '' ? id : name}"`, {
      itemIndex,
      description:
        'Create it first: POST /api/v1/data-tables with `name` and `columns`, or the operation "create" of this node.',
    });
  }
}

interface Locator {
  readonly id: string;
  readonly name: string;
}
