import { placeOfField, readFieldPath, showPath } from './field-paths';
import { sample } from './testing/sample';

describe('a path in a message of the API', () => {
  it.each([
    ['nodes[2].parameters.path', ['nodes', 2, 'parameters', 'path']],
    ['settings.concurrency', ['settings', 'concurrency']],
    ['connections["My node"].main[0]', ['connections', 'My node', 'main', 0]],
    ['', []],
  ])('is read and written: %s', (text, path) => {
    expect(readFieldPath(text)).toEqual(path);
  });

  it('is shown as it is read', () => {
    expect(showPath(readFieldPath('headers[0].name'))).toBe('headers[0].name');
  });

  it('leads to the node by its name', () => {
    expect(placeOfField(sample(), 'nodes[1].parameters.list[2]')).toEqual({
      node: 'Set',
      path: ['parameters', 'list', 2],
    });
  });

  it('leads to the workflow if no node is meant, or it does not exist', () => {
    expect(placeOfField(sample(), 'settings.timezone').node).toBeUndefined();
    expect(placeOfField(sample(), 'nodes[77].name').node).toBeUndefined();
  });
});
