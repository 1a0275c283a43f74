import { type NodeRunRecord, prepareWorkflow, type RunData } from '@weft/engine';
import { readDefinition } from '@weft/node-catalogue';
import { KIND_TABLE } from '@weft/nodes/descriptors';
import { isEmptyStart } from './empty-start';

const workflow = prepareWorkflow(
  readDefinition({
    name: 'x',
    nodes: [
      { name: 'Feed', type: 'weft-nodes-base.rssFeedReadTrigger', parameters: {} },
      { name: 'Hook', type: 'weft-nodes-base.webhook', parameters: { path: 'a' } },
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

describe('an empty start', () => {
  it('is a run of a scheduled polling trigger that found nothing', () => {
    expect(isEmptyStart({ mode: 'trigger', startNode: 'Feed' }, workflow, of([]))).toBe(true);
  });

  it('is not a run that found something, failed, was started manually, continued, or began elsewhere', () => {
    expect(isEmptyStart({ mode: 'trigger', startNode: 'Feed' }, workflow, of([{ json: {} }]))).toBe(false);
    expect(isEmptyStart({ mode: 'trigger', startNode: 'Feed' }, workflow, of([], 'error'))).toBe(false);
    expect(isEmptyStart({ mode: 'manual', startNode: 'Feed' }, workflow, of([]))).toBe(false);
    expect(isEmptyStart({ mode: 'retry', startNode: 'Feed' }, workflow, of([]))).toBe(false);
    const both = new Map([...of([]), ['Next', [recordOf([], 'success')]]]);
    expect(isEmptyStart({ mode: 'trigger', startNode: 'Feed' }, workflow, both)).toBe(false);
    const clock = new Map([['Clock', [recordOf([], 'success')]]]);
    expect(isEmptyStart({ mode: 'trigger', startNode: 'Clock' }, workflow, clock)).toBe(false);
  });

  it('is a run of a webhook whose condition the request does not meet', () => {
    const runs = (items: readonly { readonly json: object }[]) => new Map([['Hook', [recordOf(items, 'success')]]]);
    expect(isEmptyStart({ mode: 'webhook', startNode: 'Hook' }, workflow, runs([]))).toBe(true);
    expect(isEmptyStart({ mode: 'webhook', startNode: 'Hook' }, workflow, runs([{ json: {} }]))).toBe(false);
    expect(isEmptyStart({ mode: 'manual', startNode: 'Hook' }, workflow, runs([]))).toBe(false);
  });
});
