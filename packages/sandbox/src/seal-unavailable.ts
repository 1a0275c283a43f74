/** No process can be sealed on this system. */
export class SealUnavailable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'SealUnavailable';
  }
}
