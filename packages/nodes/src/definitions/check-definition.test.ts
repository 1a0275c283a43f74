import type { JsonObject } from '@weft/service-kit/json';
import { checkDefinition } from './check-definition';
import { readDefinition } from '@weft/node-catalogue';

const node = (kind: string, parameters: JsonObject = {}, over: JsonObject = {}): JsonObject => ({
  name: 'N',
  type: `weft-nodes-base.${kind}`,
  parameters,
  ...over,
});
const messages = (nodes: JsonObject[], settings: JsonObject = {}): string[] =>
  checkDefinition(readDefinition({ name: 'x', nodes, connections: {}, settings })).map((error) => error.message);

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

  it('names the node of an unknown kind and the nearest kinds', () => {
    expect(messages([node('htpRequest', {}, { name: 'Call it' })])[0]).toMatch(/"Call it".*htpRequest.*httpRequest/);
    expect(messages([node('x', {}, { type: '@n8n/n8n-nodes-langchain.agent' })])[0]).toContain('unknown type');
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
    expect(messages([node('merge', { mode: 'combineBySql' }, { typeVersion: 3.2 })])[0]).toContain('SQL');
    expect(messages([node('webhook', { path: 'a', responseMode: 'streaming' }, { typeVersion: 2.1 })])[0]).toContain(
      'Streaming',
    );
    const options = { rawBody: '={{ $json.x }}' };
    expect(messages([node('webhook', { path: 'a', options }, { typeVersion: 2 })])).toEqual([
      expect.stringContaining('cannot contain an expression'),
    ]);
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

  it('rejects options that no version or operation has, and lists the known ones', () => {
    const call = (options: JsonObject): string[] =>
      messages([node('httpRequest', { url: 'http://x', options }, { typeVersion: 4.2 })]);
    expect(call({ retries: 3 })).toEqual([
      expect.stringMatching(/the option `retries` is not supported\. Supported: batching, .*timeout/),
    ]);
    expect(call({ retries: '', batching: {}, bodyContentType: 'json', timeout: '={{ 5 }}' })).toEqual([]);
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
