import { isTooDeep } from './json';

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

it('distinguishes data that is nested too deeply from other errors', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
  expect(isTooDeep(thrownBy(() => JSON.stringify(deep)))).toBe(true);
  expect(isTooDeep(thrownBy(() => new Array(-1)))).toBe(false);
  expect(isTooDeep(new Error('Maximum call stack size exceeded'))).toBe(false);
  expect(isTooDeep('Maximum call stack size exceeded')).toBe(false);
});
