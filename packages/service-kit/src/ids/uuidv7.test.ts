import { isUuid, uuidv7 } from './uuidv7';

describe('an id', () => {
  it('sorts after every id that was made before it', () => {
    const ids = Array.from({ length: 20_000 }, uuidv7);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is a UUID of version 7', () => {
    expect(uuidv7()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(isUuid(uuidv7())).toBe(true);
    expect(isUuid('../../etc/passwd')).toBe(false);
  });
});
