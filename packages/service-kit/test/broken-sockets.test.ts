import { Connection } from 'mongodb/lib/cmap/connection';
import { connectDatabase, type Database } from '../src/mongo';

const { command } = Connection.prototype;
const uri = process.env['MONGODB_URI'] ?? '';
const isCheck = ({ id }: Connection): boolean => id === '<monitor>';

/** Destroys the socket of the next matching command while it is being sent. */
const breakNext = (fits: (connection: Connection) => boolean): void => {
  let isDone = false;
  Connection.prototype.command = function (...values) {
    if (!isDone && !this.closed && fits(this)) {
      isDone = true;
      this.socket.destroy();
    }
    return command.apply(this, values);
  };
};

describe('a database connection that breaks while a command is being sent', () => {
  let database: Database;
  beforeEach(async () => {
    database = await connectDatabase(uri, 'weft_broken_sockets');
  });
  afterEach(async () => {
    Connection.prototype.command = command;
    await database.close();
  });

  it('fails that command, and the next one uses another connection', async () => {
    breakNext((connection) => !isCheck(connection));
    const ping = () => database.connection.db?.admin().ping();
    await expect(ping()).rejects.toMatchObject({ name: expect.stringMatching(/^Mongo\w*Network\w*Error$/) });
    await expect(ping()).resolves.toMatchObject({ ok: 1 });
  });

  it('does not stop the server monitoring for good', async () => {
    const client = database.connection.getClient();
    const next = (event: 'serverHeartbeatFailed' | 'serverHeartbeatSucceeded') =>
      new Promise<void>((resolve) => client.once(event, () => resolve()));
    breakNext(isCheck);
    await next('serverHeartbeatFailed');
    await next('serverHeartbeatSucceeded');
    await expect(database.isReady()).resolves.toBe(true);
  });
});
