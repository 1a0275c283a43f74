import { insertRows } from './insert-rows';
import { isUnreachable } from './store-errors';

const answering = (answer: object) => {
  const commands: Readonly<Record<string, unknown>>[] = [];
  const command = async (sent: Readonly<Record<string, unknown>>): Promise<object> => {
    commands.push(sent);
    return answer;
  };
  return { command, commands };
};

describe('rows inserted by one command', () => {
  it('request majority acknowledgement, journalling and unordered execution', async () => {
    const { command, commands } = answering({ ok: 1, n: 2, writeErrors: [] });
    await insertRows({ command }, 'things', [{ _id: 'a' }, { _id: 'b' }]);
    expect(commands).toEqual([
      {
        insert: 'things',
        documents: [{ _id: 'a' }, { _id: 'b' }],
        ordered: false,
        writeConcern: { w: 'majority', j: true },
      },
    ]);
  });

  it('are refused individually', async () => {
    const writeErrors = [{ index: 1, code: 11_000, errmsg: 'duplicate' }];
    await expect(insertRows(answering({ ok: 1, n: 1, writeErrors }), 'things', [{}, {}])).rejects.toMatchObject({
      writeErrors,
    });
  });

  it('have an unknown outcome without majority acknowledgement or if there was never a connection', async () => {
    const unsure = answering({ ok: 1, n: 1, writeConcernError: { code: 64, errmsg: 'timed out' } });
    for (const db of [unsure, undefined]) {
      const error: unknown = await insertRows(db, 'things', [{}]).catch((thrown: unknown) => thrown);
      expect(isUnreachable(error)).toBe(true);
    }
  });
});
