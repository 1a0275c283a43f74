import fc from 'fast-check';
import { Writable } from 'node:stream';
import { decodeJob, encodeFrame, encodeJob, type Frame, FRAME, FrameReader, FrameTooLarge, writeFrame } from './frames';

const bytes = fc.uint8Array({ maxLength: 300 });

describe('frames', () => {
  it('arrive whole and in order, however the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 255 }), bytes), { maxLength: 10 }),
        fc.integer({ min: 1, max: 50 }),
        (sent, size) => {
          const stream = Buffer.concat(sent.flatMap(([kind, body]) => encodeFrame(kind, body)));
          const reader = new FrameReader(1_000);
          const arrived = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
            reader.push(stream.subarray(index * size, (index + 1) * size)),
          ).flat();
          expect(arrived.map(({ kind, body }) => [kind, [...body]])).toEqual(
            sent.map(([kind, body]) => [kind, [...body]]),
          );
        },
      ),
    );
  });

  it.each([10, 64 * 1024, 200_000])('are written by one system call, with %d bytes', async (length) => {
    const input = Buffer.alloc(length, 'x');
    const writes: number[] = [];
    const reader = new FrameReader(1_000_000);
    const stream = new Writable({
      write: (piece: Buffer, _, done) => {
        writes.push(1);
        arrived.push(...reader.push(piece));
        done();
      },
      writev: (pieces, done) => {
        writes.push(pieces.length);
        for (const { chunk } of pieces) arrived.push(...reader.push(chunk));
        done();
      },
    });
    const arrived: Frame[] = [];
    writeFrame(stream, FRAME.job, ...encodeJob({ code: Buffer.from('c'), input }));
    expect(writes).toHaveLength(1);
    expect(decodeJob(arrived[0]?.body ?? Buffer.alloc(4))).toEqual({ code: Buffer.from('c'), input });
  });

  it('may be empty', () => {
    expect(new FrameReader(10).push(Buffer.concat(encodeFrame(FRAME.ready)))).toEqual([
      { kind: FRAME.ready, body: Buffer.alloc(0) },
    ]);
  });

  it('that announce too many bytes are refused before their content arrives', () => {
    const [head = Buffer.alloc(0)] = encodeFrame(FRAME.result, Buffer.alloc(101));
    expect(() => new FrameReader(100).push(Buffer.from(head))).toThrow(FrameTooLarge);
    expect(() => new FrameReader(100).push(Buffer.alloc(4))).toThrow(FrameTooLarge);
  });

  it('hold jobs with their code and data', () => {
    const job = { code: Buffer.from('return "ä"'), input: Buffer.from('{"a":1}') };
    expect(decodeJob(Buffer.concat(encodeJob(job)))).toEqual(job);
  });
});
