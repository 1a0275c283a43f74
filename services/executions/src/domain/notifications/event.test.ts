import type { ShownExecution } from '../read/shown-executions';
import { endedEvent, MAX_EVENT_BYTES, requestOf } from './event';

const NOW = new Date('2026-03-01T10:00:00Z');
const EXECUTION: ShownExecution = {
  _id: 'e1',
  workflowId: 'w1',
  versionId: 'v1',
  ownerId: 'o1',
  mode: 'webhook',
  usePinData: false,
  state: 'error',
  status: 'error',
  createdAt: NOW,
  finishedAt: NOW,
  crashes: 0,
  nodeRunCount: 1,
  lastNode: 'Node',
  error: { reason: 'NODE_ERROR', message: 'It broke.', node: 'Node', errorJson: '{"stack":"s"}' },
  customData: '{"order":"7"}',
};
const parse = (execution: ShownExecution) => {
  const event = endedEvent(execution, 'https://weft.example/', JSON.stringify);
  expect(Buffer.byteLength(event)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
  return JSON.parse(event);
};

describe('the event of an ended execution', () => {
  it('names the execution, its workflow and its end, and contains what lists show', () => {
    expect(parse(EXECUTION)).toEqual({
      specversion: '1.0',
      id: 'e1:ended',
      source: 'https://weft.example/api/v1/workflows/w1',
      type: 'weft.execution.ended',
      subject: 'e1',
      time: '2026-03-01T10:00:00.000Z',
      datacontenttype: 'application/json',
      data: JSON.parse(JSON.stringify(EXECUTION)),
    });
  });

  it('leaves out the details of its error if it is larger than 16 KB, and keeps the custom data', () => {
    const { data } = parse({
      ...EXECUTION,
      error: {
        reason: 'NODE_ERROR',
        message: 'm'.repeat(20_000),
        node: 'Node',
        errorJson: `{"a":"${'x'.repeat(20_000)}"}`,
      },
    });
    expect(data.error).toEqual({ reason: 'NODE_ERROR', message: 'm'.repeat(1_000), node: 'Node', errorJson: '' });
    expect(data.customData).toBe('{"order":"7"}');
  });

  it('leaves out the custom data if it is still too large, and always fits', () => {
    const control = '\u0001';
    const { data } = parse({
      ...EXECUTION,
      lastNode: control.repeat(1_000),
      error: { reason: 'NODE_ERROR', message: control.repeat(5_000), node: control.repeat(1_000), errorJson: '' },
      customData: JSON.stringify({ a: control.repeat(512), b: control.repeat(512) }),
    });
    expect(data.customData).toBeUndefined();
    expect(data.error.reason).toBe('NODE_ERROR');
  });
});

describe('a request with events', () => {
  const events = [{ event: '{"id":"a"}' }, { event: '{"id":"b"}' }];

  it('has the id of its only event, or an id that is the same for the same events', () => {
    expect(requestOf(events.slice(0, 1), ['a'], false)).toMatchObject({
      id: 'a',
      contentType: 'application/cloudevents+json; charset=utf-8',
      body: Buffer.from('{"id":"a"}'),
    });
    const batch = requestOf(events, ['a', 'b'], true);
    expect(JSON.parse(batch.body.toString())).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(batch.contentType).toBe('application/cloudevents-batch+json; charset=utf-8');
    expect(requestOf(events, ['a', 'b'], true).id).toBe(batch.id);
    expect(requestOf(events, ['a', 'c'], true).id).not.toBe(batch.id);
  });

  it('contains a list for a subscription to batches, even of one event', () => {
    expect(requestOf(events.slice(0, 1), ['a'], true).body.toString()).toBe('[{"id":"a"}]');
  });
});
