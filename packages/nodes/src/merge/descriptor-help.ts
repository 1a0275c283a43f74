/** Help for the parameters of Merge, by name. */
export const MERGE_HELP = {
  mode: 'How the inputs are merged.',
  join: 'How items without a match are joined: inner, left or outer join.',
  propertyName1: 'Field of input 1 to match by.',
  propertyName2: 'Field of input 2 to match by.',
  output: 'The output to pass on.',
  overwrite: 'When values of input 2 overwrite those of input 1.',
  combinationMode: 'How items are combined.',
  mergeByFields: 'Items match if all these fields have equal values.',
  combineBy: 'How items are combined.',
  query:
    'The inputs are the tables `input1`, `input2` and so on. Expressions become part of the query; use query ' +
    'parameters for values.',
  advanced: 'Matches fields with different names in the two inputs.',
  fieldsToMatchString: 'Comma-separated names; the same in both inputs.',
  joinMode: 'Which items to output.',
  outputDataFrom: 'Which input the fields of the output come from.',
  numberInputs: '2 to 10.',
  chooseBranchMode: 'The only value.',
  useDataOfInput: 'Number of the input to pass on, from 1.',
  options: 'Additional options.',
  'options.clashHandling': 'Which value to use if several inputs have the field.',
  'options.clashHandling.values.resolveClash':
    '`preferInput1`, `preferInput2` and so on, `preferLast`, or `addSuffix` to keep all with numbered names.',
  'options.emptyQueryResult': 'What to return if the query returns no rows: no items, or one item with `success`.',
  'options.queryParameters': 'Values of the `?` of the query: comma-separated, or a list from an expression.',
  'options.fuzzyCompare': 'Numbers and strings with the same content are equal.',
  'options.includeUnpaired': 'Keeps unpaired items of the longer input when combining by position.',
} as const;
