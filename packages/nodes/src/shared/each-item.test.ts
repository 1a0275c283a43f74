import type { JsonObject } from '@weft/node-catalogue';
import { outputOf } from '../testing/cases/run-kind';

const ITEMS = 6;

/** Nodes with a parameter that is evaluated for each item. */
const KINDS: readonly (readonly [string, number, JsonObject])[] = [
  ['set', 3.4, { assignments: { assignments: [{ id: '1', name: 'a', type: 'string', value: '={{ $json.a }}' }] } }],
  ['set', 1, { values: { string: [{ name: 'a', value: '={{ $json.a }}' }] } }],
  ['if', 1, { conditions: { string: [{ value1: '={{ $json.a }}', value2: 'x' }] } }],
  ['filter', 1, { conditions: { string: [{ value1: '={{ $json.a }}', value2: 'x' }] } }],
  ['switch', 1, { mode: 'expression', output: '={{ $json.a.length - 1 }}' }],
  ['renameKeys', 1, { keys: { key: [{ currentKey: 'a', newKey: '={{ $json.a }}' }] } }],
  ['executionData', 1, { dataToSave: { values: [{ key: 'k', value: '={{ $json.a }}' }] } }],
  ['crypto', 1, { action: 'hash', type: 'SHA256', value: '={{ $json.a }}' }],
  ['splitOut', 1, { fieldToSplitOut: '={{ $json.a }}' }],
  ['html', 1.2, { operation: 'generateHtmlTemplate', html: '{{ $json.a }}' }],
  ['markdown', 1, { mode: 'markdownToHtml', markdown: '={{ $json.a }}' }],
  ['dateTime', 2, { operation: 'getCurrentDate', outputFieldName: '={{ $json.a }}' }],
  ['convertToFile', 1.1, { operation: 'toJson', mode: 'each', options: { fileName: '={{ $json.a }}' } }],
];

describe('a node with work for every item', () => {
  // As if every step took longer than a run may keep the thread while others wait.
  let now = 0;
  beforeAll(() => void jest.spyOn(performance, 'now').mockImplementation(() => (now += 11)));
  afterAll(() => jest.restoreAllMocks());

  it.each(KINDS)('yields the thread between items: %s %s', async (kind, version, parameters) => {
    let round = 0;
    let isOver = false;
    const count = (): void => {
      round += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    /** Event loop ticks in which an item was read. */
    const rounds = new Set<number>();
    const watch = (json: JsonObject): JsonObject => ({
      ...json,
      get a() {
        rounds.add(round);
        return 'x';
      },
    });
    const items = Array.from({ length: ITEMS }, () => ({ x: [1] }));
    try {
      await outputOf(kind, { version, parameters, items, watch, mode: 'trigger' });
    } finally {
      isOver = true;
    }
    expect(rounds.size).toBeGreaterThanOrEqual(ITEMS);
  });
});
