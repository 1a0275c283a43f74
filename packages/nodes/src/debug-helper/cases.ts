import type { KindCases, NodeCase } from '../testing/cases/node-case';

const items = [{ n: 1 }];
const text = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const EMAIL = /^[a-z]{8}@example\.(com|net|org)$/;
const NAME = /^[A-Z][a-z]+$/;

/** An entry of each type. */
const ENTRIES: Readonly<Record<string, unknown>> = {
  address: {
    firstname: text(NAME),
    lastname: text(NAME),
    street: text(/^\d+ \w+/),
    city: text(NAME),
    zip: text(/^\d{5}$/),
    state: text(NAME),
    country: text(/^[A-Z]/),
  },
  latLong: { location: text(/^-?\d+(\.\d+)?, -?\d+(\.\d+)?$/) },
  creditCard: {
    type: text(/^(MasterCard|Visa)$/),
    number: text(/^0000(-\d{4}){3}$/),
    ccv: text(/^\d{3}$/),
    exp: text(/^\d{2}\/\d{2}$/),
    holder_name: text(/^\w+ \w+$/),
  },
  email: { email: text(EMAIL), confirmed: expect.any(Boolean) },
  ipv4: { ip: text(/^\d{1,3}(\.\d{1,3}){3}$/) },
  ipv6: { ipv6: text(/^[0-9a-f]{4}(:[0-9a-f]{4}){7}$/) },
  macAddress: { mac: text(/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/) },
  nanoid: { nanoId: text(/^[0-9a-zA-Z]{16}$/) },
  url: { url: text(/^https:\/\/[a-z]{8}\.example$/) },
  user: {
    uid: text(UUID),
    email: text(EMAIL),
    firstname: text(NAME),
    lastname: text(NAME),
    password: text(/^[a-z]{12}$/),
  },
  uuid: { uuid: text(UUID) },
  semver: { version: text(/^\d\.\d\.\d$/) },
};

const madeUp = (randomDataType: string): NodeCase => ({
  it: `generates ${randomDataType}`,
  versions: [1],
  run: { items, parameters: { category: 'randomData', randomDataType, randomDataCount: 2 } },
  gives: [[ENTRIES[randomDataType], ENTRIES[randomDataType]]],
  pairs: [[{ item: 0 }, { item: 0 }]],
});
const seeded = { category: 'randomData', randomDataType: 'uuid', randomDataSeed: 'a', randomDataCount: 1 };

export const debugHelperCases: KindCases = {
  kind: 'debugHelper',
  cases: [
    {
      it: 'fails by default',
      versions: [1],
      run: { items, parameters: {} },
      fails: 'Node has thrown an error',
    },
    {
      it: 'fails with the given message',
      versions: [1],
      run: { items, parameters: { throwErrorType: 'Error', throwErrorMessage: 'no luck' } },
      fails: 'no luck',
    },
    {
      it: 'outputs no item if it does nothing',
      versions: [1],
      run: { items, parameters: { category: 'doNothing' } },
      gives: [[]],
    },
    ...Object.keys(ENTRIES).map(madeUp),
    {
      it: 'generates the same data for each item with a seed',
      versions: [1],
      run: { items: [{}, {}], parameters: seeded },
      gives: [[{ uuid: '3d6a56ff-6f63-4bad-8141-12cee91e6a31' }, { uuid: '3d6a56ff-6f63-4bad-8141-12cee91e6a31' }]],
    },
    {
      it: 'outputs one item with all entries if configured',
      versions: [1],
      run: { items, parameters: { ...seeded, randomDataCount: 2, randomDataSingleArray: true } },
      gives: [[{ generatedItems: [ENTRIES['uuid'], ENTRIES['uuid']] }]],
    },
    {
      it: 'limits the number of generated entries',
      versions: [1],
      run: { items: [{}, {}], parameters: { ...seeded, randomDataCount: 50_001 } },
      fails: 'must be a whole number from 0 to 50000, but it is 50001',
    },
    {
      it: 'does not use up memory',
      versions: [1],
      run: { items, parameters: { category: 'oom' } },
      fails: '"oom", which is not supported',
    },
  ],
};
