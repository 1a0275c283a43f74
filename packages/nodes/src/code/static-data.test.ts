import type { JsonObject } from '@weft/node-catalogue';
import {
  changedStaticData,
  readStoredStaticData,
  seenStaticData,
  staticDataJson,
  type StoredStaticData,
} from './static-data';

const user = (operation: string, node = 'A') => ({ nodePart: `node:${node}`, operation });
const empty = readStoredStaticData(undefined);

/** Runs one operation in which `code` changes the global part. */
const run = (
  stored: StoredStaticData,
  operation: string,
  code: (global: JsonObject) => void,
): { readonly stored: StoredStaticData; readonly saw: JsonObject } => {
  const seen = seenStaticData(stored, user(operation));
  const wanted = structuredClone(seen);
  code(wanted.global);
  const next = changedStaticData(stored, user(operation), seen, wanted) ?? stored;
  return { stored: readStoredStaticData(staticDataJson(next)), saw: seen.global };
};
const count = (global: JsonObject): void => {
  global['n'] = Number(global['n'] ?? 0) + 1;
};

describe('static data', () => {
  it('has a part for the workflow, and one for each node', () => {
    const seen = seenStaticData(empty, user('o1'));
    const stored = changedStaticData(empty, user('o1'), seen, { global: { g: 1 }, node: { own: 2 } });
    expect(seenStaticData(stored ?? empty, user('o2'))).toEqual({ global: { g: 1 }, node: { own: 2 } });
    expect(seenStaticData(stored ?? empty, user('o2', 'B'))).toEqual({ global: { g: 1 }, node: {} });
  });

  it('is not written if nothing changed', () => {
    const seen = seenStaticData(empty, user('o1'));
    expect(changedStaticData(empty, user('o1'), seen, { global: {}, node: {} })).toBeUndefined();
  });

  it('shows a repeated operation the data it saw first, and applies its change once', () => {
    const first = run(empty, 'o1', count);
    const second = run(first.stored, 'o2', count);
    const again = run(second.stored, 'o2', count);
    expect([again.saw, again.stored.parts]).toEqual([{ n: 1 }, { global: { n: 2 } }]);
    const late = run(again.stored, 'o1', count);
    expect([late.saw, late.stored.parts]).toEqual([{}, { global: { n: 2 } }]);
  });

  it('applies the new changes of a repeated operation, unless others have written since', () => {
    const first = run(empty, 'o1', (global) => {
      global['a'] = 1;
      global['b'] = 1;
    });
    const other = run(first.stored, 'o1', (global) => {
      global['a'] = 2;
      global['c'] = 3;
    });
    expect(other.stored.parts).toEqual({ global: { a: 2, c: 3 } });
    const since = run(other.stored, 'o2', (global) => {
      global['a'] = 9;
    });
    expect(
      run(since.stored, 'o1', (global) => {
        global['a'] = 5;
        global['d'] = 4;
      }).stored.parts,
    ).toEqual({ global: { a: 9, c: 3, d: 4 } });
  });

  it('retains concurrent changes of other fields; the last write to a field wins', () => {
    const seen = seenStaticData(empty, user('o1'));
    const meanwhile = run(empty, 'o2', (global) => {
      global['a'] = 'other';
      global['b'] = 'other';
    }).stored;
    expect(changedStaticData(meanwhile, user('o1'), seen, { global: { a: 'mine' }, node: {} })?.parts).toEqual({
      global: { a: 'mine', b: 'other' },
    });
  });

  it('removes deleted fields', () => {
    const stored = run(empty, 'o1', (global) => {
      global['a'] = 1;
      global['b'] = 2;
    }).stored;
    expect(
      run(stored, 'o2', (global) => {
        delete global['a'];
      }).stored.parts,
    ).toEqual({ global: { b: 2 } });
  });

  it('records a limited number of writes, each of limited size', () => {
    let stored = empty;
    for (let index = 0; index < 60; index += 1) stored = run(stored, `o${index}`, count).stored;
    expect(stored.writes).toHaveLength(50);
    const large = run(stored, 'large', (global) => {
      global['text'] = 'x'.repeat(50_000);
    }).stored;
    const changed = run(large, 'next', (global) => {
      global['text'] = '';
    }).stored;
    expect(changed.writes.at(-1)).toEqual({ operation: 'next', before: null });
    // Too large to undo: it sees its own change and does not change anything again.
    expect(
      run(changed, 'next', (global) => {
        global['text'] = 'again';
      }).stored.parts,
    ).toMatchObject({ global: { text: '' } });
  });
});
