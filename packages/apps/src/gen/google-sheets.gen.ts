/* Generated from packages/apps/google-sheets/app.yaml by `npm run apps:gen`. Do not edit. */
import type { AppDocument } from '@weft/app-model';
/** Digest: sha256:c5351b1770d818ead725f65328590c56ce11e002d22429e6a861840e1ab8366e */
export const googleSheets: AppDocument = {
  weftApp: 1,
  name: 'google-sheets',
  label: 'Google Sheets',
  hosts: ['sheets.googleapis.com', 'www.googleapis.com'],
  credentials: { googleSheetsOAuth2Api: 'catalogue', googleApi: 'catalogue' },
  calls: {
    api: {
      url: 'https://sheets.googleapis.com/v4/spreadsheets',
      errors: [
        {
          when: "={{ typeof $response.body?.error?.message === 'string' }}",
          message: "={{ 'Google Sheets refused the request: ' + $response.body.error.message }}",
        },
      ],
    },
    sheets: {
      url: 'https://sheets.googleapis.com/v4/spreadsheets',
      failed:
        "={{ $response.status < 300 && !($response.body.sheets ?? []).some(s => $rl.sheetName.mode === 'name' ? s.properties.title === $p.sheetName : String(s.properties.sheetId) === String($p.sheetName).replace('gid=', '')) }}",
      errors: [
        {
          when: "={{ typeof $response.body?.error?.message === 'string' }}",
          message: "={{ 'Google Sheets refused the request: ' + $response.body.error.message }}",
        },
        {
          when: '={{ $response.status < 300 }}',
          message:
            "={{ 'The document has no sheet with the ' + ($rl.sheetName.mode === 'name' ? 'name' : 'id') + ' ' + $p.sheetName + '.' }}",
        },
      ],
    },
    drive: {
      url: 'https://www.googleapis.com/drive/v3',
      errors: [
        {
          when: "={{ typeof $response.body?.error?.message === 'string' }}",
          message: "={{ 'Google Sheets refused the request: ' + $response.body.error.message }}",
        },
      ],
    },
  },
  pages: {
    drive: { by: 'cursor', next: 'nextPageToken', into: 'query.pageToken', size: { into: 'query.pageSize', max: 100 } },
  },
  lists: {
    documents: {
      call: 'drive',
      path: '/files',
      query: {
        q: "={{ `mimeType = 'application/vnd.google-apps.spreadsheet' and trashed = false` + ($search === '' ? '' : ` and name contains '${$search.replaceAll('\\\\', '\\\\\\\\').replaceAll(`'`, `\\\\'`)}'`) }}",
        fields: 'nextPageToken, files(id, name)',
        orderBy: 'modifiedTime desc',
        includeItemsFromAllDrives: true,
        supportsAllDrives: true,
      },
      pages: 'drive',
      list: 'files',
      label: 'name',
      value: 'id',
      search: 'sent',
    },
    sheets: {
      refuse: [{ when: '={{ !$p.documentId }}', message: 'Choose a document first.' }],
      call: 'api',
      path: "={{ '/' + $fn.path($p.documentId) }}",
      query: { fields: 'sheets.properties' },
      list: "={{ ($response.body.sheets ?? []).filter(s => (s.properties.sheetType ?? 'GRID') === 'GRID') }}",
      label: 'properties.title',
      value:
        "={{ $rl.sheetName.mode === 'name' ? $entry.properties.title : $entry.properties.sheetId === 0 ? 'gid=0' : $entry.properties.sheetId }}",
      search: 'here',
    },
    columns: {
      refuse: [
        { when: '={{ !$p.documentId }}', message: 'Choose a document first.' },
        { when: '={{ !$p.sheetName && $p.sheetName !== 0 }}', message: 'Choose a sheet first.' },
      ],
      steps: [
        {
          as: 'sheets',
          when: "={{ $rl.sheetName.mode !== 'name' }}",
          call: 'sheets',
          path: "={{ '/' + $fn.path($p.documentId) }}",
          query: { fields: 'sheets.properties' },
        },
      ],
      call: 'api',
      path: "={{ '/' + $fn.path($p.documentId) + '/values/' + $fn.path(`'${($rl.sheetName.mode === 'name' ? $p.sheetName : $steps.sheets.body.sheets.find(s => String(s.properties.sheetId) === String($p.sheetName).replace('gid=', '')).properties.title).replaceAll(`'`, `''`)}'!${$p.options?.locationDefine?.values?.headerRow ?? 1}:${$p.options?.locationDefine?.values?.headerRow ?? 1}`) }}",
      list: "={{ (($response.body.values ?? [])[0] ?? []).map(String).filter(name => name !== '') }}",
      label: '={{ $entry }}',
      value: '={{ $entry }}',
      search: 'here',
    },
  },
  kinds: {
    googleSheets: {
      label: 'Google Sheets',
      description: 'Reads and writes rows of Google Sheets, and creates, clears and deletes sheets and documents.',
      versions: [3, 4, 4.1, 4.2, 4.3, 4.4, 4.5, 4.6, 4.7],
      groups: ['input', 'output'],
      credentials: [
        { type: 'googleSheetsOAuth2Api', shownWhen: { authentication: ['oAuth2'] } },
        { type: 'googleApi', shownWhen: { authentication: ['serviceAccount'] } },
      ],
      differs: [
        "Rows are appended by Google in one step, so that parallel runs do not overwrite each other's rows; the option that selects this is accepted.",
        'Documents and sheets may differ between items; the items of each sheet are written together.',
      ],
      parameters: [
        {
          name: 'authentication',
          label: 'Authentication',
          type: 'options',
          default: 'oAuth2',
          help: 'How the node signs in.',
          options: [
            { value: 'serviceAccount', label: 'Service account' },
            { value: 'oAuth2', label: 'OAuth2' },
          ],
        },
        {
          name: 'resource',
          label: 'Resource',
          type: 'options',
          default: 'sheet',
          help: 'Resource that the operation is about.',
          options: [
            { value: 'spreadsheet', label: 'Document' },
            { value: 'sheet', label: 'Sheet of a document' },
          ],
        },
        {
          name: 'operation',
          label: 'Operation',
          type: 'options',
          default: 'read',
          help: 'Operation of the node.',
          shownWhen: { resource: ['sheet'] },
          options: [
            { value: 'appendOrUpdate', label: 'Append or update rows' },
            { value: 'append', label: 'Append rows' },
            { value: 'clear', label: 'Clear' },
            { value: 'create', label: 'Create' },
            { value: 'remove', label: 'Delete' },
            { value: 'delete', label: 'Delete rows or columns' },
            { value: 'read', label: 'Get rows' },
            { value: 'update', label: 'Update rows' },
          ],
        },
        {
          name: 'operation',
          label: 'Operation',
          type: 'options',
          default: 'create',
          help: 'Operation of the node.',
          shownWhen: { resource: ['spreadsheet'] },
          options: [
            { value: 'create', label: 'Create' },
            { value: 'deleteSpreadsheet', label: 'Delete' },
          ],
        },
        {
          name: 'documentId',
          label: 'Document',
          type: 'resourceLocator',
          default: { mode: 'list', value: '' },
          required: true,
          help: 'The document.',
          shownWhen: { resource: ['sheet'] },
          modes: [
            { name: 'list', label: 'From the list', list: 'documents' },
            { name: 'url', label: 'By address', extract: '([-\\w]{25,})' },
            { name: 'id', label: 'By id' },
          ],
        },
        {
          name: 'documentId',
          label: 'Document',
          type: 'resourceLocator',
          default: { mode: 'list', value: '' },
          required: true,
          help: 'The document.',
          shownWhen: { resource: ['spreadsheet'], operation: ['deleteSpreadsheet'] },
          modes: [
            { name: 'list', label: 'From the list', list: 'documents' },
            { name: 'url', label: 'By address', extract: '([-\\w]{25,})' },
            { name: 'id', label: 'By id' },
          ],
        },
        {
          name: 'sheetName',
          label: 'Sheet',
          type: 'resourceLocator',
          default: { mode: 'list', value: '' },
          required: true,
          help: 'The sheet of the document.',
          shownWhen: {
            resource: ['sheet'],
            operation: ['append', 'appendOrUpdate', 'clear', 'delete', 'read', 'remove', 'update'],
          },
          modes: [
            { name: 'list', label: 'From the list', list: 'sheets' },
            { name: 'url', label: 'By address', extract: '[#&?]gid=([0-9]+)' },
            { name: 'id', label: 'By id' },
            { name: 'name', label: 'By name' },
          ],
        },
        {
          name: 'dataMode',
          label: 'Mapping',
          type: 'options',
          default: 'defineBelow',
          help: 'How items become rows.',
          until: 3,
          shownWhen: { resource: ['sheet'], operation: ['append', 'update', 'appendOrUpdate'] },
          options: [
            { value: 'autoMapInputData', label: 'Fields of the items by their names' },
            { value: 'defineBelow', label: 'Each column below' },
            { value: 'nothing', label: 'Nothing' },
          ],
        },
        {
          name: 'columnToMatchOn',
          label: 'Column to match on',
          type: 'string',
          list: 'columns',
          default: '',
          help: 'The column whose value finds the row. It is not changed.',
          until: 3,
          shownWhen: { resource: ['sheet'], operation: ['update', 'appendOrUpdate'] },
        },
        {
          name: 'valueToMatchOn',
          label: 'Value to match on',
          type: 'string',
          default: '',
          help: 'Value of this column in the row.',
          until: 3,
          shownWhen: { resource: ['sheet'], operation: ['update', 'appendOrUpdate'], dataMode: ['defineBelow'] },
        },
        {
          name: 'fieldsUi',
          label: 'Values',
          type: 'fixedCollection',
          multiple: true,
          default: {},
          help: 'Values of the new row.',
          until: 3,
          shownWhen: { resource: ['sheet'], operation: ['append'], dataMode: ['defineBelow'] },
          groups: [
            {
              name: 'fieldValues',
              label: 'Field',
              fields: [
                { name: 'fieldId', label: 'Column', type: 'string', list: 'columns', default: '' },
                { name: 'fieldValue', label: 'Value', type: 'string', default: '' },
              ],
            },
          ],
        },
        {
          name: 'fieldsUi',
          label: 'Values',
          type: 'fixedCollection',
          multiple: true,
          default: {},
          help: 'Values to write.',
          until: 3,
          shownWhen: { resource: ['sheet'], operation: ['update', 'appendOrUpdate'], dataMode: ['defineBelow'] },
          groups: [
            {
              name: 'values',
              label: 'Field',
              fields: [
                {
                  name: 'column',
                  label: 'Column',
                  type: 'string',
                  list: 'columns',
                  default: '',
                  help: 'A column, or `newColumn` to add one.',
                },
                {
                  name: 'columnName',
                  label: 'Name of the new column',
                  type: 'string',
                  default: '',
                  shownWhen: { column: ['newColumn'] },
                },
                { name: 'fieldValue', label: 'Value', type: 'string', default: '' },
              ],
            },
          ],
        },
        {
          name: 'columns',
          label: 'Columns',
          type: 'resourceMapper',
          list: 'columns',
          default: { mappingMode: 'defineBelow', value: null },
          required: true,
          help: 'Values of the columns.',
          since: 4,
          shownWhen: { resource: ['sheet'], operation: ['append', 'update', 'appendOrUpdate'] },
        },
        {
          name: 'options',
          label: 'Options',
          type: 'collection',
          default: {},
          help: 'Further settings.',
          shownWhen: { resource: ['sheet'], operation: ['append', 'update', 'appendOrUpdate'] },
          fields: [
            {
              name: 'cellFormat',
              label: 'Cell format',
              type: 'options',
              default: 'RAW',
              until: 4,
              help: 'Whether Google reads values as if they were typed in.',
              options: [
                { value: 'RAW', label: 'As given' },
                { value: 'USER_ENTERED', label: 'As typed in' },
              ],
            },
            {
              name: 'cellFormat',
              label: 'Cell format',
              type: 'options',
              default: 'USER_ENTERED',
              since: 4.1,
              help: 'Whether Google reads values as if they were typed in.',
              options: [
                { value: 'RAW', label: 'As given' },
                { value: 'USER_ENTERED', label: 'As typed in' },
              ],
            },
            {
              name: 'locationDefine',
              label: 'Location of the data',
              type: 'fixedCollection',
              default: { values: {} },
              groups: [
                {
                  name: 'values',
                  label: 'Values',
                  fields: [
                    {
                      name: 'headerRow',
                      label: 'Header row',
                      type: 'number',
                      default: 1,
                      help: 'Row with the names of the columns.',
                    },
                    { name: 'firstDataRow', label: 'First data row', type: 'number', default: 2 },
                  ],
                },
              ],
            },
            {
              name: 'handlingExtraData',
              label: 'Fields that are not columns',
              type: 'options',
              default: 'insertInNewColumn',
              options: [
                { value: 'insertInNewColumn', label: 'Add columns' },
                { value: 'ignoreIt', label: 'Ignore' },
                { value: 'error', label: 'Fail' },
              ],
            },
            {
              name: 'useAppend',
              label: 'Append in one step',
              type: 'boolean',
              default: false,
              help: 'Rows are always appended in one step.',
            },
          ],
        },
        {
          name: 'filtersUI',
          label: 'Filters',
          type: 'fixedCollection',
          multiple: true,
          default: {},
          help: 'Only rows with these values.',
          shownWhen: { resource: ['sheet'], operation: ['read'] },
          groups: [
            {
              name: 'values',
              label: 'Filter',
              fields: [
                { name: 'lookupColumn', label: 'Column', type: 'string', list: 'columns', default: '' },
                { name: 'lookupValue', label: 'Value', type: 'string', default: '' },
              ],
            },
          ],
        },
        {
          name: 'combineFilters',
          label: 'Combine filters',
          type: 'options',
          default: 'OR',
          help: 'Whether all filters must hold.',
          until: 4.2,
          shownWhen: { resource: ['sheet'], operation: ['read'] },
          options: [
            { value: 'AND', label: 'All must hold' },
            { value: 'OR', label: 'One must hold' },
          ],
        },
        {
          name: 'combineFilters',
          label: 'Combine filters',
          type: 'options',
          default: 'AND',
          help: 'Whether all filters must hold.',
          since: 4.3,
          shownWhen: { resource: ['sheet'], operation: ['read'] },
          options: [
            { value: 'AND', label: 'All must hold' },
            { value: 'OR', label: 'One must hold' },
          ],
        },
        {
          name: 'options',
          label: 'Options',
          type: 'collection',
          default: {},
          help: 'Further settings.',
          shownWhen: { resource: ['sheet'], operation: ['read'] },
          fields: [
            {
              name: 'dataLocationOnSheet',
              label: 'Location of the data',
              type: 'fixedCollection',
              default: { values: { rangeDefinition: 'detectAutomatically' } },
              groups: [
                {
                  name: 'values',
                  label: 'Values',
                  fields: [
                    {
                      name: 'rangeDefinition',
                      label: 'Range',
                      type: 'options',
                      default: 'detectAutomatically',
                      options: [
                        { value: 'detectAutomatically', label: 'Find it' },
                        { value: 'specifyRangeA1', label: 'By range (A1)' },
                        { value: 'specifyRange', label: 'By rows' },
                      ],
                    },
                    {
                      name: 'readRowsUntil',
                      label: 'Last row',
                      type: 'options',
                      default: 'lastRowInSheet',
                      shownWhen: { rangeDefinition: ['detectAutomatically'] },
                      options: [
                        { value: 'firstEmptyRow', label: 'Before the first empty row' },
                        { value: 'lastRowInSheet', label: 'Last row of the sheet' },
                      ],
                    },
                    {
                      name: 'headerRow',
                      label: 'Header row',
                      type: 'number',
                      default: 1,
                      shownWhen: { rangeDefinition: ['specifyRange'] },
                    },
                    {
                      name: 'firstDataRow',
                      label: 'First data row',
                      type: 'number',
                      default: 2,
                      shownWhen: { rangeDefinition: ['specifyRange'] },
                    },
                    {
                      name: 'range',
                      label: 'Range',
                      type: 'string',
                      default: '',
                      placeholder: 'A:Z',
                      shownWhen: { rangeDefinition: ['specifyRangeA1'] },
                    },
                  ],
                },
              ],
            },
            {
              name: 'outputFormatting',
              label: 'Format of the values',
              type: 'fixedCollection',
              default: { values: { general: 'UNFORMATTED_VALUE', date: 'FORMATTED_STRING' } },
              groups: [
                {
                  name: 'values',
                  label: 'Values',
                  fields: [
                    {
                      name: 'general',
                      label: 'Values',
                      type: 'options',
                      default: 'UNFORMATTED_VALUE',
                      options: [
                        { value: 'UNFORMATTED_VALUE', label: 'Unformatted' },
                        { value: 'FORMATTED_VALUE', label: 'As shown in the sheet' },
                        { value: 'FORMULA', label: 'Formulas' },
                      ],
                    },
                    {
                      name: 'date',
                      label: 'Dates',
                      type: 'options',
                      default: 'FORMATTED_STRING',
                      options: [
                        { value: 'FORMATTED_STRING', label: 'As shown in the sheet' },
                        { value: 'SERIAL_NUMBER', label: 'Days since 30 December 1899' },
                      ],
                    },
                  ],
                },
              ],
            },
            {
              name: 'returnAllMatches',
              label: 'If several rows match',
              type: 'options',
              default: 'returnFirstMatch',
              until: 4.4,
              options: [
                { value: 'returnFirstMatch', label: 'Return the first' },
                { value: 'returnAllMatches', label: 'Return all' },
              ],
            },
            {
              name: 'returnFirstMatch',
              label: 'Return only the first match',
              type: 'boolean',
              default: false,
              since: 4.5,
            },
          ],
        },
        {
          name: 'clear',
          label: 'Clear',
          type: 'options',
          default: 'wholeSheet',
          help: 'What to clear.',
          shownWhen: { resource: ['sheet'], operation: ['clear'] },
          options: [
            { value: 'wholeSheet', label: 'Whole sheet' },
            { value: 'specificRows', label: 'Rows' },
            { value: 'specificColumns', label: 'Columns' },
            { value: 'specificRange', label: 'Range' },
          ],
        },
        {
          name: 'keepFirstRow',
          label: 'Keep the first row',
          type: 'boolean',
          default: false,
          help: 'Whether the names of the columns stay.',
          shownWhen: { resource: ['sheet'], operation: ['clear'], clear: ['wholeSheet'] },
        },
        {
          name: 'startIndex',
          label: 'First row',
          type: 'number',
          default: 1,
          help: 'Number of the first row.',
          shownWhen: { resource: ['sheet'], operation: ['clear'], clear: ['specificRows'] },
        },
        {
          name: 'rowsToDelete',
          label: 'Number of rows',
          type: 'number',
          default: 1,
          help: 'Number of rows to clear.',
          shownWhen: { resource: ['sheet'], operation: ['clear'], clear: ['specificRows'] },
        },
        {
          name: 'startIndex',
          label: 'First column',
          type: 'string',
          default: 'A',
          help: 'Letters of the first column.',
          shownWhen: { resource: ['sheet'], operation: ['clear'], clear: ['specificColumns'] },
        },
        {
          name: 'columnsToDelete',
          label: 'Number of columns',
          type: 'number',
          default: 1,
          help: 'Number of columns to clear.',
          shownWhen: { resource: ['sheet'], operation: ['clear'], clear: ['specificColumns'] },
        },
        {
          name: 'range',
          label: 'Range',
          type: 'string',
          default: 'A:F',
          required: true,
          help: 'Range to clear, such as A:F.',
          shownWhen: { resource: ['sheet'], operation: ['clear'], clear: ['specificRange'] },
        },
        {
          name: 'toDelete',
          label: 'Delete',
          type: 'options',
          default: 'rows',
          help: 'What to delete.',
          shownWhen: { resource: ['sheet'], operation: ['delete'] },
          options: [
            { value: 'rows', label: 'Rows' },
            { value: 'columns', label: 'Columns' },
          ],
        },
        {
          name: 'startIndex',
          label: 'First row',
          type: 'number',
          default: 2,
          help: 'Number of the first row.',
          shownWhen: { resource: ['sheet'], operation: ['delete'], toDelete: ['rows'] },
        },
        {
          name: 'startIndex',
          label: 'First column',
          type: 'string',
          default: 'A',
          help: 'Letters of the first column.',
          shownWhen: { resource: ['sheet'], operation: ['delete'], toDelete: ['columns'] },
        },
        {
          name: 'numberToDelete',
          label: 'Number',
          type: 'number',
          default: 1,
          help: 'Number of rows or columns.',
          shownWhen: { resource: ['sheet'], operation: ['delete'] },
        },
        {
          name: 'title',
          label: 'Title',
          type: 'string',
          default: 'n8n-sheet',
          required: true,
          help: 'Name of the new sheet.',
          shownWhen: { resource: ['sheet'], operation: ['create'] },
        },
        {
          name: 'options',
          label: 'Options',
          type: 'collection',
          default: {},
          help: 'Further settings.',
          shownWhen: { resource: ['sheet'], operation: ['create'] },
          fields: [
            { name: 'hidden', label: 'Hidden', type: 'boolean' },
            { name: 'rightToLeft', label: 'Right to left', type: 'boolean' },
            { name: 'sheetId', label: 'Sheet id', type: 'number' },
            { name: 'index', label: 'Position', type: 'number' },
            { name: 'tabColor', label: 'Colour of the tab', type: 'string', placeholder: '0aa55c' },
          ],
        },
        {
          name: 'title',
          label: 'Title',
          type: 'string',
          default: '',
          help: 'Title of the new document.',
          shownWhen: { resource: ['spreadsheet'], operation: ['create'] },
        },
        {
          name: 'sheetsUi',
          label: 'Sheets',
          type: 'fixedCollection',
          multiple: true,
          default: {},
          help: 'Sheets of the new document.',
          shownWhen: { resource: ['spreadsheet'], operation: ['create'] },
          groups: [
            {
              name: 'sheetValues',
              label: 'Sheet',
              fields: [
                { name: 'title', label: 'Title', type: 'string', default: '' },
                { name: 'hidden', label: 'Hidden', type: 'boolean', default: false },
              ],
            },
          ],
        },
        {
          name: 'options',
          label: 'Options',
          type: 'collection',
          default: {},
          help: 'Further settings.',
          shownWhen: { resource: ['spreadsheet'], operation: ['create'] },
          fields: [
            { name: 'locale', label: 'Locale', type: 'string', default: '', placeholder: 'en_US' },
            {
              name: 'autoRecalc',
              label: 'Recalculation',
              type: 'options',
              default: '',
              options: [
                { value: '', label: 'Default' },
                { value: 'ON_CHANGE', label: 'On each change' },
                { value: 'MINUTE', label: 'On each change and every minute' },
                { value: 'HOUR', label: 'On each change and every hour' },
              ],
            },
          ],
        },
      ],
      let: {
        o: '={{ $p.options ?? {} }}',
        document: "={{ '/' + $fn.path($p.documentId) }}",
        sheetId: "={{ String($p.sheetName ?? '').replace('gid=', '') }}",
        color:
          "={{ /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(o.tabColor ?? '') ? o.tabColor.replace('#', '').replace(/^(.)(.)(.)$/, '$1$1$2$2$3$3') : undefined }}",
        row: '={{ Number($p.startIndex) }}',
        column:
          "={{ String($p.startIndex).toUpperCase().split('').reduce((n, c) => n * 26 + c.charCodeAt(0) - 64, 0) }}",
        area: '={{ o.dataLocationOnSheet?.values ?? {} }}',
        format: '={{ o.outputFormatting?.values ?? {} }}',
      },
      operations: {
        'sheet.append': {
          steps: [
            {
              as: 'sheets',
              when: "={{ $rl.sheetName.mode !== 'name' }}",
              call: 'sheets',
              path: '={{ document }}',
              query: { fields: 'sheets.properties' },
            },
          ],
          rows: {
            mode: 'append',
            let: {
              title:
                "={{ $rl.sheetName.mode === 'name' ? $p.sheetName : $steps.sheets.body.sheets.find(s => String(s.properties.sheetId) === sheetId).properties.title }}",
              sheet: "={{ `'${title.replaceAll(`'`, `''`)}'` }}",
              input: "={{ o.cellFormat || ($version < 4.1 ? 'RAW' : 'USER_ENTERED') }}",
            },
            header: '={{ o.locationDefine?.values?.headerRow }}',
            rowNumber: 'row_number',
            read: {
              call: 'api',
              path: "={{ document + '/values/' + $fn.path(sheet) }}",
              query: { valueRenderOption: 'FORMATTED_VALUE', dateTimeRenderOption: 'FORMATTED_STRING' },
              table: 'values',
            },
            mapping: {
              from: 'columns',
              since: 4,
              before: {
                mode: '={{ $p.dataMode }}',
                values:
                  '={{ Object.fromEntries(($p.fieldsUi?.fieldValues ?? []).map(f => [f.fieldId, f.fieldValue])) }}',
              },
            },
            extra: '={{ o.handlingExtraData }}',
            keepsColumns: '={{ $version >= 4.4 }}',
            columns: {
              call: 'api',
              method: 'PUT',
              path: "={{ document + '/values/' + $fn.path(sheet + '!' + $headerRow + ':' + $headerRow) }}",
              query: { valueInputOption: 'RAW' },
              body: { values: ['={{ $header }}'] },
            },
            append: {
              call: 'api',
              method: 'POST',
              path: "={{ document + '/values/' + $fn.path($below ? sheet : sheet + '!A' + $row) + ':append' }}",
              query: { valueInputOption: '={{ input }}' },
              body: { values: '={{ $rows }}' },
            },
          },
        },
        'sheet.update': {
          steps: [
            {
              as: 'sheets',
              when: "={{ $rl.sheetName.mode !== 'name' }}",
              call: 'sheets',
              path: '={{ document }}',
              query: { fields: 'sheets.properties' },
            },
          ],
          rows: {
            mode: 'update',
            let: {
              title:
                "={{ $rl.sheetName.mode === 'name' ? $p.sheetName : $steps.sheets.body.sheets.find(s => String(s.properties.sheetId) === sheetId).properties.title }}",
              sheet: "={{ `'${title.replaceAll(`'`, `''`)}'` }}",
              input: "={{ o.cellFormat || ($version < 4.1 ? 'RAW' : 'USER_ENTERED') }}",
            },
            header: '={{ o.locationDefine?.values?.headerRow }}',
            first: '={{ o.locationDefine?.values?.firstDataRow ?? 2 }}',
            rowNumber: 'row_number',
            read: {
              call: 'api',
              path: "={{ document + '/values/' + $fn.path(sheet) }}",
              query: { valueRenderOption: 'FORMATTED_VALUE', dateTimeRenderOption: 'FORMATTED_STRING' },
              table: 'values',
            },
            mapping: {
              from: 'columns',
              since: 4,
              before: {
                mode: '={{ $p.dataMode }}',
                match: '={{ $p.columnToMatchOn }}',
                values:
                  "={{ ($p.fieldsUi?.values ?? []).length === 0 ? {} : { ...Object.fromEntries($p.fieldsUi.values.map(f => [f.column === 'newColumn' ? f.columnName : f.column, f.fieldValue])), [$p.columnToMatchOn]: $p.valueToMatchOn } }}",
                adds: "={{ ($p.fieldsUi?.values ?? []).filter(f => f.column === 'newColumn').map(f => f.columnName) }}",
              },
            },
            extra: '={{ o.handlingExtraData }}',
            columns: {
              call: 'api',
              method: 'PUT',
              path: "={{ document + '/values/' + $fn.path(sheet + '!' + $headerRow + ':' + $headerRow) }}",
              query: { valueInputOption: 'RAW' },
              body: { values: ['={{ $header }}'] },
            },
            write: {
              call: 'api',
              method: 'POST',
              path: "={{ document + '/values:batchUpdate' }}",
              body: {
                valueInputOption: '={{ input }}',
                data: "={{ $cells.map(c => ({ range: sheet + '!' + c.a1, values: [[c.value]] })) }}",
              },
            },
          },
        },
        'sheet.appendOrUpdate': {
          steps: [
            {
              as: 'sheets',
              when: "={{ $rl.sheetName.mode !== 'name' }}",
              call: 'sheets',
              path: '={{ document }}',
              query: { fields: 'sheets.properties' },
            },
          ],
          rows: {
            mode: 'upsert',
            let: {
              title:
                "={{ $rl.sheetName.mode === 'name' ? $p.sheetName : $steps.sheets.body.sheets.find(s => String(s.properties.sheetId) === sheetId).properties.title }}",
              sheet: "={{ `'${title.replaceAll(`'`, `''`)}'` }}",
              input: "={{ o.cellFormat || ($version < 4.1 ? 'RAW' : 'USER_ENTERED') }}",
            },
            header: '={{ o.locationDefine?.values?.headerRow }}',
            first: '={{ o.locationDefine?.values?.firstDataRow ?? 2 }}',
            rowNumber: 'row_number',
            read: {
              call: 'api',
              path: "={{ document + '/values/' + $fn.path(sheet) }}",
              query: { valueRenderOption: 'FORMATTED_VALUE', dateTimeRenderOption: 'FORMATTED_STRING' },
              table: 'values',
            },
            mapping: {
              from: 'columns',
              since: 4,
              before: {
                mode: '={{ $p.dataMode }}',
                match: '={{ $p.columnToMatchOn }}',
                values:
                  "={{ ($p.fieldsUi?.values ?? []).length === 0 ? {} : { ...Object.fromEntries($p.fieldsUi.values.map(f => [f.column === 'newColumn' ? f.columnName : f.column, f.fieldValue])), [$p.columnToMatchOn]: $p.valueToMatchOn } }}",
                adds: "={{ ($p.fieldsUi?.values ?? []).filter(f => f.column === 'newColumn').map(f => f.columnName) }}",
              },
            },
            extra: '={{ o.handlingExtraData }}',
            keepsColumns: '={{ $version >= 4.4 }}',
            columns: {
              call: 'api',
              method: 'PUT',
              path: "={{ document + '/values/' + $fn.path(sheet + '!' + $headerRow + ':' + $headerRow) }}",
              query: { valueInputOption: 'RAW' },
              body: { values: ['={{ $header }}'] },
            },
            write: {
              call: 'api',
              method: 'POST',
              path: "={{ document + '/values:batchUpdate' }}",
              body: {
                valueInputOption: '={{ input }}',
                data: "={{ $cells.map(c => ({ range: sheet + '!' + c.a1, values: [[c.value]] })) }}",
              },
            },
            append: {
              call: 'api',
              method: 'POST',
              path: "={{ document + '/values/' + $fn.path($below ? sheet : sheet + '!A' + $row) + ':append' }}",
              query: { valueInputOption: '={{ input }}' },
              body: { values: '={{ $rows }}' },
            },
          },
        },
        'sheet.read': {
          steps: [
            {
              as: 'sheets',
              when: "={{ $rl.sheetName.mode !== 'name' }}",
              call: 'sheets',
              path: '={{ document }}',
              query: { fields: 'sheets.properties' },
            },
          ],
          rows: {
            mode: 'read',
            let: {
              title:
                "={{ $rl.sheetName.mode === 'name' ? $p.sheetName : $steps.sheets.body.sheets.find(s => String(s.properties.sheetId) === sheetId).properties.title }}",
              sheet: "={{ `'${title.replaceAll(`'`, `''`)}'` }}",
              input: "={{ o.cellFormat || ($version < 4.1 ? 'RAW' : 'USER_ENTERED') }}",
            },
            rowNumber: 'row_number',
            header: "={{ area.rangeDefinition === 'specifyRange' ? area.headerRow : 1 }}",
            first: "={{ area.rangeDefinition === 'specifyRange' ? area.firstDataRow : 2 }}",
            read: {
              call: 'api',
              path: "={{ document + '/values/' + $fn.path(area.rangeDefinition === 'specifyRangeA1' && area.range ? sheet + '!' + area.range.split('!').at(-1) : sheet) }}",
              query: {
                valueRenderOption: "={{ format.general || 'UNFORMATTED_VALUE' }}",
                dateTimeRenderOption: "={{ format.date || 'FORMATTED_STRING' }}",
              },
              table: 'values',
            },
            find: {
              filters:
                '={{ ($p.filtersUI?.values ?? []).map(f => ({ column: f.lookupColumn, value: f.lookupValue })) }}',
              matchesAll: "={{ $p.combineFilters === 'AND' }}",
              firstOnly: '={{ $version >= 4.6 && o.returnFirstMatch }}',
              firstOfEach: "={{ $version >= 4.5 ? o.returnFirstMatch : o.returnAllMatches !== 'returnAllMatches' }}",
              until:
                "={{ ['specifyRange', 'specifyRangeA1'].includes(area.rangeDefinition) ? undefined : area.readRowsUntil === 'firstEmptyRow' ? 'firstEmptyRow' : 'lastRow' }}",
              once: '={{ $version < 4.2 }}',
            },
          },
        },
        'sheet.clear': {
          let: {
            byName: "={{ $rl.sheetName.mode === 'name' }}",
            end: '={{ column + Number($p.columnsToDelete) - 1 }}',
            letters:
              "={{ [end > 702 ? Math.floor((end - 703) / 676) % 26 : -1, end > 26 ? Math.floor((end - 27) / 26) % 26 : -1, (end - 1) % 26].filter(n => n >= 0).map(n => String.fromCharCode(65 + n)).join('') }}",
            part: "={{ $p.clear === 'specificRows' ? `!${row}:${row + Number($p.rowsToDelete) - 1}` : $p.clear === 'specificColumns' ? `!${$p.startIndex}:${letters}` : $p.clear === 'specificRange' ? `!${$p.range.split('!').at(-1)}` : $p.keepFirstRow ? '!2:' : '' }}",
          },
          steps: [
            { as: 'sheets', call: 'sheets', path: '={{ document }}', query: { fields: 'sheets.properties' } },
            {
              as: 'cleared',
              when: "={{ part !== '!2:' || $steps.sheets.body.sheets.find(s => byName ? s.properties.title === $p.sheetName : String(s.properties.sheetId) === sheetId).properties.gridProperties.rowCount > 1 }}",
              call: 'api',
              method: 'POST',
              path: "={{ document + '/values/' + $fn.path((found => `'${found.title.replaceAll(`'`, `''`)}'${part}${part === '!2:' ? found.gridProperties.rowCount : ''}`)($steps.sheets.body.sheets.find(s => byName ? s.properties.title === $p.sheetName : String(s.properties.sheetId) === sheetId).properties)) + ':clear' }}",
              body: {},
            },
          ],
          item: '={{ $json }}',
        },
        'sheet.delete': {
          inOrder: true,
          steps: [
            {
              as: 'sheets',
              when: "={{ $rl.sheetName.mode === 'name' }}",
              call: 'sheets',
              path: '={{ document }}',
              query: { fields: 'sheets.properties' },
            },
            {
              as: 'deleted',
              call: 'api',
              method: 'POST',
              path: "={{ document + ':batchUpdate' }}",
              body: {
                requests: [
                  {
                    deleteDimension: {
                      range: {
                        sheetId:
                          "={{ $rl.sheetName.mode === 'name' ? $steps.sheets.body.sheets.find(s => s.properties.title === $p.sheetName).properties.sheetId : Number(sheetId) }}",
                        dimension: "={{ $p.toDelete === 'columns' ? 'COLUMNS' : 'ROWS' }}",
                        startIndex: "={{ ($p.toDelete === 'columns' ? column : row) - 1 }}",
                        endIndex: "={{ ($p.toDelete === 'columns' ? column : row) - 1 + Number($p.numberToDelete) }}",
                      },
                    },
                  },
                ],
              },
            },
          ],
          item: { success: true },
        },
        'sheet.remove': {
          inOrder: true,
          steps: [
            {
              as: 'sheets',
              when: "={{ $rl.sheetName.mode === 'name' }}",
              call: 'sheets',
              path: '={{ document }}',
              query: { fields: 'sheets.properties' },
            },
            {
              as: 'removed',
              call: 'api',
              method: 'POST',
              path: "={{ document + ':batchUpdate' }}",
              body: {
                requests: [
                  {
                    deleteSheet: {
                      sheetId:
                        "={{ $rl.sheetName.mode === 'name' ? $steps.sheets.body.sheets.find(s => s.properties.title === $p.sheetName).properties.sheetId : Number(sheetId) }}",
                    },
                  },
                ],
              },
            },
          ],
          item: "={{ $fn.omit($steps.removed.body, 'replies') }}",
        },
        'sheet.create': {
          inOrder: true,
          steps: [
            { as: 'sheets', call: 'api', path: '={{ document }}', query: { fields: 'sheets.properties' } },
            {
              as: 'created',
              when: '={{ !($steps.sheets.body.sheets ?? []).some(s => s.properties.title === $p.title) }}',
              call: 'api',
              method: 'POST',
              path: "={{ document + ':batchUpdate' }}",
              body: {
                requests: [
                  {
                    addSheet: {
                      properties: {
                        '...options': "={{ $fn.omit(o, 'tabColor') }}",
                        title: '={{ $p.title }}',
                        tabColor:
                          '={{ color === undefined ? undefined : { red: parseInt(color.slice(0, 2), 16) / 255, green: parseInt(color.slice(2, 4), 16) / 255, blue: parseInt(color.slice(4, 6), 16) / 255 } }}',
                      },
                    },
                  },
                ],
              },
            },
          ],
          list: "={{ $steps.created === undefined ? [] : [{ ...$fn.omit($steps.created.body, 'replies'), ...$steps.created.body.replies[0].addSheet.properties }] }}",
        },
        'spreadsheet.create': {
          call: 'api',
          method: 'POST',
          body: {
            properties: {
              title: '={{ $p.title }}',
              autoRecalc: '={{ o.autoRecalc || undefined }}',
              locale: '={{ o.locale || undefined }}',
            },
            sheets:
              '={{ ($p.sheetsUi?.sheetValues ?? []).map(s => ({ properties: { title: s.title, hidden: s.hidden } })) }}',
          },
        },
        'spreadsheet.deleteSpreadsheet': {
          call: 'drive',
          method: 'DELETE',
          path: "={{ '/files/' + $fn.path($p.documentId) }}",
          item: { success: true },
        },
      },
    },
  },
};
