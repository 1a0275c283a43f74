import { isJsonObject } from '@weft/node-catalogue';
import { type DataTable, type NodeContext, NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';

/** Finds tables for the items of one node run. Each table is requested once. */
export class TableFinder {
  readonly #context: NodeContext;
  readonly #found = new Map<string, Promise<DataTable>>();

  constructor(context: NodeContext) {
    this.#context = context;
  }

  /** The table that the node selects for an item. @throws NodeFailure if none is selected, or it does not exist */
  of(itemIndex: number): Promise<DataTable> {
    const locator = this.#locator(itemIndex);
    const key = JSON.stringify(locator);
    const known = this.#found.get(key) ?? this.#find(locator, itemIndex);
    this.#found.set(key, known);
    return known;
  }

  #locator(itemIndex: number): Locator {
    const given = toJson(this.#context.parameter('dataTableId', itemIndex));
    const { mode, value, cachedResultName } = isJsonObject(given)
      ? given
      : { mode: 'id', value: given, cachedResultName: undefined };
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    if (text === '')
      throw new NodeFailure('No data table is selected', {
        itemIndex,
        description: 'Set `dataTableId` to the id or the name of the table.',
      });
    if (mode === 'name') return { id: '', name: text };
    return { id: text, name: mode === 'list' && typeof cachedResultName === 'string' ? cachedResultName : '' };
  }

  async #find({ id, name }: Locator, itemIndex: number): Promise<DataTable> {
    const { dataTables } = this.#context.ports;
    const byId = id === '' ? undefined : await dataTables.find({ id });
    // A table selected in another instance has a different id here, but may have the same name.
    const table = byId ?? (name === '' ? undefined : await dataTables.find({ name }));
    if (table !== undefined) return table;
    throw new NodeFailure(`No data table "${name === '' ? id : name}" exists`, {
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
