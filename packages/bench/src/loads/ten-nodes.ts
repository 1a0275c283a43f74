import { assignment, ifLarger, node, setNode, to } from './webhook-workflow';

/**
 * Ten nodes as real workflows have them: code, edits, a branch that joins again, sort, rename, summary. Called by
 * webhook and answered by its last node.
 * @param path of its webhook
 * @param items that the code gives
 */
export const tenNodes = (path: string, items: number) => ({
  name: `bench ten nodes, ${items} items`,
  nodes: [
    node('Start', 'webhook', 2, {
      path,
      httpMethod: 'POST',
      responseMode: 'lastNode',
      options: {},
    }),
    node('Orders', 'code', 2, {
      jsCode:
        `return Array.from({ length: ${items} }, (_, id) => ({ json: { id, city: 'City ' + (id * 7919) % 50, ` +
        'price: (id * 31) % 100, qty: id % 5 } }))',
    }),
    setNode(
      'Total',
      assignment('total', 'number', '={{ $json.price * $json.qty }}'),
      assignment('label', 'string', '={{ $json.city }} no. {{ $json.id }}'),
    ),
    ifLarger('Large', '={{ $json.total }}', 50),
    setNode('Mark', assignment('from', 'string', "={{ $('Orders').item.json.city.toUpperCase() }}")),
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
