const set = (name: string) => ({
  name,
  type: 'weft-nodes-base.set',
  typeVersion: 3.4,
  position: [200, 0],
  parameters: {
    mode: 'manual',
    options: {},
    assignments: {
      assignments: [
        { id: 'a', name: 'total', type: 'number', value: '={{ $json.body.qty * $json.body.price }}' },
        { id: 'b', name: 'who', type: 'string', value: '={{ $json.body.customer.name }}' },
      ],
    },
  },
});

/** Webhook -> set. @param responseMode when the caller is answered. */
export const webhookWorkflow = (path: string, responseMode: 'onReceived' | 'lastNode') => ({
  name: `bench ${path}`,
  nodes: [
    {
      name: 'Webhook',
      type: 'weft-nodes-base.webhook',
      typeVersion: 2,
      position: [0, 0],
      parameters: { httpMethod: 'POST', path, responseMode, options: {} },
    },
    set('Set'),
  ],
  connections: { Webhook: { main: [[{ node: 'Set', type: 'main', index: 0 }]] } },
  settings: { executionOrder: 'v1' },
  active: true,
});

/** Body sent to the webhooks: 300 bytes of an order. */
export const ORDER = JSON.stringify({
  qty: 3,
  price: 14.5,
  customer: { name: 'Ada', mail: 'ada@example.org' },
  lines: Array.from({ length: 6 }, (_, index) => ({ sku: `A-${index}`, note: 'n'.repeat(20) })),
});
