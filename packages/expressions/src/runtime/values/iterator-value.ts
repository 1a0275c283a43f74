/** An iterator over existing values, such as `matchAll` gives. Used up as it is read. */
export class IteratorValue {
  private position = 0;

  constructor(private readonly values: readonly unknown[]) {}

  /** The next value as `next()` of JavaScript has it. */
  next(): { value: unknown; done: boolean } {
    const done = this.position >= this.values.length;
    const value = done ? undefined : this.values[this.position];
    this.position += 1;
    return { value, done };
  }

  /** All values that are left. */
  rest(): readonly unknown[] {
    const left = this.values.slice(this.position);
    this.position = this.values.length;
    return left;
  }
}
