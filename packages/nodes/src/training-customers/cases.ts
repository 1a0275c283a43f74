import type { KindCases } from '../testing/cases/node-case';
import { CUSTOMERS } from './customers';

const [first, second] = CUSTOMERS;

export const datastoreCases: KindCases = {
  kind: 'n8nTrainingCustomerDatastore',
  cases: [
    {
      it: 'outputs the first customer for each item',
      versions: [1],
      run: { items: [{ n: 1 }, { n: 2 }] },
      gives: [
        [
          {
            id: '23423532',
            name: 'Jay Gatsby',
            email: 'gatsby@west-egg.com',
            notes: expect.any(String),
            country: 'US',
            created: '1925-04-10',
          },
          first,
        ],
      ],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'outputs five customers by default if several are requested',
      versions: [1],
      run: { items: [{}], parameters: { operation: 'getAllPeople' } },
      gives: [CUSTOMERS],
      pairs: [CUSTOMERS.map(() => ({ item: 0 }))],
    },
    {
      it: 'outputs customers up to the limit of each item',
      versions: [1],
      run: { items: [{ n: 1 }, { n: 2 }], parameters: { operation: 'getAllPeople', limit: '={{ $json.n }}' } },
      gives: [[first, first, second]],
      pairs: [[{ item: 0 }, { item: 1 }, { item: 1 }]],
    },
    {
      it: 'outputs all of them regardless of a limit',
      versions: [1],
      run: { items: [{}], parameters: { operation: 'getAllPeople', returnAll: true, limit: 1 } },
      gives: [CUSTOMERS],
    },
    {
      it: 'rejects an operation that does not exist',
      versions: [1],
      run: { items: [{}], parameters: { operation: '={{ "getNobody" }}' } },
      fails: '"getNobody", which is not supported',
    },
  ],
};

export const messengerCases: KindCases = {
  kind: 'n8nTrainingCustomerMessenger',
  cases: [
    {
      it: 'outputs the message of each item',
      versions: [1],
      run: {
        items: [{ id: 'a' }, { id: 7 }],
        parameters: { customerId: '={{ $json.id }}', message: '=Hello {{ $json.id }}' },
      },
      gives: [[{ output: 'Sent message to customer a:  Hello a' }, { output: 'Sent message to customer 7:  Hello 7' }]],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
  ],
};
