import type { ParameterDescriptor } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/service-kit/json-values';
import { KIND_TABLE } from './kinds';

const KINDS = [...KIND_TABLE.values()];

/** Parameters of a kind with their paths. */
const paths = (parameters: readonly ParameterDescriptor[], prefix = ''): [string, ParameterDescriptor][] =>
  parameters.flatMap((one) => [
    [prefix + one.name, one],
    ...paths(one.fields ?? [], `${prefix}${one.name}.`),
    ...(one.groups ?? []).flatMap((group) => paths(group.fields, `${prefix}${one.name}.${group.name}.`)),
  ]);

describe('editors of the catalogue', () => {
  const all = KINDS.flatMap(({ kind: name, parameters }) =>
    paths(parameters).map(([path, one]) => [`${name}.${path}`, one] as const),
  );

  it.each([
    ['JavaScript', /(jsCode|functionCode|(?<!parameter)\.code)$/, 'javascript'],
    ['cron expressions', /(cronExpression|interval\.expression)$/, 'cron'],
  ])('names the editor of every parameter with %s', (_, name, editor) => {
    const named = all.filter(([path, { type }]) => name.test(path) && type === 'string');
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter(([, one]) => one.editor !== editor).map(([path]) => path)).toEqual([]);
  });

  it('edits JSON as JSON, except for references, resource locators and mappings of columns', () => {
    const json = all.filter(([, { type }]) => type === 'json');
    expect(json.length).toBeGreaterThan(20);
    const isText = ({ reference, default: initial }: ParameterDescriptor) =>
      reference === undefined && !isJsonObject(initial);
    expect(json.filter(([, one]) => one.editor !== (isText(one) ? 'json' : undefined)).map(([path]) => path)).toEqual(
      [],
    );
  });

  it('edits only text', () => {
    const others = all.filter(([, { type }]) => type !== 'string' && type !== 'json');
    expect(others.filter(([, { editor, placeholder }]) => editor ?? placeholder).map(([path]) => path)).toEqual([]);
  });

  it('edits all forms of a parameter alike', () => {
    const hints = Map.groupBy(all, ([path, { type }]) => `${path} ${type}`);
    const differing = [...hints].filter(
      ([, forms]) =>
        new Set(forms.map(([, { editor, reference, placeholder }]) => JSON.stringify([editor, reference, placeholder])))
          .size > 1,
    );
    expect(differing.map(([path]) => path)).toEqual([]);
  });

  it('names the resource of every id of a workflow, data table or credential', () => {
    const ids = all.filter(([path]) => /(workflowId|dataTableId|credentialId)$/.test(path));
    expect(ids.map(([path, { reference }]) => [path, reference])).toEqual([
      ['dataTable.dataTableId', 'dataTable'],
      ['dataTable.dataTableId', 'dataTable'],
      ['executeWorkflow.workflowId', 'workflow'],
      ['langchain.toolWorkflow.workflowId', 'workflow'],
      ['n8n.workflowId', 'workflow'],
      ['n8n.filters.workflowId', 'workflow'],
      ['n8n.credentialId', 'credential'],
    ]);
  });

  it('names the editor of SQL queries', () => {
    const queries = ['merge', 'mySql', 'postgres'].map((name) =>
      KIND_TABLE.get(name)?.parameters.find((one) => one.name === 'query'),
    );
    expect(queries.map((query) => query?.editor)).toEqual(['sql', 'sql', 'sql']);
  });

  it('shows placeholders only where no value is set by default', () => {
    const shadowed = all.filter(([, one]) => one.placeholder !== undefined && one.default === one.placeholder);
    expect(shadowed.map(([path]) => path)).toEqual([]);
  });
});
