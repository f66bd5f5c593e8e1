import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSamePlace, placeOf } from '../../../src/base/files/folders.ts';

const table: [place: string, ...addresses: string[]][] = [
  [
    'http://127.0.0.1:7400',
    'http://127.0.0.1:7400/',
    'http://localhost:7400',
    'http://LOCALHOST:7400//',
    'http://localhost.:7400',
    'http://127.1:7400',
    'http://0x7f.1:7400',
    'http://2130706433:7400',
    'http://[::1]:7400',
    'http://[::ffff:127.0.0.1]:7400',
    'http://127.0.0.1:7400/./',
    'http://127.0.0.1:7400/v1/..',
  ],
  ['https://api.example.com', 'https://API.Example.COM', 'https://api.example.com.', 'https://api.example.com:443/'],
  [
    'https://api.example.com/paper',
    'https://api.example.com/paper/',
    'https://api.example.com//paper',
    'https://API.example.com/live/../paper',
    'https://api.example.com/%70aper/.',
    'https://api.example.com/live%2f%2e%2e%2fpaper/../../paper',
  ],
  ['https://api.example.com:8443', 'https://api.example.com:8443/'],
];

for (const [place, ...addresses] of table)
  test(`${addresses.length} ways to write ${place}`, () => {
    for (const address of addresses) assert.equal(placeOf(address), place, address);
  });

test('other hosts, ports and schemes are other places, and no address is none', () => {
  const places = [
    'https://api.example.com',
    'https://example.com',
    'https://api.example.com:444',
    'https://api.example.com/a',
    'https://api.example.com/A',
    'http://127.0.0.1',
  ];
  assert.equal(new Set(places.map(placeOf)).size, places.length);
  assert.equal(isSamePlace(undefined, 'https://api.example.com'), false);
  assert.equal(isSamePlace(undefined, undefined), true);
});
