import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { rootCertificates } from 'node:tls';
import { javaTrustStore } from '../../../../src/terminal/cli/running/run-program.ts';

test('certificates become a trust store of Java, with nothing lost', () => {
  const given = rootCertificates.slice(0, 3);
  const store = javaTrustStore(`# a comment\n${given.join('\n')}\n`);
  assert.deepEqual([store.readUInt32BE(0), store.readUInt32BE(4), store.readUInt32BE(8)], [0xfeedfeed, 2, 3]);
  const names: string[] = [];
  let at = 12;
  for (const pem of given) {
    assert.equal(store.readUInt32BE(at), 2, 'a trusted certificate');
    const name = store.subarray(at + 6, at + 6 + store.readUInt16BE(at + 4)).toString();
    at += 6 + name.length + 8;
    assert.equal(store.subarray(at + 2, at + 7).toString(), 'X.509');
    const length = store.readUInt32BE(at + 7);
    assert.deepEqual(store.subarray(at + 11, at + 11 + length), new X509Certificate(pem).raw);
    at += 11 + length;
    names.push(name);
  }
  assert.equal(new Set(names).size, 3);
  const digest = createHash('sha1').update('Mighty Aphrodite').update(store.subarray(0, at)).digest();
  assert.deepEqual(store.subarray(at), digest);
});
