import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPlaces } from '../places';

/** The part of the sequencer that needs no jest. */
interface StoryOrder {
  /** Files run in the order of their places. */
  readonly placeOf: (path: string) => number;
}

const { checkout } = findPlaces({});
const { placeOf }: StoryOrder = createRequire(__filename)(join(checkout, 'packages/local-stack/jest/story-order.cjs'));

/** Calls as they are compiled, by the name of the story, in the order in which they are to run. */
const STORIES = {
  'own-stack': '(0, local_stack_1.startStack)({ replicas: 2 })',
  two: '(0, local_stack_1.borrowStack)({\n replicas: 2,\n})',
  both: '(0, local_stack_1.borrowStack)({ replicas: 2 }); (0, local_stack_1.borrowStack)()',
  settings: '(0, local_stack_1.borrowStack)({\n env: {} })',
  usual: '(0, local_stack_1.borrowStack)(); (0, local_stack_1.borrowStack)({})',
};

describe('the order of stories', () => {
  let home: string;
  beforeAll(() => {
    home = join(mkdtempSync(join(tmpdir(), 'weft-order-')), 'e2e/dist/src/stories');
    mkdirSync(home, { recursive: true });
    for (const [name, source] of Object.entries(STORIES)) writeFileSync(join(home, `${name}.test.js`), source);
  });
  afterAll(() => rmSync(home, { recursive: true }));

  it('runs stories that borrow the same stack together, and those with the usual stack last', () => {
    const places = Object.keys(STORIES).map((name) => placeOf(join(home, `${name}.test.js`)));
    expect(places).toEqual([...new Set(places)].sort((one, other) => one - other));
  });
});
