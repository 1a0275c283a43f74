import { APPS } from '@weft/apps';
import type { JsonObject } from '@weft/service-kit/json';
import { checkParameters, type KindDescriptor, type ParameterDescriptor, inVersions } from '@weft/node-catalogue';
import * as own from './all';
import { KIND_TABLE } from './kinds';

const KINDS = [...KIND_TABLE.values()];

const all = (list: readonly ParameterDescriptor[]): ParameterDescriptor[] =>
  list.flatMap((one) => [one, ...all(one.fields ?? []), ...(one.groups ?? []).flatMap((group) => all(group.fields))]);

describe('the catalogue', () => {
  it('has every kind once', () => {
    const names = [
      ...Object.values<KindDescriptor>(own).map(({ kind }) => kind),
      ...APPS.flatMap(({ kinds }) => kinds),
    ];
    expect(KINDS.map((one) => one.kind)).toEqual(names.sort());
  });

  it.each(KINDS.map((one) => [one.kind, one] as const))(
    '%s: versions ascend, defaults are among the options, conditions name parameters',
    (_, descriptor) => {
      expect([...descriptor.versions].sort((a, b) => a - b)).toEqual(descriptor.versions);
      const top = new Set(descriptor.parameters.map((one) => one.name));
      for (const one of all(descriptor.parameters)) {
        if (one.type === 'options' && one.default !== undefined && one.default !== '')
          expect(one.options?.map((option) => option.value)).toContain(one.default);
        for (const name of Object.keys({ ...one.shownWhen, ...one.hiddenWhen }))
          if (name.startsWith('/')) expect(top).toContain(name.slice(1));
      }
      for (const one of descriptor.parameters)
        for (const name of Object.keys({ ...one.shownWhen, ...one.hiddenWhen })) expect(top).toContain(name);
    },
  );

  it.each(KINDS.map((one) => [one.kind, one] as const))('%s: no parameter depends on itself', (_, descriptor) => {
    const reaches = (name: string, seen: readonly string[]): boolean =>
      seen.includes(name) ||
      descriptor.parameters
        .filter((one) => one.name === name)
        .some((one) =>
          Object.keys({ ...one.shownWhen, ...one.hiddenWhen }).some((next) => reaches(next, [...seen, name])),
        );
    for (const one of descriptor.parameters) expect(reaches(one.name, [])).toBe(false);
  });

  it.each(KINDS.map((one) => [one.kind, one] as const))(
    '%s: a node with only its defaults, explicit or not, lacks at most required parameters',
    (_, descriptor) => {
      const credentials = Object.fromEntries(descriptor.credentials.map(({ type }) => [type, { id: 'c' }]));
      for (const version of descriptor.versions) {
        for (const parameters of [{}, defaultsOf(descriptor, version)]) {
          const errors = checkParameters(
            { id: '', name: 'N', type: '', typeVersion: version, position: [0, 0], parameters, credentials },
            descriptor,
          );
          expect(errors.map((error) => error.message).filter((message) => !message.includes('is required'))).toEqual(
            [],
          );
        }
      }
    },
  );

  it.each(KINDS.map((one) => [one.kind, one] as const))(
    '%s: inputs and outputs that depend on parameters, and credentials, name existing ones',
    (_, descriptor) => {
      const top = new Set(descriptor.parameters.map((one) => one.name));
      for (const { inputsBy, outputsBy, shownWhen } of descriptor.ports ?? []) {
        for (const name of [inputsBy, outputsBy, ...Object.keys(shownWhen ?? {})])
          if (name !== undefined) expect(top).toContain(name.split('.')[0]);
      }
      for (const { shownWhen } of descriptor.credentials)
        for (const name of Object.keys(shownWhen ?? {})) expect(top).toContain(name);
      if (descriptor.neverRuns !== true && descriptor.provides === undefined)
        expect(descriptor.isTrigger).toBe(descriptor.inputs.length === 0);
    },
  );

  it.each(KINDS.map((one) => [one.kind, one] as const))(
    '%s: every parameter has a label, top-level ones have a help text, and refused ones have a reason',
    (_, descriptor) => {
      expect(
        descriptor.parameters
          .filter((one) => one.help === undefined && one.refused === undefined)
          .map((one) => one.name),
      ).toEqual([]);
      for (const one of all(descriptor.parameters)) {
        expect(one.label).not.toBe('');
        for (const text of [one.refused, ...(one.options ?? []).map((option) => option.refused)])
          expect(text ?? 'A sentence.').toMatch(/^[A-Z`].*[.!]$/s);
      }
    },
  );
});

/** The first of the parameters of its version that share a name. */
function defaultsOf(descriptor: KindDescriptor, version: number): JsonObject {
  const known = descriptor.parameters.filter((one) => inVersions(one, version) && one.default !== undefined);
  return Object.fromEntries(
    [...known].reverse().flatMap((one) => (one.default === undefined ? [] : [[one.name, one.default]])),
  );
}
