import { readFileSync } from 'node:fs';
import { pathOf } from '../world/modules';
import { applyEdit } from './apply-mutation';
import { MUTATIONS } from './mutations';

describe('a mutation', () => {
  it.each(MUTATIONS.map(({ name, edits }) => [name, edits] as const))('finds what it edits: %s', (_, edits) => {
    for (const edit of edits) {
      const source = readFileSync(pathOf(edit.project, edit.module), 'utf8');
      expect(applyEdit(source, edit)).not.toBe(source);
    }
  });
});
