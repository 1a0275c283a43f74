import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestTooSlow } from '../../errors';
import { MIN_PROGRESS_BYTES, PROGRESS_MS, watchProgress } from './watch-progress';

describe('watching the progress of a body', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const scene = (arrivesLate = 0) => {
    let arrived = 0;
    // Timers before sockets, as after a moment in which the process stalled.
    setTimeout(() => setImmediate(() => void (arrived += arrivesLate)), PROGRESS_MS);
    const socket = Object.defineProperty(new Socket(), 'bytesRead', { get: () => arrived });
    const request = new IncomingMessage(socket);
    const reports: RequestTooSlow[] = [];
    const response = new ServerResponse(request);
    watchProgress(request, response, (error) => reports.push(error));
    return {
      request,
      response,
      reports,
      passes: (bytes: number) => {
        arrived += bytes;
        jest.advanceTimersByTime(PROGRESS_MS);
      },
    };
  };

  it('reports a sender once when it falls below the minimum rate, however much it has sent before', () => {
    const { reports, passes } = scene();
    passes(1_000_000);
    passes(MIN_PROGRESS_BYTES);
    expect(reports).toEqual([]);
    passes(MIN_PROGRESS_BYTES - 1);
    passes(0);
    expect(reports.map(({ reason }) => reason)).toEqual(['REQUEST_TOO_SLOW']);
  });

  it('does not count data that waits to be read here', () => {
    const { request, reports, passes } = scene();
    request.push(Buffer.alloc(10));
    passes(0);
    expect(reports).toEqual([]);
  });

  it('counts data that arrived while the process stalled', () => {
    const { reports, passes } = scene(MIN_PROGRESS_BYTES);
    passes(0);
    expect(reports).toEqual([]);
  });

  it('reports nothing once the request is answered', () => {
    const { response, reports, passes } = scene();
    response.writeHead(503);
    passes(0);
    expect(reports).toEqual([]);
  });

  it('ends with the body', () => {
    const { request, reports, passes } = scene();
    request.emit('end');
    passes(0);
    expect(reports).toEqual([]);
  });
});
