/* Generated from packages/apps by `npm run apps:gen`. Do not edit. */
/** An app of the build. */
export interface AppEntry {
  readonly name: string;
  readonly kinds: readonly string[];
  /** Of its canonical JSON. */
  readonly digest: string;
}

/** All apps of the build. */
export const APPS: readonly AppEntry[] = [
  {
    name: 'discord',
    kinds: ['discord'],
    digest: 'sha256:c52030d08fa55c89bf6cda43e4b08d8f17253403f289f5577c7ed28d97b8a1b0',
  },
  {
    name: 'gmail',
    kinds: ['gmail'],
    digest: 'sha256:822aa5391455f418988dbf73d7ebb32057b7f4554ca88b732905ba4589288c55',
  },
  {
    name: 'google-calendar',
    kinds: ['googleCalendar'],
    digest: 'sha256:e90fdca59b638bf8b16bad3b7d50e20e02622154b875a8fdafcbc6084eefc7bf',
  },
  {
    name: 'google-docs',
    kinds: ['googleDocs'],
    digest: 'sha256:db626062dc4e21f6d73ed99b058f235c2dfb161b11c0587fe19fa9cedc12b3e0',
  },
  {
    name: 'google-drive',
    kinds: ['googleDrive'],
    digest: 'sha256:d5922071af1d035009087e3a1ff56a36604884da0b8aa31d824446d200b300be',
  },
  {
    name: 'google-sheets',
    kinds: ['googleSheets'],
    digest: 'sha256:8b11c6f61be987cf6d726788614a80abc5e053ec68a6f10d6eec12f7a3722bb6',
  },
  {
    name: 'mattermost',
    kinds: ['mattermost'],
    digest: 'sha256:5d0c925fe833e7113db2464ed5a838e42d9e340459528a7334b7c9e02f203250',
  },
  {
    name: 'slack',
    kinds: ['slack'],
    digest: 'sha256:1eca218803f084917827ccf1bbfdb7564d3c94ff49d02cba5ee35d881a7ed124',
  },
  {
    name: 'telegram',
    kinds: ['telegram'],
    digest: 'sha256:730d369b469910300bba46499603e5f536a28cb384de118df38dc49a4949d753',
  },
  {
    name: 'twilio',
    kinds: ['twilio'],
    digest: 'sha256:25817b2a95b7088420b01860a95e3e9c836f90e8776606095e9ea0c644362cad',
  },
  {
    name: 'whatsapp',
    kinds: ['whatsApp'],
    digest: 'sha256:ba280414abe07789123313d78ac1d4a28d4101d9a3001b3a329124162c30d26a',
  },
];
