import { memoryDataTables } from '../testing/memory-data-tables';
import { memoryFileArea } from '../testing/memory-file-area';
import { type KindDescriptor, readDefinition } from '@weft/node-catalogue';
import type { ExpressionScope } from '@weft/expressions';
import { initialState } from '../records/engine-state';
import { NodeScope } from '../node/node-scope';
import { prepareWorkflow } from './prepare-workflow';
import { PreparedParameters } from './prepared-parameters';
import { RunFrame } from '../run/run-frame';

/** A kind with a default for any version, one that counts from version 2 on, and a parameter that another one shows. */
const KIND: KindDescriptor = {
  kind: 'test',
  label: 'Test',
  description: 'Test.',
  versions: [1, 2],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: [
    { name: 'mode', label: 'Mode', type: 'string', default: 'first' },
    { name: 'count', label: 'Count', type: 'number', default: 1, until: 1 },
    { name: 'count', label: 'Count', type: 'number', default: 2, since: 2 },
    { name: 'url', label: 'URL', type: 'string', default: '', shownWhen: { mode: ['first'] } },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      fields: [
        { name: 'timeout', label: 'Timeout', type: 'number', default: 10, until: 1 },
        { name: 'timeout', label: 'Timeout', type: 'number', default: 20, since: 2 },
        {
          name: 'limit',
          label: 'Limit',
          type: 'fixedCollection',
          groups: [
            {
              name: 'values',
              label: 'Values',
              fields: [{ name: 'unit', label: 'Unit', type: 'string', default: 'hours' }],
            },
          ],
        },
      ],
    },
  ],
};

/** The scope of an item with this JSON. */
function scopeOf(json: Record<string, string | number | string[]>): ExpressionScope {
  const workflow = prepareWorkflow(
    readDefinition({ name: 'x', nodes: [{ name: 'N', type: 'weft-nodes-base.noOp' }], connections: {} }),
    new Map(),
  );
  const refuse = (): Promise<never> => Promise.reject(new Error('Not part of this test.'));
  const frame = new RunFrame(
    {
      workflow,
      workflowId: 'w',
      workflowActive: false,
      executionId: 'e',
      mode: 'manual',
      input: [],
      state: initialState('N'),
      records: new Map(),
      usePinData: false,
      signal: new AbortController().signal,
    },
    {
      registry: new Map(),
      defaultTimezone: 'UTC',
      vars: {},
      env: {},
      nodeRunsMax: 1,
      ports: {
        http: { request: refuse },
        streams: { stream: refuse },
        mail: { send: refuse },
        databases: { postgres: refuse, mysql: refuse, redis: refuse, mongo: refuse },
        remote: { mailbox: refuse, ssh: refuse, ftp: refuse },
        credentials: { use: refuse },
        clock: { now: () => 0, sleep: refuse },
        files: { read: refuse, store: refuse },
        code: { run: refuse },
        formats: { run: refuse },
        persistentState: { read: refuse, write: refuse, inTurn: refuse, firstResult: refuse },
        dataTables: memoryDataTables([]),
        fileArea: memoryFileArea(),
        instance: { isHere: refuse, call: refuse },
        startChild: refuse,
        respond: refuse,
      },
    },
  );
  const node = workflow.nodes.get('N');
  if (node === undefined) throw new Error('No such node.');
  return new NodeScope(
    { frame, node, runIndex: 0, sources: [], items: [{ json }], itemsInput: 0, leadingRuns: new Map() },
    0,
  );
}
const unused = (): ExpressionScope => {
  throw new Error('Nothing here depends on an item.');
};

describe('PreparedParameters', () => {
  const raw = {
    url: '={{ $json.url }}',
    options: { list: [{ a: 1 }, { a: '={{ $json.n + 1 }}' }] },
    whole: '={{ { deep: { er: $json.n } } }}',
    plain: '=text',
    body: '={ "a": {{ $json.list }}, "b": "{{ $json.url }}", "c": {{ $json.none }} }',
  };
  const parameters = new PreparedParameters(raw, undefined, 1);
  const scope = () => scopeOf({ url: 'u', n: 1, list: ['x', 'y'] });

  it('resolves only what a path leads to', () => {
    expect(parameters.value('url', scope)).toBe('u');
    expect(parameters.value('options.list.1.a', scope)).toBe(2);
    expect(parameters.value('options', scope)).toEqual({ list: [{ a: 1 }, { a: 2 }] });
    expect(parameters.value('options.list.0.a', unused)).toBe(1);
    expect(parameters.value('plain', unused)).toBe('text');
    expect(parameters.value('nope.deeper', unused)).toBeUndefined();
  });

  it('follows a path into the result of an expression', () => {
    expect(parameters.value('whole.deep.er', scope)).toBe(1);
    expect(parameters.value('whole.nope', scope)).toBeUndefined();
  });

  it('returns the saved value', () => {
    expect(parameters.raw('options.list.1.a')).toBe('={{ $json.n + 1 }}');
    expect(parameters.raw('constructor')).toBeUndefined();
  });

  it('has the defaults of the kind and version', () => {
    const fresh = new PreparedParameters({}, KIND, 2);
    expect([fresh.value('mode', unused), fresh.value('count', unused), fresh.raw('url')]).toEqual(['first', 2, '']);
    expect(new PreparedParameters({}, KIND, 1).value('count', unused)).toBe(1);
  });

  it('gives the default of a parameter at any depth, whatever is set', () => {
    const stated = new PreparedParameters({ mode: '', options: { timeout: null } }, KIND, 2);
    const paths = [
      'mode',
      'count',
      'options.timeout',
      'options.limit.values.unit',
      'options.limit.unit',
      'nope',
      'nope.a',
    ];
    expect(paths.map((path) => stated.defaultOf(path))).toEqual([
      'first',
      2,
      20,
      'hours',
      undefined,
      undefined,
      undefined,
    ]);
    expect(new PreparedParameters({}, KIND, 1).defaultOf('options.timeout')).toBe(10);
    expect(parameters.defaultOf('url')).toBeUndefined();
  });

  it('puts objects and lists into JSON text as JSON', () => {
    expect(parameters.jsonText('body', scope)).toBe('{ "a": ["x","y"], "b": "u", "c": null }');
    expect(parameters.value('body', scope)).toBe('{ "a": x,y, "b": "u", "c":  }');
    expect(parameters.jsonText('whole', scope)).toEqual({ deep: { er: 1 } });
    expect(parameters.jsonText('plain', unused)).toBe('text');
  });

  it('give all together with the defaults of those that count, once computed for all items', () => {
    const stated = new PreparedParameters({ count: '={{ 3 }}' }, KIND, 2);
    expect(stated.all()).toEqual({ count: '={{ 3 }}', mode: 'first', url: '' });
    expect(stated.all()).toBe(stated.all());
    expect(new PreparedParameters({ mode: 'other' }, KIND, 2).all()).not.toHaveProperty('url');
    expect(new PreparedParameters({ a: 1 }, undefined, 1).all()).toEqual({ a: 1 });
  });
});
