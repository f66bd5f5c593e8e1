/*
 * Ids distinguish requests and are not secret: a random part for the process, then a count, in the form of a UUID. The
 * cryptographic generator is not loaded for them: loading it would be a tenth of the time that a command takes.
 */
const drawn = `${word()}-${word().slice(4)}-4${word().slice(5)}-a${word().slice(5)}-`;
let count = Math.floor(Math.random() * 2 ** 40);

/** An id that no other request has. */
export function newRequestId(): string {
  count++;
  return drawn + count.toString(16).padStart(12, '0');
}

/** 32 random bits as hexadecimal digits. */
function word(): string {
  return Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}
