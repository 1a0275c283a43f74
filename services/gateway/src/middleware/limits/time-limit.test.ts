import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { createUnderWay } from './time-limit';

const responseOf = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

describe('unanswered requests', () => {
  const set = () => {
    const ended: string[] = [];
    const underWay = createUnderWay();
    const [waiting, begun, over] = [responseOf(), responseOf(), responseOf()];
    underWay.add(waiting, () => ended.push('waiting'));
    underWay.add(begun, () => ended.push('begun'));
    underWay.add(over, () => ended.push('over'));
    begun.writeHead(200);
    over.emit('close');
    return { underWay, ended, waiting, begun, over };
  };

  it('are answered at the end, except those whose response has begun or ended', () => {
    const { underWay, ended } = set();
    underWay.endAll();
    expect(ended).toEqual(['waiting']);
  });

  it('ask their callers to close the connection, if headers can still be sent', () => {
    const { underWay, waiting, begun, over } = set();
    underWay.askToClose();
    expect([waiting, begun, over].map((one) => one.getHeader('connection'))).toEqual(['close', undefined, undefined]);
  });
});
