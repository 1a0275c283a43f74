import { mcpToolOf } from './mcp-tool';

const ANYTHING = { type: 'object', additionalProperties: true };

const node = (kind: string, parameters: Record<string, unknown> = {}, extra: Record<string, unknown> = {}) => ({
  id: kind,
  name: `the ${kind}`,
  type: `n8n-nodes-base.${kind}`,
  position: [0, 0],
  parameters,
  ...extra,
});

const definition = (nodes: readonly unknown[], extra: Record<string, unknown> = {}) =>
  JSON.parse(JSON.stringify({ name: 'w', nodes, connections: {}, settings: { availableInMCP: true }, ...extra }));

const toolOf = (nodes: readonly unknown[], extra: Record<string, unknown> = {}) => mcpToolOf(definition(nodes, extra));
const schemaOf = (one: unknown) => JSON.parse(toolOf([one])?.inputSchema ?? 'null');

describe('mcpToolOf', () => {
  it('finds no tool unless the settings say so', () => {
    const nodes = [node('webhook', { path: 'p' })];
    for (const settings of [undefined, {}, { availableInMCP: false }, { availableInMCP: 'true' }])
      expect(toolOf(nodes, { settings })).toBeUndefined();
    expect(toolOf(nodes)).toMatchObject({ trigger: 'webhook' });
  });

  it('finds no tool without an enabled trigger that takes arguments', () => {
    expect(toolOf([node('scheduleTrigger'), node('manualTrigger'), node('set')])).toBeUndefined();
    expect(toolOf([node('webhook', { path: 'p' }, { disabled: true })])).toBeUndefined();
  });

  it('prefers the trigger for calls', () => {
    const nodes = [node('formTrigger'), node('webhook'), node('executeWorkflowTrigger')];
    expect(toolOf(nodes)).toMatchObject({ trigger: 'executeWorkflowTrigger', node: 'the executeWorkflowTrigger' });
    expect(toolOf(nodes.slice(0, 2))).toMatchObject({ trigger: 'webhook' });
  });

  it('takes the description from the notes of the trigger, or else of the workflow, and shortens it', () => {
    expect(toolOf([node('webhook', {}, { notes: ' noted ' })], { description: 'd' })?.description).toBe('noted');
    expect(toolOf([node('webhook')], { description: 'd' })?.description).toBe('d');
    expect(toolOf([node('webhook')])?.description).toBe('');
    expect(toolOf([node('webhook', {}, { notes: 'x'.repeat(5_000) })])?.description).toHaveLength(1_000);
  });

  it('reads declared inputs, and those of an example', () => {
    const values = [{ name: 'a', type: 'number' }, { name: 'b', type: 'any' }, { name: 'c' }, { name: '' }];
    expect(schemaOf(node('executeWorkflowTrigger', { workflowInputs: { values } }, { typeVersion: 1.1 }))).toEqual({
      type: 'object',
      properties: { a: { type: 'number' }, b: {}, c: { type: 'string' } },
      additionalProperties: false,
    });
    const example = { inputSource: 'jsonExample', jsonExample: '{"a":1,"b":[],"c":null,"d":{}}' };
    expect(schemaOf(node('executeWorkflowTrigger', example, { typeVersion: 1.1 }))).toMatchObject({
      properties: { a: { type: 'number' }, b: { type: 'array' }, c: {}, d: { type: 'object' } },
    });
  });

  it.each([
    ['an older version', {}, 1],
    ['all data', { inputSource: 'passthrough' }, 1.1],
    ['an example that is an expression', { inputSource: 'jsonExample', jsonExample: '={{ $json }}' }, 1.1],
    ['a broken example', { inputSource: 'jsonExample', jsonExample: '{"a"' }, 1.1],
    ['no inputs', { workflowInputs: {} }, 1.1],
  ])('accepts anything for %s', (_what, parameters, typeVersion) => {
    expect(schemaOf(node('executeWorkflowTrigger', parameters, { typeVersion }))).toEqual(ANYTHING);
  });

  it('accepts anything instead of a schema that would fill the context of a model', () => {
    const values = Array.from({ length: 90 }, (_, at) => ({ name: `${at}${'x'.repeat(400)}`, type: 'string' }));
    expect(schemaOf(node('executeWorkflowTrigger', { workflowInputs: { values } }, { typeVersion: 1.1 }))).toEqual(
      ANYTHING,
    );
  });

  it('asks for the parts of the path of a webhook', () => {
    expect(schemaOf(node('webhook', { path: 'orders/:id/lines' }))).toMatchObject({
      properties: { body: {}, query: {}, params: { properties: { id: { type: 'string' } }, required: ['id'] } },
      required: ['params'],
    });
    expect(schemaOf(node('webhook', { path: 'orders' })).properties).not.toHaveProperty('params');
  });

  it('has the fields of a form that can be sent as JSON', () => {
    const values = [
      { fieldLabel: 'Name', fieldType: 'text', requiredField: true },
      { fieldLabel: 'Age', fieldType: 'number' },
      {
        fieldLabel: 'Colour',
        fieldType: 'dropdown',
        fieldOptions: { values: [{ option: 'red' }, { option: 'blue' }] },
      },
      { fieldLabel: 'Photo', fieldType: 'file' },
    ];
    expect(schemaOf(node('formTrigger', { formFields: { values } }, { typeVersion: 2.2 }))).toMatchObject({
      properties: {
        Name: { type: 'string', description: 'Name' },
        Age: { type: 'number' },
        Colour: { type: 'string', enum: ['red', 'blue'] },
      },
      required: ['Name'],
      additionalProperties: false,
    });
  });

  it('never fails, whatever the definition has', () => {
    for (const nodes of [[], [null], [5], [node('webhook', { path: 5 })], [node('formTrigger', { formFields: [] })]])
      expect(() => toolOf(nodes)).not.toThrow();
  });
});
