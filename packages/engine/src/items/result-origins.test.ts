import type { Item } from './items';
import { MAX_ORIGIN_STEPS, resultWithOrigins } from './result-origins';
import type { NodeRunRecord, RunSource } from '../records/run-record';

const items = (...pairs: readonly Item['pairedItem'][]): Item[] =>
  pairs.map((pairedItem, n) => ({ json: { n }, ...(pairedItem === undefined ? {} : { pairedItem }) }));
const runOf = (outputs: readonly (readonly Item[])[], ...source: readonly RunSource[]): NodeRunRecord => ({
  startTime: 0,
  executionTime: 0,
  executionIndex: 0,
  source,
  hints: [],
  executionStatus: 'success',
  data: { main: outputs },
});
const from = (previousNode: string, more: Omit<RunSource, 'previousNode'> = {}): RunSource => ({
  previousNode,
  ...more,
});
const START = runOf([items({ item: 0 }, { item: 1 }, { item: 2 })]);
const originsOf = (runs: Readonly<Record<string, readonly NodeRunRecord[]>>, ...last: readonly NodeRunRecord[]) =>
  resultWithOrigins(new Map([['Start', [START]], ...Object.entries(runs)]), last).map(({ origin }) => origin);

describe('origins of the result of a sub-workflow', () => {
  it('lead through nodes that choose, reorder and split their items', () => {
    const sorted = runOf([items({ item: 2 }, { item: 0 }, { item: 1 })], from('Start'));
    const branch = runOf([items({ item: 1 }), items({ item: 0 }, { item: 2 })], from('Sort'));
    const last = runOf([items({ item: 1 }, { item: 0 }, { item: 1 })], from('If', { previousNodeOutput: 1 }));
    expect(originsOf({ Sort: [sorted], If: [branch] }, last)).toEqual([1, 2, 1]);
  });

  it('lead through the run and the input that an item names', () => {
    const first = runOf([items({ item: 2 })], from('Start'));
    const second = runOf([items({ item: 1 })], from('Start'));
    const last = runOf(
      [items({ item: 0, input: 1 }, { item: 0, sourceOverwrite: { previousNode: 'A', previousNodeRun: 0 } })],
      from('Start'),
      from('A', { previousNodeRun: 1 }),
    );
    expect(originsOf({ A: [first, second] }, last)).toEqual([1, 2]);
  });

  it('are the first of several for an item made of several', () => {
    expect(originsOf({}, runOf([items([{ item: 1 }, { item: 2 }])], from('Start')))).toEqual([1]);
  });

  it('are the own position where the way is lost on its way, and unknown for an item that names none', () => {
    const lost = runOf([items(undefined, undefined, undefined, undefined)], from('Start'));
    const last = runOf([items({ item: 3 }, { item: 0 }, undefined, { item: 9 })], from('Code'));
    expect(originsOf({ Code: [lost] }, last)).toEqual([0, 1, undefined, undefined]);
  });

  it('are the positions where the run has no other node', () => {
    expect(originsOf({}, START)).toEqual([0, 1, 2]);
  });

  it('count for the items of all runs that make the result', () => {
    const last = [runOf([items({ item: 2 })], from('Start')), runOf([items({ item: 0 })], from('Start'))];
    expect(originsOf({}, ...last)).toEqual([2, 0]);
  });

  it('are unknown for all items if their ways back are too long together, or go round in circles', () => {
    const circle = runOf([items({ item: 0 })], from('Loop'));
    const last = runOf([items({ item: 0 }, { item: 0 })], from('Loop'));
    expect(originsOf({ Loop: [circle] }, last)).toEqual([undefined, undefined]);
    const many = Array.from({ length: MAX_ORIGIN_STEPS + 1 }, () => ({ json: {}, pairedItem: { item: 0 } }));
    expect(new Set(originsOf({}, runOf([many], from('Start'))))).toEqual(new Set([undefined]));
  });
});
