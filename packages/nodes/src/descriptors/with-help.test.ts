import { withHelp } from './with-help';

const name = { name: 'name', label: 'Name', type: 'string' } as const;

describe('withHelp', () => {
  it('describes parameters by their path, including collections and groups, and all that share a name', () => {
    const list = {
      name: 'list',
      label: 'List',
      type: 'fixedCollection',
      groups: [{ name: 'entries', label: 'Entries', fields: [name] }],
    } as const;
    const options = {
      name: 'options',
      label: 'Options',
      type: 'collection',
      fields: [
        { ...name, help: 'mine' },
        { ...name, name: 'other' },
      ],
    } as const;
    const described = withHelp({ 'list.entries.name': 'a', 'options.name': 'b', 'options.other': 'c', name: 'd' }, [
      list,
      options,
      { ...name, until: 1 },
      { ...name, since: 2 },
    ]);
    expect(described).toEqual([
      { ...list, groups: [{ name: 'entries', label: 'Entries', fields: [{ ...name, help: 'a' }] }] },
      {
        ...options,
        fields: [
          { ...name, help: 'mine' },
          { ...name, name: 'other', help: 'c' },
        ],
      },
      { ...name, until: 1, help: 'd' },
      { ...name, since: 2, help: 'd' },
    ]);
  });

  it('rejects a path that no parameter has', () => {
    expect(() => withHelp({ nmae: 'x' }, [name])).toThrow('Help for unknown parameters: nmae.');
  });
});
