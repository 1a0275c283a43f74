/** A setting of a workflow that has a field in the form. */
export type SettingField =
  | {
      readonly kind: 'choice';
      readonly key: string;
      readonly label: string;
      readonly help?: string;
      /** Value and text; the first one is the default, which is stored as no value. */
      readonly choices: readonly (readonly [string, string])[];
    }
  | { readonly kind: 'number'; readonly key: string; readonly label: string; readonly help?: string }
  | {
      readonly kind: 'zone' | 'workflow' | 'text';
      readonly key: string;
      readonly label: string;
      readonly help?: string;
    };

/** Settings that the API documents, in groups. Others are kept, and listed below the form. */
export const SETTING_GROUPS: readonly { readonly title: string; readonly fields: readonly SettingField[] }[] = [
  {
    title: 'Runs',
    fields: [
      {
        kind: 'zone',
        key: 'timezone',
        label: 'Time zone',
        help: 'For schedules and $now. Empty: the default of this instance.',
      },
      {
        kind: 'number',
        key: 'executionTimeout',
        label: 'Time limit in seconds',
        help: 'Empty: the default of this instance. 0 or less: no limit.',
      },
      {
        kind: 'workflow',
        key: 'errorWorkflow',
        label: 'Error workflow',
        help: 'Starts when a run of this workflow fails, except for manual runs.',
      },
      {
        kind: 'choice',
        key: 'crashPolicy',
        label: 'After a crash of the runner',
        choices: [
          ['', 'Resume from the last checkpoint'],
          ['restart', 'Restart from the beginning'],
          ['fail', 'Fail'],
        ],
      },
    ],
  },
  {
    title: 'Stored executions',
    fields: [
      {
        kind: 'choice',
        key: 'saveDataSuccessExecution',
        label: 'Data of successful runs',
        choices: [
          ['', 'Keep'],
          ['none', 'Do not keep'],
        ],
      },
      {
        kind: 'choice',
        key: 'saveDataErrorExecution',
        label: 'Data of failed runs',
        choices: [
          ['', 'Keep'],
          ['none', 'Do not keep'],
        ],
      },
    ],
  },
  {
    title: 'Calls by other workflows',
    fields: [
      {
        kind: 'choice',
        key: 'callerPolicy',
        label: 'Who may call it',
        choices: [
          ['', 'Workflows of the same owner'],
          ['any', 'Any workflow'],
          ['none', 'No workflow'],
          ['workflowsFromAList', 'Workflows of a list'],
        ],
      },
      { kind: 'text', key: 'callerIds', label: 'Ids of that list', help: 'Separated by commas.' },
    ],
  },
];

/** Keys that have a field. */
export const SETTING_KEYS: ReadonlySet<string> = new Set(
  SETTING_GROUPS.flatMap(({ fields }) => fields.map(({ key }) => key)),
);
