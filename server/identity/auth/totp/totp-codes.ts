/** Codes of authenticator apps (RFC 6238 with the values that all of them support: SHA-1, 6 digits, 30 seconds). */
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';

const periodSeconds = 30;
/** Steps accepted before and after the present one: clocks differ, and typing takes time. */
const window = 1;
/** RFC 4226, section 4: as long as the hash's output. */
const secretBytes = 20;

export interface Enrolment {
  /** Base32. */
  secret: string;
  /** `otpauth://totp/…`. */
  uri: string;
  /** An SVG that needs no escaping in a data URL: no `#`, no `%`. */
  qrCode: string;
}

/** @param label as the app lists it: the issuer of the codes, and the account */
export function createEnrolment(label: { issuer: string; account: string }): Enrolment {
  const secret = new Secret({ size: secretBytes });
  const uri = new TOTP({
    issuer: label.issuer,
    label: label.account,
    secret,
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
  }).toString();
  return {
    secret: secret.base32,
    uri,
    qrCode: renderSVG(uri, { whiteColor: 'white', blackColor: 'black', border: 2 }),
  };
}

/**
 * The time step that a code belongs to, or null if it is invalid.
 * @param lastStep of the last accepted code: it and earlier ones are no longer valid
 */
export function findStep(
  secret: string,
  code: string,
  { now, lastStep }: { now: number; lastStep: number | null },
): number | null {
  // the library throws on six multi-byte characters
  if (!/^[0-9]{6}$/.test(code)) return null;
  const totp = new TOTP({
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
  });
  const delta = totp.validate({ token: code, timestamp: now, window });
  if (delta === null) return null;
  const step = Math.floor(now / 1000 / periodSeconds) + delta;
  return lastStep !== null && step <= lastStep ? null : step;
}
