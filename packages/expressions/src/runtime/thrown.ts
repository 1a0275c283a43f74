/** An error object as expressions see it. Never a host error: no stack, no prototype. */
export class ErrorValue {
  constructor(
    public name: string,
    public message: string,
    public cause: unknown = undefined,
  ) {}
}

/**
 * A JavaScript exception under way inside an expression: `throw`, or what JavaScript itself would throw. Caught by
 * `catch`, or else it makes the part undefined.
 */
export class Thrown {
  constructor(readonly value: unknown) {}
}

/** Makes the exception JavaScript throws for a wrong kind of value. */
export function typeError(message: string): Thrown {
  return new Thrown(new ErrorValue('TypeError', message));
}

/** Makes the exception JavaScript throws for a value out of range. */
export function rangeError(message: string): Thrown {
  return new Thrown(new ErrorValue('RangeError', message));
}

/**
 * Ends the evaluation because it wants to change a value that may not be its own; it is then repeated in a mode that
 * can tell (`track`), or on copies (`isolate`). Never seen by expressions.
 */
export class Escalate {
  constructor(readonly to: 'track' | 'isolate') {}
}
