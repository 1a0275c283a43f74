const node = (name: string, kind: string, typeVersion: number, parameters: object) => ({
  name,
  type: `weft-nodes-base.${kind}`,
  typeVersion,
  position: [0, 0],
  parameters,
});

const to = (...targets: readonly (string | readonly [name: string, index: number])[]) =>
  targets.map((target) => ({
    node: typeof target === 'string' ? target : target[0],
    type: 'main',
    index: typeof target === 'string' ? 0 : target[1],
  }));

const assignment = (name: string, type: string, value: string) => ({ id: name, name, type, value });

/** Path of the workflow with that number of items. */
export const tenNodesPath = (items: number): string => `ten-nodes-${items}`;

/**
 * Ten nodes as real workflows have them: code, edits, a branch that joins again, sort, rename, summary. Called by
 * webhook and answered by its last node.
 * @param items that the code gives
 */
export const tenNodes = (items: number) => ({
  name: `bench ten nodes, ${items} items`,
  nodes: [
    node('Start', 'webhook', 2, {
      path: tenNodesPath(items),
      httpMethod: 'POST',
      responseMode: 'lastNode',
      options: {},
    }),
    node('Orders', 'code', 2, {
      jsCode:
        `return Array.from({ length: ${items} }, (_, id) => ({ json: { id, city: 'City ' + (id * 7919) % 50, ` +
        'price: (id * 31) % 100, qty: id % 5 } }))',
    }),
    node('Total', 'set', 3.4, {
      mode: 'manual',
      includeOtherFields: true,
      options: {},
      assignments: {
        assignments: [
          assignment('total', 'number', '={{ $json.price * $json.qty }}'),
          assignment('label', 'string', '={{ $json.city }} no. {{ $json.id }}'),
        ],
      },
    }),
    node('Large', 'if', 2.2, {
      options: {},
      conditions: {
        combinator: 'and',
        options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
        conditions: [
          { id: 'c', operator: { type: 'number', operation: 'gt' }, leftValue: '={{ $json.total }}', rightValue: 50 },
        ],
      },
    }),
    node('Mark', 'set', 3.4, {
      mode: 'manual',
      includeOtherFields: true,
      options: {},
      assignments: { assignments: [assignment('from', 'string', "={{ $('Orders').item.json.city.toUpperCase() }}")] },
    }),
    node('Leave', 'noOp', 1, {}),
    node('Join', 'merge', 3, { mode: 'append' }),
    node('Order', 'sort', 1, {
      options: {},
      sortFieldsUi: { sortField: [{ fieldName: 'total', order: 'descending' }, { fieldName: 'id' }] },
    }),
    node('Rename', 'renameKeys', 1, {
      keys: { key: [{ currentKey: 'label', newKey: 'title' }] },
      additionalOptions: {},
    }),
    node('Summary', 'summarize', 1.1, {
      options: {},
      fieldsToSummarize: { values: [{ aggregation: 'sum', field: 'total' }] },
      fieldsToSplitBy: 'city',
    }),
  ],
  connections: {
    Start: { main: [to('Orders')] },
    Orders: { main: [to('Total')] },
    Total: { main: [to('Large')] },
    Large: { main: [to('Mark'), to('Leave')] },
    Mark: { main: [to('Join')] },
    Leave: { main: [to(['Join', 1])] },
    Join: { main: [to('Order')] },
    Order: { main: [to('Rename')] },
    Rename: { main: [to('Summary')] },
  },
  settings: { executionOrder: 'v1' },
  active: true,
});
