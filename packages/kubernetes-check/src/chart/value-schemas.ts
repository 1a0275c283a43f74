import type { Json } from './json';

/** A value of the chart. */
export interface ChartValue {
  /** Dotted path. */
  readonly path: string;
  /** Default; undefined: that of the manifests, read at the place that the value fills. */
  readonly default?: Json;
  readonly doc: string;
  readonly schema: Json;
}

export const text = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;
export const number = { type: 'integer', minimum: 1 } as const;
export const anyMap = { type: 'object' } as const;
export const anyList = { type: 'array' } as const;
export const texts = { type: 'object', additionalProperties: { type: 'string' } } as const;
export const name = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' } as const;
export const size = { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?[KMGTPE]i?$' } as const;
export const orNull = (schema: { readonly type: string }): Json => ({ ...schema, type: [schema.type, 'null'] });
export const digest = { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' } as const;
export const setting = {
  type: 'object',
  propertyNames: { pattern: '^[A-Z][A-Z0-9_]*$' },
  additionalProperties: { type: ['string', 'null'] },
};

export const enabled = (path: string, doc: string, isOn = false): ChartValue => ({
  path: `${path}.enabled`,
  default: isOn,
  doc,
  schema: flag,
});
