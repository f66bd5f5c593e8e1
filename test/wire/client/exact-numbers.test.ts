import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBody } from '../../../src/wire/client/http-transport.ts';
import { Link } from '../../../src/wire/client/streams/link.ts';
import type { StreamEvents } from '../../../src/wire/contract/wire.ts';

const text =
  '{"data":{"id":12345678901234567890,"size":0.1,"list":[-9007199254740993,1],"last":9007199254740993},"text":"12345678901234567890"}';

test('integers that a number can’t hold are kept digit for digit', () => {
  const body = decodeBody({ 'content-type': 'application/json' }, [Buffer.from(text)], 1e6);
  assert.equal(JSON.stringify(body), text);
});

test('and so are those in the frames of streams', () => {
  const seen: string[] = [];
  const nothing = () => {};
  let host: StreamEvents;
  const transport = (_: string, events: StreamEvents) => {
    host = events;
    return { send: nothing, close: nothing };
  };
  const timing = { uptime: () => 0, random: () => 0, after: () => nothing };
  const frame = (one: object) => void seen.push(JSON.stringify(one));
  const events = { opened: nothing, stale: nothing, revived: nothing, lost: nothing, frame: frame as never };
  new Link(transport as never, '/', timing as never, { staleMs: 1, deadMs: 1 }, events);
  host!.text(text);
  assert.deepEqual(seen, [text]);
});
