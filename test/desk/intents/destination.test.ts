import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Destination,
  destinationName,
  destinationText,
  pricesInWords,
  pricesOfAnswer,
} from '../../../src/desk/intents/note.ts';

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
  [
    { environment: 'live', baseUrl: 'http://127.0.0.1:4810', prices: pricesOfAnswer({ 'x-market-source': 'live' }) },
    'LIVE 127.0.0.1:4810 acc_1 (a simulation, live books)',
    '*** LIVE 127.0.0.1:4810 acc_1 (a simulation, live books) ***',
  ],
];

test('every destination has one name; live also names the host and the account, between stars', () => {
  for (const [destination, name, text] of names) {
    assert.equal(destinationName(destination, 'acc_1'), name);
    assert.equal(destinationText(destination, 'acc_1'), text);
  }
});

test('only an answer that names a source of prices is that of a simulation', () => {
  for (const headers of [{}, { 'x-market-source': '' }, { 'x-market-source': '\u001b[2Jlive' }])
    assert.equal(pricesOfAnswer(headers), undefined);
  assert.equal(pricesOfAnswer({ 'x-market-source': 'synthetic' }), 'synthetic');
});
