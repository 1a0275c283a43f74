import type { ParameterDescriptor } from '../descriptor';
import { KINDS } from './index';

const all = (list: readonly ParameterDescriptor[]): ParameterDescriptor[] =>
  list.flatMap((one) => [one, ...all(one.fields ?? []), ...(one.groups ?? []).flatMap((group) => all(group.fields))]);

describe('the catalogue', () => {
  it('has every kind once', () => {
    expect(new Set(KINDS.map((one) => one.kind)).size).toBe(KINDS.length);
  });

  it.each(KINDS.map((one) => [one.kind, one] as const))('%s: versions ascend, defaults are among the options, conditions name parameters', (_, descriptor) => {
    expect([...descriptor.versions].sort((a, b) => a - b)).toEqual(descriptor.versions);
    const top = new Set(descriptor.parameters.map((one) => one.name));
    for (const one of all(descriptor.parameters)) {
      if (one.type === 'options' && one.default !== undefined && one.default !== '') expect(one.options?.map((option) => option.value)).toContain(one.default);
      for (const name of Object.keys({ ...one.shownWhen, ...one.hiddenWhen })) if (name.startsWith('/')) expect(top).toContain(name.slice(1));
    }
    for (const one of descriptor.parameters) for (const name of Object.keys({ ...one.shownWhen, ...one.hiddenWhen })) expect(top).toContain(name);
  });

  it.each(KINDS.map((one) => [one.kind, one] as const))('%s: no parameter depends on itself', (_, descriptor) => {
    const reaches = (name: string, seen: readonly string[]): boolean => seen.includes(name)
      || descriptor.parameters.filter((one) => one.name === name).some((one) => Object.keys({ ...one.shownWhen, ...one.hiddenWhen }).some((next) => reaches(next, [...seen, name])));
    for (const one of descriptor.parameters) expect(reaches(one.name, [])).toBe(false);
  });
});
