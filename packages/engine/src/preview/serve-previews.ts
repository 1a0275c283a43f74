import { readDefinition, readKind } from '@weft/node-catalogue/definitions';
import { Previewer } from './previewer';
import type { FromWorker, ToWorker } from './protocol';

/** The worker's side of previews: answers the messages of a session. @returns the function that takes them */
export function servePreviews(send: (message: FromWorker) => void): (message: ToWorker) => void {
  const previewer = new Previewer();
  const receive = (message: ToWorker): void => {
    switch (message.kind) {
      case 'kinds': {
        const kinds = message.types.map(readKind).filter((kind) => kind !== undefined);
        return previewer.setKinds(new Map(kinds.map((kind) => [kind.kind, kind])));
      }
      case 'definition':
        return previewer.setDefinition(readDefinition(JSON.parse(message.text)));
      case 'execution':
        return previewer.setExecution(message.execution);
      case 'items':
        return previewer.addItems(message.place, message.offset, message.items);
      case 'ping':
        return send({ kind: 'pong', id: message.id });
      case 'evaluate':
        return send({ kind: 'evaluated', id: message.id, outcome: previewer.evaluate(message.text, message.place) });
      case 'complete': {
        const { id, text, offset, place } = message;
        return send({ kind: 'completed', id, outcome: previewer.complete(text, offset, place) });
      }
    }
  };
  return (message) => {
    try {
      receive(message);
    } catch (error) {
      // A draft that cannot be read leaves the one before in place.
      if ('id' in message) send({ kind: 'failed', id: message.id, message: String(error) });
    }
  };
}
