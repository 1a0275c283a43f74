import {
  inVersions,
  readDefinition,
  readKind,
  type Json,
  type JsonObject,
  type KindDescriptor,
  type NodeDefinition,
  type ParameterDescriptor,
} from '@weft/node-catalogue/definitions';
import { KIND_TABLE } from '@weft/nodes/descriptors';
import { fieldsWithin, othersWithin, readForm, type FormField } from './index';

const KINDS = [...KIND_TABLE.values()];

const nodeOf = (kind: string, typeVersion: number, parameters: JsonObject): NodeDefinition => {
  const [node] = readDefinition({
    name: 'W',
    nodes: [{ id: 'a', name: 'A', type: `n8n-nodes-base.${kind}`, typeVersion, position: [0, 0], parameters }],
    connections: {},
  }).nodes;
  if (node === undefined) throw new Error('no node');
  return node;
};

const allFields = (fields: readonly FormField[]): readonly FormField[] =>
  fields.flatMap((field) => [field, ...fieldsWithin(field.control)]);

/** Names of the parameters that a parameter depends on, at any distance. */
const dependenciesOf = (parameter: ParameterDescriptor, kind: KindDescriptor): ReadonlySet<string> => {
  const names = new Set<string>();
  const visit = (one: ParameterDescriptor): void => {
    for (const key of Object.keys({ ...one.shownWhen, ...one.hiddenWhen })) {
      const name = key.replace(/^\//, '');
      if (names.has(name)) continue;
      names.add(name);
      kind.parameters.filter((other) => other.name === name).forEach(visit);
    }
  };
  visit(parameter);
  return names;
};

/** Values that a parameter can have in some setting of its node. */
const valuesOf = (name: string, kind: KindDescriptor): readonly Json[] => {
  const options = kind.parameters
    .filter((one) => one.name === name)
    .flatMap((one) => (one.type === 'boolean' ? [true, false] : (one.options ?? []).map(({ value }) => value)));
  return [...new Set(options)];
};

/** Settings of a node in which a parameter counts; undefined if it never does. */
const settingsFor = (parameter: ParameterDescriptor, kind: KindDescriptor, version: number): JsonObject | undefined => {
  const names = [...dependenciesOf(parameter, kind)];
  const find = (at: number, chosen: JsonObject): JsonObject | undefined => {
    const name = names[at];
    if (name === undefined) {
      const { fields } = readForm(nodeOf(kind.kind, version, chosen), kind);
      return fields.some((field) => field.descriptor === parameter) ? chosen : undefined;
    }
    const wanted = parameter.shownWhen?.[name];
    for (const value of wanted ?? valuesOf(name, kind)) {
      const found = find(at + 1, { ...chosen, [name]: value });
      if (found !== undefined) return found;
    }
    return find(at + 1, chosen);
  };
  return find(0, {});
};

const versionsOf = (parameter: ParameterDescriptor, kind: KindDescriptor): readonly number[] =>
  kind.versions.filter((version) => inVersions(parameter, version));

/** Controls that suit a type, for its default. */
const CONTROLS: Readonly<Record<ParameterDescriptor['type'], readonly string[]>> = {
  string: ['text', 'locator', 'expression'],
  number: ['number', 'expression'],
  boolean: ['switch'],
  options: ['select'],
  multiOptions: ['checks'],
  json: ['json', 'locator', 'expression'],
  dateTime: ['dateTime', 'expression'],
  collection: ['collection'],
  fixedCollection: ['groups'],
  filter: ['filter'],
  assignmentCollection: ['assignments'],
  resourceLocator: ['locator'],
  resourceMapper: ['mapper'],
};

describe.each(KINDS.map((kind) => [kind.kind, kind] as const))('the form of %s', (_, descriptor) => {
  const kind = readKind(JSON.parse(JSON.stringify(descriptor)));

  it('is generated from the kind as the API returns it', () => {
    expect(kind).toEqual(JSON.parse(JSON.stringify(descriptor)));
  });

  it('has a control of the right type for each parameter, where it counts', () => {
    if (kind === undefined) throw new Error('no kind');
    for (const parameter of kind.parameters) {
      const shown = versionsOf(parameter, kind).flatMap((version) => {
        const settings = settingsFor(parameter, kind, version);
        if (settings === undefined) return [];
        const { fields } = readForm(nodeOf(kind.kind, version, settings), kind);
        return fields.filter((field) => field.descriptor === parameter);
      });
      expect({ parameter: parameter.name, count: shown.length > 0 }).toEqual({
        parameter: parameter.name,
        count: true,
      });
      // A list of strings is written as JSON.
      const kinds = parameter.multiple === true ? [...CONTROLS[parameter.type], 'json'] : CONTROLS[parameter.type];
      for (const { control } of shown) expect(kinds).toContain(control.kind);
    }
  });

  it('has a control for each option and each field of a group, once it is added', () => {
    if (kind === undefined) throw new Error('no kind');
    for (const parameter of kind.parameters)
      for (const version of versionsOf(parameter, kind)) {
        const base = settingsFor(parameter, kind, version);
        if (base === undefined) continue;
        const options = (parameter.fields ?? []).filter((one) => inVersions(one, version));
        const { fields } = readForm(nodeOf(kind.kind, version, base), kind);
        const [field] = fields.filter((one) => one.descriptor === parameter);
        if (field === undefined) continue;
        if (field.control.kind === 'collection') {
          const offered = field.control.absent.map(({ name }) => name);
          for (const option of options.filter(({ shownWhen, hiddenWhen }) => (shownWhen ?? hiddenWhen) === undefined))
            expect(offered).toContain(option.name);
        }
        if (field.control.kind === 'groups')
          for (const { group, blank, isList } of field.control.groups) {
            const stored = { ...base, [parameter.name]: { [group.name]: isList ? [blank] : blank } };
            const filled = readForm(nodeOf(kind.kind, version, stored), kind);
            const within = filled.fields.find((one) => one.descriptor === parameter);
            const names = (within === undefined ? [] : fieldsWithin(within.control)).map((one) => one.descriptor.name);
            for (const one of group.fields.filter(
              (inner) => inner.shownWhen === undefined && inVersions(inner, version),
            ))
              expect(names).toContain(one.name);
          }
      }
  });

  it('loses no stored value, known or not', () => {
    if (kind === undefined) throw new Error('no kind');
    const strange: JsonObject = { unheardOf: { a: [1] } };
    for (const version of kind.versions) {
      const stored = Object.fromEntries([
        ...kind.parameters.map(({ name }): [string, Json] => [name, { strange }]),
        ['unheardOf', 1],
      ]);
      const { fields, others } = readForm(nodeOf(kind.kind, version, stored), kind);
      const names = [...fields.map(({ path }) => path[0]), ...others.map(({ name }) => name)];
      expect(new Set(names)).toEqual(new Set([...Object.keys(stored), ...names]));
      expect(names).toHaveLength(new Set(names).size);
      for (const field of fields)
        if (field.control.kind === 'collection' || field.control.kind === 'groups')
          expect(othersWithin(field.control).map(({ name }) => name)).toContain('strange');
        else if (field.control.kind !== 'filter' && field.control.kind !== 'assignments')
          expect(['json', 'locator']).toContain(field.control.kind);
    }
  });

  it('addresses each value by its own path', () => {
    if (kind === undefined) throw new Error('no kind');
    for (const version of kind.versions) {
      const keys = allFields(readForm(nodeOf(kind.kind, version, {}), kind).fields)
        .filter(({ control }) => control.kind !== 'locator')
        .map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });
});
