import { createStoreClock } from './store-clock';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse('2026-03-01T10:00:00Z');

describe('the clock of the store', () => {
  let elapsed = 0;
  let wall = START;
  beforeEach(() => {
    elapsed = 500;
    wall = START;
  });
  const clock = () =>
    createStoreClock(
      () => elapsed,
      () => wall,
    );

  it('is that of the process before the first reading, and never afterwards', () => {
    const store = clock();
    expect(store.now()).toBe(START);
    store.note(START + 3_000, elapsed);
    elapsed += 1_000;
    for (const error of [25 * HOUR_MS, 16 * DAY_MS, -16 * DAY_MS]) {
      wall = START + error;
      expect(store.now()).toBe(START + 4_000);
    }
  });

  it('follows small corrections at once', () => {
    const store = clock();
    store.note(START, elapsed);
    store.note(START - 59_000, elapsed);
    expect(store.now()).toBe(START - 59_000);
  });

  it('ignores a jump that later readings contradict', () => {
    const store = clock();
    store.note(START, elapsed);
    const began = elapsed;
    for (; elapsed < began + 50_000; elapsed += 2_000) {
      store.note(START + 16 * DAY_MS + elapsed - began, elapsed);
      expect(store.now()).toBe(START + elapsed - began);
    }
    store.note(START + elapsed - began, elapsed);
    elapsed += 20_000;
    store.note(START + 16 * DAY_MS + elapsed - began, elapsed);
    expect(store.now()).toBe(START + elapsed - began);
  });

  it('accepts a jump that readings confirm for a minute', () => {
    const store = clock();
    store.note(START, elapsed);
    const began = elapsed;
    for (; elapsed <= began + 60_000; elapsed += 2_000) store.note(START - DAY_MS + elapsed - began, elapsed);
    expect(store.now()).toBe(START - DAY_MS + elapsed - began);
  });
});
