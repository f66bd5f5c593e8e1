import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A host's key and certificate, and the authority that made it, all as PEM. */
export interface HostCertificate {
  key: string;
  certificate: string;
  /** Anyone who trusts it trusts the host's certificate, and nothing else: its key is gone. */
  authority: string;
}

const dayMs = 86_400_000;
/** Clocks may differ, and a program may run for a long time. */
const validMs = { before: dayMs, after: 397 * dayMs };

/**
 * A certificate for these host names, made by an authority whose key is discarded at once, so it can never sign
 * anything else. It has no name constraints, although they would say the same: webpki up to 0.22, which many Rust
 * programs use, misreads them and then trusts nothing. Nothing is written anywhere.
 */
export function certificateFor(names: readonly string[], now: number): HostCertificate {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const host = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = nameOf('perp sim run, for one run only');
  const shared = { issuer, issuerKey: authority, now };
  const ofAuthority = certificate({
    ...shared,
    subject: issuer,
    publicKey: authority.publicKey,
    extensions: [
      extension(ids.basicConstraints, true, sequence(der(0x01, Buffer.from([0xff])), der(0x02, Buffer.from([0])))),
      extension(ids.keyUsage, true, bits(0x06, 1)),
    ],
  });
  const ofHost = certificate({
    ...shared,
    subject: nameOf(names[0]!),
    publicKey: host.publicKey,
    extensions: [
      extension(ids.basicConstraints, true, sequence()),
      extension(ids.keyUsage, true, bits(0x80, 7)),
      extension(ids.extendedKeyUsage, false, sequence(ids.serverAuthentication)),
      extension(ids.subjectAltName, false, sequence(...names.map(dnsName))),
    ],
  });
  return {
    key: host.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: pem(ofHost),
    authority: pem(ofAuthority),
  };
}

interface Keys {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

interface CertificateParts {
  issuer: Buffer;
  issuerKey: Keys;
  subject: Buffer;
  publicKey: KeyObject;
  extensions: readonly Buffer[];
  now: number;
}

/** X.509 version 3 (RFC 5280), signed with ECDSA and SHA-256. */
function certificate({ issuer, issuerKey, subject, publicKey, extensions, now }: CertificateParts): Buffer {
  const algorithm = sequence(ids.ecdsaWithSha256);
  const serial = randomBytes(16);
  // A positive number.
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  const keyIds = [
    extension(ids.subjectKeyId, false, der(0x04, keyIdOf(publicKey))),
    extension(ids.authorityKeyId, false, sequence(der(0x80, keyIdOf(issuerKey.publicKey)))),
  ];
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    algorithm,
    issuer,
    sequence(time(now - validMs.before), time(now + validMs.after)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions, ...keyIds)),
  );
  const signature = sign('sha256', content, issuerKey.privateKey);
  return sequence(content, algorithm, der(0x03, Buffer.from([0]), signature));
}

/** Object identifiers, encoded. */
const ids = {
  commonName: id('550403'),
  subjectKeyId: id('551d0e'),
  keyUsage: id('551d0f'),
  subjectAltName: id('551d11'),
  basicConstraints: id('551d13'),
  authorityKeyId: id('551d23'),
  extendedKeyUsage: id('551d25'),
  serverAuthentication: id('2b06010505070301'),
  ecdsaWithSha256: id('2a8648ce3d040302'),
};

function id(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

/** A distinguished name; a common name has at most 64 characters. */
function nameOf(commonName: string): Buffer {
  return sequence(der(0x31, sequence(ids.commonName, der(0x0c, Buffer.from(commonName.slice(0, 64))))));
}

function extension(name: Buffer, isCritical: boolean, value: Buffer): Buffer {
  return sequence(name, ...(isCritical ? [der(0x01, Buffer.from([0xff]))] : []), der(0x04, value));
}

function dnsName(name: string): Buffer {
  return der(0x82, Buffer.from(name, 'ascii'));
}

/** A bit string of one byte, whose last `unused` bits do not count. */
function bits(byte: number, unused: number): Buffer {
  return der(0x03, Buffer.from([unused, byte]));
}

/** UTCTime, which ends with 2049. */
function time(ms: number): Buffer {
  return der(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));
}

function keyIdOf(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

/** A value with its tag and length (DER). */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
