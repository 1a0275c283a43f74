import { bodyValue, errorOf } from '../testing/fixed-scope';

const ITEM = {
  people: [
    { name: 'Ada', age: 36, tags: ['x'] },
    { name: 'Bob', age: 17, tags: [] },
  ],
  count: 2,
};
const inItem = (query: string): unknown => bodyValue(`$jmespath($json, ${JSON.stringify(query)})`, { items: [ITEM] });

describe('$jmespath', () => {
  it.each<readonly [string, unknown]>([
    ['people[*].name', ['Ada', 'Bob']],
    ['people[?age > `20`].name | [0]', 'Ada'],
    ['people[].tags[]', ['x']],
    ['people[-1].{who: name, old: age}', { who: 'Bob', old: 17 }],
    ["join(', ', people[].name)", 'Ada, Bob'],
    ['sort_by(people, &age)[0].name', 'Bob'],
    ['max_by(people, &age).name', 'Ada'],
    ['length(people) == count', true],
    ['map(&name, people)', ['Ada', 'Bob']],
    ['to_string(count)', '2'],
    ['gone.gone', null],
    ['keys(@)', ['people', 'count']],
    ['people[:1].name', ['Ada']],
    ['*.name', []],
  ])('%s', (query, value) => {
    expect(inItem(query)).toEqual(value);
  });

  it('returns data that the expression may change', () => {
    expect(bodyValue('$jmespath($json, "people[].age").sort()', { items: [ITEM] })).toEqual([17, 36]);
  });

  it.each([
    ['people[', 'is not valid'],
    ['nope(@)', 'Unknown function'],
    ['length(count)', 'is not valid'],
    ['join(name, people[].name)', 'needs its separator as a literal'],
  ])('says what is wrong with %s', (query, message) => {
    expect(errorOf(`={{ $jmespath($json, "${query}") }}`, { items: [ITEM] })).toMatchObject({ type: 'type' });
    expect(errorOf(`={{ $jmespath($json, "${query}") }}`, { items: [ITEM] }).message).toContain(message);
  });

  it.each(['$jmespath("text", "a")', '$jmespath($json, 5)', '$jmespath()'])('refuses the arguments of %s', (body) => {
    expect(errorOf(`={{ ${body} }}`)).toMatchObject({ type: 'type' });
  });

  it('refuses a query that can make far more than the data it is given, without running it', () => {
    const doubling = Array.from({ length: 40 }, () => '[@,@]').join('|');
    expect(errorOf(`={{ $jmespath($json, "${doubling}") }}`, { items: [ITEM] })).toMatchObject({ type: 'budget' });
    expect(errorOf(`={{ $jmespath($json, "${'a'.repeat(3_000)}") }}`, { items: [ITEM] })).toMatchObject({
      type: 'budget',
    });
  });
});
