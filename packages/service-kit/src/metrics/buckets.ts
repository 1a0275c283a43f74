/** Upper bounds for responses to calls and requests, in seconds. */
export const CALL_BUCKETS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Upper bounds for single operations in a process or on the store, in seconds. */
export const OPERATION_BUCKETS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Upper bounds for background work, in seconds. */
export const SWEEP_BUCKETS: readonly number[] = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30];

/** Upper bounds for waiting in a queue, in seconds. */
export const WAIT_BUCKETS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
