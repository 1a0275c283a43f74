import { stringify } from 'yaml';
import { SERVICES } from '@weft/e2e/services';
import { isMap, type Json, type JsonMap } from './json';
import type { ChartValue } from './value-schemas';

/** A value with its default. */
export type FilledValue = ChartValue & { readonly default: Json };

const WIDTH = 118;

const wrapped = (text: string, width: number): readonly string[] => {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1] ?? '';
    if (line !== '' && line.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
};

/** values.yaml: each value below its description. */
export const valuesYamlOf = (values: readonly FilledValue[]): string => {
  const lines = [
    '# Made by `npm run chart:gen`; do not edit. The chart and its values are described in README.md.',
    '# yaml-language-server: $schema=values.schema.json',
  ];
  let open: readonly string[] = [];
  for (const { path, doc, default: value } of values) {
    const keys = path.split('.');
    const parents = keys.slice(0, -1);
    const shared = parents.findIndex((key, index) => open[index] !== key);
    const from = shared < 0 ? parents.length : shared;
    for (const [index, key] of parents.entries()) {
      if (index < from) continue;
      if (index === 0) lines.push('');
      lines.push(`${'  '.repeat(index)}${key}:`);
    }
    open = parents;
    const indent = '  '.repeat(parents.length);
    if (parents.length === 0) lines.push('');
    lines.push(...wrapped(doc, WIDTH - indent.length - 2).map((line) => `${indent}# ${line}`));
    const text = stringify({ [keys.at(-1) ?? '']: value }, { version: '1.1', lineWidth: 0 }).trimEnd();
    lines.push(...text.split('\n').map((line) => `${indent}${line}`));
  }
  return `${lines.join('\n')}\n`;
};

const insert = (schema: JsonMap, keys: readonly string[], leaf: JsonMap): JsonMap => {
  const [key = '', ...rest] = keys;
  const properties = isMap(schema['properties']) ? schema['properties'] : {};
  const known = properties[key];
  const inner = rest.length === 0 ? leaf : insert(isMap(known) ? known : {}, rest, leaf);
  return { type: 'object', additionalProperties: false, properties: { ...properties, [key]: inner } };
};

/** The JSON schema of the values, which Helm checks before it renders anything. */
export const schemaOf = (values: readonly FilledValue[]): JsonMap => {
  const schema = values.reduce<JsonMap>(
    (made, { path, doc, schema: leaf }) =>
      insert(made, path.split('.'), { description: doc, ...(isMap(leaf) ? leaf : {}) }),
    {},
  );
  const properties = isMap(schema['properties']) ? schema['properties'] : {};
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Values of the chart weft',
    ...schema,
    // Helm adds global to the values of every chart.
    properties: { ...properties, global: { type: 'object' } },
  };
};

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** README.md: the part written by hand, and a table of the values. Those of the services are listed once. */
export const readmeOf = (values: readonly FilledValue[], head: string): string => {
  const [first = '', ...others] = SERVICES;
  const isOther = ({ path }: FilledValue): boolean => others.some((service) => path.startsWith(`${service}.`));
  const rows = values
    .filter((value) => !isOther(value))
    .map(({ path, default: value, doc }) => {
      const name = path.startsWith(`${first}.`) ? path.replace(first, 'SERVICE') : path;
      return `| \`${name}\` | \`${cell(JSON.stringify(value))}\` | ${cell(doc)} |`;
    });
  const services = SERVICES.map((one) => `\`${one}\``).join(', ');
  return [
    head.trimEnd(),
    '## Values',
    `\`SERVICE\` is one of ${services}.`,
    ['| value | default | meaning |', '|---|---|---|', ...rows, ''].join('\n'),
  ].join('\n\n');
};
