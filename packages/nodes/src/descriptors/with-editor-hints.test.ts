import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { KIND_TABLE, KINDS } from './kinds';
import { withEditorHints } from './with-editor-hints';

const kind = (parameters: readonly ParameterDescriptor[]): KindDescriptor => ({
  kind: 'k',
  label: 'K',
  description: 'K.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters,
});
const string = (name: string): ParameterDescriptor => ({ name, label: 'Name', type: 'string' });
const json = (name: string, over: Partial<ParameterDescriptor> = {}): ParameterDescriptor => ({
  name,
  label: 'Name',
  type: 'json',
  ...over,
});

/** Parameters of a kind with their paths. */
const paths = (parameters: readonly ParameterDescriptor[], prefix = ''): [string, ParameterDescriptor][] =>
  parameters.flatMap((one) => [
    [prefix + one.name, one],
    ...paths(one.fields ?? [], `${prefix}${one.name}.`),
    ...(one.groups ?? []).flatMap((group) => paths(group.fields, `${prefix}${one.name}.${group.name}.`)),
  ]);

describe('withEditorHints', () => {
  it('adds hints by path, including fields and groups, to all parameters that share the path', () => {
    const { parameters } = withEditorHints(
      kind([
        { name: 'options', label: 'Options', type: 'collection', fields: [string('body')] },
        {
          name: 'rules',
          label: 'Rules',
          type: 'fixedCollection',
          groups: [{ name: 'values', label: 'Values', fields: [string('code')] }],
        },
        { ...string('query'), until: 1 },
        { ...string('query'), since: 2 },
      ]),
      {
        'options.body': { editor: 'html' },
        'rules.values.code': { editor: 'javascript' },
        query: { editor: 'sql', placeholder: 'SELECT 1' },
      },
    );
    expect(Object.fromEntries(paths(parameters))).toMatchObject({
      'options.body': { editor: 'html' },
      'rules.values.code': { editor: 'javascript' },
      query: { since: 2, editor: 'sql', placeholder: 'SELECT 1' },
    });
    expect(parameters.find(({ until }) => until === 1)).toMatchObject({ editor: 'sql' });
  });

  it('gives JSON the JSON editor, except for references, resource locators and mappings of columns', () => {
    const { parameters } = withEditorHints(
      kind([
        json('body'),
        json('list', { default: [] }),
        json('table', { default: { mode: 'list', value: '' } }),
        json('tableId', { default: '' }),
      ]),
      { tableId: { reference: 'dataTable' } },
    );
    expect(parameters.map(({ name, editor }) => [name, editor])).toEqual([
      ['body', 'json'],
      ['list', 'json'],
      ['table', undefined],
      ['tableId', undefined],
    ]);
  });

  it('gives a JSON parameter and a string that share a name different editors', () => {
    const { parameters } = withEditorHints(kind([json('body'), string('body')]), { body: { editor: 'multiline' } });
    expect(parameters.map(({ editor }) => editor)).toEqual(['json', 'multiline']);
  });

  it('rejects a path that no parameter has', () => {
    expect(() => withEditorHints(kind([string('name')]), { nmae: { editor: 'sql' } })).toThrow(
      'Editor hints for unknown parameters of k: nmae.',
    );
  });
});

describe('editor hints of the catalogue', () => {
  const all = KINDS.flatMap(({ kind: name, parameters }) =>
    paths(parameters).map(([path, one]) => [`${name}.${path}`, one] as const),
  );

  it.each([
    ['JavaScript', /(jsCode|functionCode|\.code)$/, 'javascript'],
    ['cron expressions', /(cronExpression|interval\.expression)$/, 'cron'],
  ])('names the editor of every parameter with %s', (_, name, editor) => {
    const named = all.filter(([path, { type }]) => name.test(path) && type === 'string');
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter(([, one]) => one.editor !== editor).map(([path]) => path)).toEqual([]);
  });

  it('names the resource of every id of a workflow, data table or credential', () => {
    const ids = all.filter(([path]) => /(workflowId|dataTableId|credentialId)$/.test(path));
    expect(ids.map(([path, { reference }]) => [path, reference])).toEqual([
      ['dataTable.dataTableId', 'dataTable'],
      ['dataTable.dataTableId', 'dataTable'],
      ['executeWorkflow.workflowId', 'workflow'],
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
