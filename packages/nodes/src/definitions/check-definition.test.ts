import type { Json, JsonObject } from '@weft/service-kit/json';
import { checkDefinition, definitionWarnings } from './check-definition';
import { readDefinition } from '@weft/node-catalogue';

const node = (kind: string, parameters: JsonObject = {}, over: JsonObject = {}): JsonObject => ({
  name: 'N',
  type: `weft-nodes-base.${kind}`,
  parameters,
  ...over,
});
const messages = (nodes: JsonObject[], settings: JsonObject = {}): string[] =>
  checkDefinition(readDefinition({ name: 'x', nodes, connections: {}, settings })).map((error) => error.message);

const warnings = (nodes: JsonObject[]): { field: string; message: string }[] =>
  definitionWarnings(readDefinition({ name: 'x', nodes, connections: {} })).map(({ field, message }) => ({
    field,
    message,
  }));

describe('warnings about simple vector stores', () => {
  const store = (name: string, parameters: JsonObject, over: JsonObject = {}): JsonObject => ({
    ...{ name, type: '@n8n/n8n-nodes-langchain.vectorStoreInMemory', typeVersion: 1.3, parameters },
    ...over,
  });
  const key = (value: string): JsonObject => ({ memoryKey: { __rl: true, mode: 'id', value } });
  const about = (...nodes: JsonObject[]): string[] =>
    warnings(nodes)
      .filter(({ field }) => field === 'parameters.memoryKey')
      .map(({ message }) => message);

  it('name a store that no node of the workflow fills, and say what to do', () => {
    expect(about(store('Ask', { mode: 'retrieve-as-tool', ...key('shared') }))).toEqual([
      'Node "Ask": no node of this workflow inserts documents into the store "shared", and other workflows cannot. ' +
        'Move the node that inserts into this workflow, or use a vector database.',
    ]);
    expect(about(store('Ask', key('a')), store('Add', { mode: 'insert', ...key('b') }))).toHaveLength(1);
    expect(about(store('Ask', {}), store('Add', { mode: 'insert' }, { disabled: true }))).toHaveLength(1);
  });

  it('are left out if a node fills the store, or may fill it', () => {
    expect(about(store('Ask', {}), store('Add', { mode: 'insert' }))).toEqual([]);
    expect(about(store('Ask', key('a')), store('Add', { mode: 'insert', ...key('={{ $json.k }}') }))).toEqual([]);
    expect(about(store('Ask', key('={{ $json.k }}')))).toEqual([]);
  });
});

describe('checkDefinition', () => {
  it('finds no errors in a workflow of known kinds', () => {
    expect(
      messages([
        node('manualTrigger'),
        node('set', { mode: 'raw', jsonOutput: '={{ $json }}' }, { name: 'S', typeVersion: 3.4 }),
        node('webhook', { path: 'a', responseMode: 'responseNode', httpMethod: 'POST' }, { name: 'W', typeVersion: 2 }),
      ]),
    ).toEqual([]);
  });

  it('names the node of an unknown kind and the kind that was meant', () => {
    expect(messages([node('htpRequest', {}, { name: 'Call it' })])[0]).toMatch(
      /"Call it".*htpRequest.*Did you mean "httpRequest"\?$/,
    );
  });

  it.each([
    ['executeCommand', 'with an "ssh" node'],
    ['localFileTrigger', 'with "readWriteFile"'],
  ])('explains why %s is not supported and what to use instead', (kind, instead) => {
    const [message] = messages([node(kind, {}, { name: 'Do it', type: `n8n-nodes-base.${kind}` })]);
    expect(message).toContain(`Node "Do it": ${kind} is not supported. No node `);
    expect(message).toContain(instead);
  });

  it('rejects an unsupported version and lists the supported ones', () => {
    expect(messages([node('set', {}, { typeVersion: 9 })])[0]).toMatch(/version 9 .*3\.4/);
  });

  it('ignores disabled nodes and notes', () => {
    expect(
      messages([node('nope', {}, { disabled: true }), node('stickyNote', {}, { name: 'Note', typeVersion: 7 })]),
    ).toEqual([]);
  });

  it('rejects every unsupported webhook authentication', () => {
    const hook = (authentication: string): JsonObject => node('webhook', { path: 'a', authentication });
    expect(messages([hook('oAuth2')])[0]).toContain('not supported');
    expect(messages([hook('={{ "none" }}')])[0]).toContain('cannot contain an expression');
    expect(messages([hook('basicAuth')])[0]).toContain('httpBasicAuth');
    expect(messages([{ ...hook('basicAuth'), credentials: { httpBasicAuth: { id: 'c' } } }])).toEqual([]);
  });

  it('rejects options of n8n that are not supported, with a specific message', () => {
    const options = { rawBody: '={{ $json.x }}' };
    expect(messages([node('webhook', { path: 'a', options }, { typeVersion: 2 })])).toEqual([
      expect.stringContaining('cannot contain an expression'),
    ]);
  });

  it('accepts streaming responses of webhooks from version 2.1 on', () => {
    const streaming = (typeVersion: number) =>
      messages([node('webhook', { path: 'a', responseMode: 'streaming' }, { typeVersion })]);
    expect(streaming(2.1)).toEqual([]);
    expect(streaming(2)).not.toEqual([]);
  });

  it('accepts an unsupported option at its default or hidden', () => {
    expect(messages([node('webhook', { path: 'a', options: { rawBody: false } }, { typeVersion: 2 })])).toEqual([]);
    expect(
      messages([
        node(
          'webhook',
          { path: 'a', responseMode: 'onReceived', responseData: 'firstEntryBinary' },
          { typeVersion: 2 },
        ),
      ]),
    ).toEqual([]);
  });

  it.each<[string, number, JsonObject]>([
    ['merge', 2, { mode: 'chooseBranch', chooseBranchMode: 'waitForBoth' }],
    ['merge', 3.2, { mode: 'chooseBranch', chooseBranchMode: 'waitForAll' }],
    ['webhook', 1, { path: 'a', multipleMethods: true, httpMethod: ['PUT'], options: { rawBody: true } }],
    ['wait', 1, { resume: 'webhook', options: { binaryData: true } }],
    ['formTrigger', 2.6, { path: 'a', options: { path: 'a', showHeaders: true, includeUserInOutput: false } }],
  ])('accepts the parameters of %s %d in a workflow from n8n', (kind, typeVersion, parameters) => {
    expect(messages([node(kind, parameters, { typeVersion })])).toEqual([]);
  });

  it('requires parameters only where they apply', () => {
    expect(messages([node('httpRequest', {}, { typeVersion: 4.2 })])[0]).toContain('parameters.url');
    expect(messages([node('stopAndError', { errorType: 'errorObject', errorObject: '{}' })])).toEqual([]);
    expect(messages([node('stopAndError', {})])[0]).toContain('errorMessage');
  });

  it('takes any version of a kind with one implementation, and rejects it where versions are separate', () => {
    expect(
      messages([node('noOp', {}, { typeVersion: 1.8 }), node('code', { jsCode: 'x' }, { typeVersion: 7 })]),
    ).toEqual([]);
    expect(messages([node('if', {}, { typeVersion: 2.9 })])[0]).toContain('version 2.9 of if is not supported');
  });

  it('takes a choice in expression mode without braces for its text', () => {
    const parameters = {
      url: '=http://x',
      method: '=POST',
      sendBody: true,
      contentType: '=raw',
      rawContentType: 'a/b',
    };
    expect(messages([node('httpRequest', parameters, { typeVersion: 4.2 })])).toEqual([]);
    expect(messages([node('httpRequest', { url: 'x', method: '=FETCH' }, { typeVersion: 4.2 })])[0]).toContain(
      'is "FETCH", which is not supported',
    );
    const rule = { leftValue: 1, rightValue: 2, operator: { type: '=number', operation: '=gt' } };
    expect(messages([node('if', { conditions: { conditions: [rule] } }, { typeVersion: 2.2 })])).toEqual([]);
  });

  it('accepts a credential that has only a name, which may exist later', () => {
    const hook = (reference: Json): JsonObject =>
      node('webhook', { path: 'a', authentication: 'basicAuth' }, { credentials: { httpBasicAuth: reference } });
    for (const reference of ['mine', { name: 'mine' }, { id: null, name: 'mine' }, { id: '', name: 'mine' }])
      expect(messages([hook(reference)])).toEqual([]);
    expect(messages([hook({ id: '', name: '' })])[0]).toContain('httpBasicAuth');
  });

  it('rejects misspelt names, and ignores leftovers without a meaning', () => {
    expect(messages([node('httpRequest', { url: 'http://x', sendBdy: true }, { typeVersion: 4.2 })])).toEqual([
      expect.stringContaining('`sendBdy` is not known. Did you mean `sendBody`?'),
    ]);
    expect(
      messages([node('httpRequest', { url: 'http://x', notice: 'hi', requestMethod: 'GET' }, { typeVersion: 4.2 })]),
    ).toEqual([]);
    const rule = { conditions: {}, outputkey: 'a', options: { x: 1 } };
    expect(messages([node('switch', { rules: { values: [rule] } }, { typeVersion: 3.2 })])).toEqual([
      expect.stringContaining('Did you mean `outputKey`?'),
    ]);
  });

  it('rejects conditions that never hold because their type has no such operation', () => {
    const filter = (type: string, operation: string): string[] =>
      messages([
        node(
          'if',
          {
            conditions: {
              combinator: 'and',
              conditions: [{ leftValue: 1, rightValue: 2, operator: { type, operation } }],
            },
          },
          { typeVersion: 2.2 },
        ),
      ]);
    expect(filter('number', 'larger')).toEqual([
      expect.stringMatching(/values of type number have no operation "larger"\. Supported: .*gt, lt/),
    ]);
    expect(filter('number', 'gt')).toEqual([]);
    expect(filter('string', '={{ $json.op }}')).toEqual([]);
  });

  it('rejects an explicit execution order v0 and accepts an unset one', () => {
    expect(messages([], { executionOrder: 'v0' })[0]).toContain('"v0" is not supported');
    expect(messages([], { executionOrder: 'v1' })).toEqual([]);
    expect(messages([])).toEqual([]);
  });

  it('reports errors of webhook paths and schedules too', () => {
    expect(messages([node('webhook', {})])[0]).toContain('needs a path');
    expect(
      messages([node('scheduleTrigger', { rule: { interval: [{ field: 'cronExpression', expression: 'no' }] } })])[0],
    ).toContain('five fields');
  });
});

describe('definitionWarnings', () => {
  it('names options that no version or operation has, and the known ones', () => {
    const call = (options: JsonObject) =>
      warnings([node('httpRequest', { url: 'http://x', options }, { typeVersion: 4.2 })]);
    expect(call({ retries: 3 })).toEqual([
      {
        field: 'parameters.options.retries',
        message: expect.stringMatching(/the option `retries` is not supported .*Supported: batching, .*timeout/),
      },
    ]);
    expect(call({ retries: '', batching: {}, bodyContentType: 'json', timeout: '={{ 5 }}' })).toEqual([]);
  });

  it('names the version that counts for another one, and skips disabled nodes', () => {
    expect(warnings([node('noOp', {}, { typeVersion: 1.8 })])).toEqual([
      { field: 'typeVersion', message: expect.stringContaining('no version 1.8; it runs as version 1.') },
    ]);
    expect(warnings([node('noOp', {}, { typeVersion: 1.8, disabled: true })])).toEqual([]);
    expect(warnings([node('noOp', {}, { typeVersion: 1 }), node('nope', {}, { typeVersion: 4 })])).toEqual([]);
  });
});
