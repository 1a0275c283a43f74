/** A stored state that this engine cannot continue from: it is damaged or, as the subclass says, of another version. */
export class EngineStateUnreadable extends Error {
  constructor(reason: string) {
    super(`The run cannot continue from its stored state: ${reason}.`);
    this.name = 'EngineStateUnreadable';
  }
}
