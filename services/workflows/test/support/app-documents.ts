import type { JsonObject } from '@weft/service-kit/json';

/** Type of a package that an app provides. */
export const ERP_TYPE = '@acme/n8n-nodes-erp.erp';

/** A valid app document. @param changes fields that replace others */
export const erpApp = (changes: JsonObject = {}): JsonObject => ({
  weftApp: 1,
  name: 'erp',
  label: 'ERP',
  hosts: ['erp.example.com'],
  credentials: { httpBearerAuth: 'catalogue' },
  calls: { api: { url: 'https://erp.example.com/v1' } },
  kinds: { [ERP_TYPE]: erpKind() },
  ...changes,
});

/** A kind with one operation. @param versions its type versions */
export const erpKind = (versions: readonly number[] = [1], path = '/orders'): JsonObject => ({
  label: 'Orders',
  description: 'Reads orders.',
  versions: [...versions],
  groups: ['input'],
  credentials: [{ type: 'httpBearerAuth' }],
  parameters: [{ name: 'id', label: 'Order', type: 'string', required: true, help: 'Number of the order.' }],
  operations: { default: { call: 'api', path } },
});

/** The document as it is sent. */
export const bytesOf = (document: JsonObject): Buffer => Buffer.from(JSON.stringify(document));
