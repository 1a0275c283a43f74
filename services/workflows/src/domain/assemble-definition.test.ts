import fc from 'fast-check';
import { assembleDefinition } from './assemble-definition';
import { takeApartDefinition } from './take-apart-definition';
import type { DefinitionParts } from './workflow';

const NAMED = [
  'name',
  'nodes',
  'connections',
  'settings',
  'id',
  'active',
  'createdAt',
  'updatedAt',
  'type',
  'position',
  'parameters',
  'pinData',
  '__proto__',
];
const key = fc.string().filter((text) => !NAMED.includes(text));
const json = fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes('__proto__'));
const object = fc.dictionary(key, json).map((value) => JSON.stringify(value));
const orNone = <Value, None>(one: fc.Arbitrary<Value>, none: None) => fc.oneof(one, fc.constant(none));

const node = (name: string) =>
  fc.record({
    id: fc.uuid(),
    name: fc.constant(name),
    type: fc.constantFrom('weft-nodes-base.set', 'other.thing'),
    position: orNone(
      fc.tuple(
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
      ),
      [],
    ),
    parametersJson: orNone(object, ''),
    extraJson: object,
  });

const parts: fc.Arbitrary<DefinitionParts> = fc
  .uniqueArray(fc.string({ minLength: 1 }), { maxLength: 5 })
  .chain((names) =>
    fc.record({
      name: fc.string(),
      nodes: fc.tuple(...names.map(node)),
      connectionsJson: fc.constantFrom('', '{}', '{"a":{"main":[[{"node":"b","type":"main","index":0}]]}}'),
      settingsJson: orNone(object, ''),
      extraJson: object,
    }),
  );

describe('a definition', () => {
  it('that is put together and taken apart is what came', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const back = takeApartDefinition(JSON.stringify(assembleDefinition(given)));
        const read = ({ nodes, ...rest }: DefinitionParts) => ({
          ...rest,
          extra: JSON.parse(rest.extraJson),
          nodes: nodes.map(({ extraJson, parametersJson, ...fields }) => ({
            ...fields,
            extra: JSON.parse(extraJson),
            parameters: parametersJson === '' ? undefined : JSON.parse(parametersJson),
          })),
        });
        expect({
          ...read(back),
          settingsJson: back.settingsJson && JSON.parse(back.settingsJson),
          extraJson: '',
        }).toEqual({
          ...read(given),
          settingsJson: given.settingsJson && JSON.parse(given.settingsJson),
          extraJson: '',
        });
      }),
      { numRuns: 200 },
    );
  });
});
