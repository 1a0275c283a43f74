import { type NodeRunRecord, prepareWorkflow, type RunData } from '@weft/engine';
import { readDefinition } from '@weft/node-catalogue';
import { KIND_TABLE } from '@weft/nodes/descriptors';
import { isEmptyPoll } from './empty-poll';

const workflow = prepareWorkflow(
  readDefinition({
    name: 'x',
    nodes: [
      { name: 'Feed', type: 'weft-nodes-base.rssFeedReadTrigger', parameters: {} },
      { name: 'Clock', type: 'weft-nodes-base.scheduleTrigger', parameters: {} },
    ],
    connections: {},
  }),
  KIND_TABLE,
);
const recordOf = (items: readonly { readonly json: object }[], executionStatus: 'success' | 'error'): NodeRunRecord =>
  JSON.parse(JSON.stringify({ executionStatus, data: { main: [items] } }));
const of = (items: readonly { readonly json: object }[], status: 'success' | 'error' = 'success'): RunData =>
  new Map([['Feed', [recordOf(items, status)]]]);

describe('an empty poll', () => {
  it('is a run of a polling trigger that the clock started and that found nothing', () => {
    expect(isEmptyPoll({ mode: 'trigger', startNode: 'Feed' }, workflow, of([]))).toBe(true);
  });

  it('is no run that found something, failed, was started by hand, went on, or began elsewhere', () => {
    expect(isEmptyPoll({ mode: 'trigger', startNode: 'Feed' }, workflow, of([{ json: {} }]))).toBe(false);
    expect(isEmptyPoll({ mode: 'trigger', startNode: 'Feed' }, workflow, of([], 'error'))).toBe(false);
    expect(isEmptyPoll({ mode: 'manual', startNode: 'Feed' }, workflow, of([]))).toBe(false);
    expect(isEmptyPoll({ mode: 'retry', startNode: 'Feed' }, workflow, of([]))).toBe(false);
    const both = new Map([...of([]), ['Next', [recordOf([], 'success')]]]);
    expect(isEmptyPoll({ mode: 'trigger', startNode: 'Feed' }, workflow, both)).toBe(false);
    const clock = new Map([['Clock', [recordOf([], 'success')]]]);
    expect(isEmptyPoll({ mode: 'trigger', startNode: 'Clock' }, workflow, clock)).toBe(false);
  });
});
