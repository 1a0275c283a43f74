import { prepareWorkflow } from './engine/prepare-workflow';
import type { RunOutcome } from './engine/run-request';
import type { RunData } from './engine/run-record';
import { readDefinition } from '@weft/node-catalogue';
import { answerAtEnd } from './webhook-answer';

const answer = (parameters: Record<string, unknown>, outcome: RunOutcome, items: readonly Record<string, string>[] = [{ a: '1' }, { a: '2' }]) => {
  const definition = readDefinition({ name: 'w', nodes: [{ name: 'W', type: 'x-nodes-base.webhook', typeVersion: 2, position: [0, 0], parameters: JSON.parse(JSON.stringify({ path: 'p', ...parameters })) }], connections: {} });
  const records: RunData = new Map([['Last', [{ startTime: 0, executionTime: 0, executionIndex: 0, source: [], hints: [], executionStatus: 'success' as const, data: { main: [items.map((json) => ({ json }))] } }]]]);
  return answerAtEnd({ workflow: prepareWorkflow(definition), startNode: 'W', outcome, records });
};
const success: RunOutcome = { kind: 'success', lastNode: 'Last' };
const failure: RunOutcome = { kind: 'error', lastNode: 'Last', error: { name: 'NodeOperationError', message: 'a secret reason' } };

describe('the answer at the end of a webhook run', () => {
  it('is the first item of the last node, or all, or nothing, as the node says', () => {
    expect(answer({ responseMode: 'lastNode' }, success)).toEqual({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: '{"a":"1"}' });
    expect(answer({ responseMode: 'lastNode', responseData: 'allEntries' }, success)?.body).toBe('[{"a":"1"},{"a":"2"}]');
    expect(answer({ responseMode: 'lastNode', responseData: 'noData' }, success)?.body).toBe('');
  });

  it('is one field with its own content type, status and headers, as the options say', () => {
    const options = { responsePropertyName: 'a', responseContentType: 'text/plain', responseCode: { values: { responseCode: 201 } }, responseHeaders: { entries: [{ name: 'X-A', value: 'b' }] } };
    expect(answer({ responseMode: 'lastNode', options }, success)).toEqual({ status: 201, headers: { 'x-a': 'b', 'content-type': 'text/plain' }, body: '1' });
  });

  it('says that something went wrong and not what', () => {
    for (const responseMode of ['lastNode', 'responseNode']) expect(answer({ responseMode }, failure)).toMatchObject({ status: 500, body: '{"message":"Error in workflow"}' });
  });

  it('says so when no Respond node ran', () => {
    expect(answer({ responseMode: 'responseNode' }, success)).toMatchObject({ status: 500, body: expect.stringContaining('Respond to Webhook') });
  });

  it('is none when the webhook answered at once, or the run only pauses', () => {
    expect(answer({ responseMode: 'onReceived' }, success)).toBeUndefined();
    expect(answer({ responseMode: 'lastNode' }, { kind: 'stopped', reason: 'drain', state: { version: 1, executionIndex: 0, ready: [], waiting: [], memories: {} } })).toBeUndefined();
  });
});
