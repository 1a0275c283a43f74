import type { Json } from '@weft/node-catalogue/definitions';
import { nodeSummary } from './node-summary';

const condition = (leftValue: Json, operation: string, rightValue: Json = '', singleValue = false): Json => ({
  leftValue,
  rightValue,
  operator: { type: 'number', operation, ...(singleValue && { singleValue }) },
});

describe('the summary of a node', () => {
  it.each<[string, Json, string]>([
    ['webhook', { httpMethod: 'POST', path: 'orders' }, 'POST /orders'],
    ['webhook', { path: '/orders/:id' }, 'GET /orders/:id'],
    ['httpRequest', { url: 'https://api.shop.example/v1/prices?sku=1' }, 'GET api.shop.example'],
    ['httpRequest', { method: 'PUT', url: '={{ $json.url }}' }, 'PUT $json.url'],
    ['if', { conditions: { conditions: [condition('={{ $json.total }}', 'gt', 500)] } }, '$json.total > 500'],
    [
      'filter',
      { conditions: { conditions: [condition('={{ $json.mail }}', 'empty', '', true)] } },
      '$json.mail is empty',
    ],
    [
      'if',
      { conditions: { conditions: [condition('={{ $json.a }}', 'lte', 1), condition('={{ $json.b }}', 'gt', 2)] } },
      '$json.a ≤ 1 +1',
    ],
    ['set', { assignments: { assignments: [{ name: 'total' }] } }, 'total'],
    ['set', { assignments: { assignments: [{ name: 'total' }, { name: 'email' }] } }, '2 fields'],
    ['set', { mode: 'raw', jsonOutput: '{}' }, 'JSON'],
    ['switch', { rules: { values: [{}, {}, {}] } }, '3 rules'],
    ['respondToWebhook', { respondWith: 'json', options: { responseCode: 202 } }, '202 json'],
    ['wait', { amount: 2, unit: 'hours' }, '2 hours'],
    ['langchain.mcpTrigger', { path: 'sales' }, 'MCP /sales'],
  ])('says what it does: %s %j', (kind, parameters, summary) => {
    expect(nodeSummary(kind, parameters)).toBe(summary);
  });

  it.each<[string, Json | undefined]>([
    ['noOp', {}],
    ['set', {}],
    ['if', { conditions: 'none' }],
    ['httpRequest', { url: '' }],
    ['webhook', undefined],
    ['switch', { rules: { values: 7 } }],
  ])('is left out where the parameters say nothing: %s %j', (kind, parameters) => {
    expect(nodeSummary(kind, parameters)).toBeUndefined();
  });

  it('is one short line, whatever the parameters hold', () => {
    expect(nodeSummary('stopAndError', { errorMessage: `first\nsecond ${'x'.repeat(500)}` })).toMatch(
      /^first second x{45,60}…$/,
    );
  });
});
