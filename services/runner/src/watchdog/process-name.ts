/** The processes of a runner whose engine a watchdog looks at. */
export const PROCESS_NAMES = ['runner', 'large_data', 'quarantined', 'isolated'] as const;

/** One of them, as in logs and metrics. */
export type ProcessName = (typeof PROCESS_NAMES)[number];

export const isProcessName = (name: string): name is ProcessName => PROCESS_NAMES.some((one) => one === name);
