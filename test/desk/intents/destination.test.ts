import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Destination, destinationName, destinationText, pricesInWords } from '../../../src/desk/intents/note.ts';

const august8 = Date.UTC(2024, 7, 8, 13, 30);

const names: [Destination, name: string, text: string][] = [
  [
    { environment: 'sim', state: 'default', prices: pricesInWords('synthetic', null) },
    'SIM default, synthetic',
    'SIM default, synthetic, account acc_1',
  ],
  [
    { environment: 'sim', state: 'friday', prices: pricesInWords('recorded', august8) },
    'SIM friday, tape of 2024-08-08',
    'SIM friday, tape of 2024-08-08, account acc_1',
  ],
  [
    { environment: 'sim', state: 'desk', prices: pricesInWords('live', null) },
    'SIM desk, live books',
    'SIM desk, live books, account acc_1',
  ],
  [{ environment: 'sim', state: 'default' }, 'SIM default', 'SIM default, account acc_1'],
  [{ environment: 'sandbox', baseUrl: 'https://test.example.com' }, 'SANDBOX', 'SANDBOX, account acc_1'],
  [
    { environment: 'live', baseUrl: 'https://api.example.com:8443/base' },
    'LIVE api.example.com:8443 acc_1',
    '*** LIVE api.example.com:8443 acc_1 ***',
  ],
];

test('every destination has one name; live also names the host and the account, between stars', () => {
  for (const [destination, name, text] of names) {
    assert.equal(destinationName(destination, 'acc_1'), name);
    assert.equal(destinationText(destination, 'acc_1'), text);
  }
});
