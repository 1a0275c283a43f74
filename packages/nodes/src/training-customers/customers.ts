import type { JsonObject } from '@weft/node-catalogue';

/** The fictional customers of the training datastore. Courses refer to their ids, names, addresses and dates. */
export const CUSTOMERS: readonly JsonObject[] = [
  {
    id: '23423532',
    name: 'Jay Gatsby',
    email: 'gatsby@west-egg.com',
    notes: 'Gives large parties',
    country: 'US',
    created: '1925-04-10',
  },
  {
    id: '23423533',
    name: 'José Arcadio Buendía',
    email: 'jab@macondo.co',
    notes: 'Founded a village',
    country: 'CO',
    created: '1967-05-05',
  },
  {
    id: '23423534',
    name: 'Max Sendak',
    email: 'info@in-and-out-of-weeks.org',
    notes: 'Travels by boat',
    country: 'US',
    created: '1963-04-09',
  },
  {
    id: '23423535',
    name: 'Zaphod Beeblebrox',
    email: 'captain@heartofgold.com',
    notes: 'Address not known',
    country: null,
    created: '1979-10-12',
  },
  {
    id: '23423536',
    name: 'Edmund Pevensie',
    email: 'edmund@narnia.gov',
    notes: 'Prefers to be called in winter',
    country: 'UK',
    created: '1950-10-16',
  },
];
