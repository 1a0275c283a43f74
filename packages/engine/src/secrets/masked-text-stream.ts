import type { TextStream } from '../ports/text-streams';
import type { SecretMask } from './secret-mask';

/**
 * A stream without secrets: characters that may be the start of a secret are held back until the next ones tell.
 * @param secrets asked for each part: a node learns secrets while it runs
 */
export function maskedTextStream(stream: TextStream, secrets: SecretMask): TextStream {
  let held = '';
  return {
    write: (text) => {
      held += text;
      const length = secrets.safeLength(held);
      if (length === 0) return;
      stream.write(secrets.text(held.slice(0, length)));
      held = held.slice(length);
    },
    end: () => {
      if (held !== '') stream.write(secrets.text(held));
      held = '';
      stream.end();
    },
  };
}
