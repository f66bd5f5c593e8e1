import { createHash } from 'node:crypto';

/**
 * Certificates (PEM) as a trust store of Java, which reads no PEM: a file in its own format JKS, version 2. Java checks its
 * digest only if it is given a password; this one's is empty.
 */
export function javaTrustStore(certificates: string): Buffer {
  const all = certificates.split('-----BEGIN CERTIFICATE-----').slice(1);
  const entries = all.flatMap((text, at) => {
    const bytes = Buffer.from(text.split('-----END CERTIFICATE-----')[0]!, 'base64');
    // A trusted certificate, with its name, when it came, and its kind.
    return [number(2), word(`perp-${at}`), Buffer.alloc(8), word('X.509'), number(bytes.length), bytes];
  });
  const content = Buffer.concat([number(0xfeedfeed), number(2), number(all.length), ...entries]);
  const digest = createHash('sha1').update('Mighty Aphrodite').update(content).digest();
  return Buffer.concat([content, digest]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function word(text: string): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(text.length);
  return Buffer.concat([bytes, Buffer.from(text, 'ascii')]);
}
