/** A frame of a stream of Server-Sent Events. */
export interface Frame {
  readonly type: string;
  readonly data: string;
}

/** Longest frame, in characters: the stream of a faulty proxy must not fill the memory. */
const MAX_FRAME = 4_000_000;

const frameOf = (text: string): Frame | undefined => {
  let type = 'message';
  const data: string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('event: ')) type = line.slice('event: '.length);
    else if (line.startsWith('data: ')) data.push(line.slice('data: '.length));
  }
  return data.length === 0 ? undefined : { type, data: data.join('\n') };
};

/**
 * Reads the frames of a stream. Comments, which keep the connection open, are left out.
 * @param onPiece called for each piece that arrives
 */
export const readFrames = async function* (
  body: ReadableStream<Uint8Array>,
  onPiece: () => void,
): AsyncGenerator<Frame, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onPiece();
      text = (text + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n');
      const parts = text.split('\n\n');
      // A frame that the connection cuts is left out: it arrives again.
      text = parts.pop() ?? '';
      if (text.length > MAX_FRAME) throw new Error('A frame of the stream is too long.');
      for (const part of parts) {
        const frame = frameOf(part);
        if (frame !== undefined) yield frame;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
};
