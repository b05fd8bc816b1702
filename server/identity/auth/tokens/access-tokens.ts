/** Access tokens of the embedded backend: their claims, signing and verification. */
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { AppMetadata, AuthMethod } from '../../auth-schema.ts';
import type { SigningKeys } from './signing-keys.ts';

export const audience = 'authenticated';

/** The claims of a verified token that the server uses. The rest are for the browser. */
export const AccessClaims = z.looseObject({
  sub: z.uuid(),
  session_id: z.uuid(),
  email: z.string().optional(),
  role: z.literal('authenticated'),
  aal: z.enum(['aal1', 'aal2']),
  exp: z.number(),
});
export type AccessClaims = z.infer<typeof AccessClaims>;

export type ClaimsVerdict = { ok: true; claims: AccessClaims } | { ok: false; reason: 'invalid' | 'expired' };

interface TokenSubject {
  userId: string;
  email: string;
  appMetadata: AppMetadata;
  userMetadata: Record<string, unknown>;
  sessionId: string;
  aal: 'aal1' | 'aal2';
  amr: AuthMethod[];
}

export interface AccessTokens {
  /** `expiresAt` in seconds since 1970. */
  sign(subject: TokenSubject): Promise<{ token: string; expiresAt: number; expiresIn: number }>;
  /** Checks signature, algorithm, issuer, audience and time, but not the state of session or account. */
  verify(token: string): Promise<ClaimsVerdict>;
}

interface TokenDeps {
  keys: SigningKeys;
  issuer: string;
  seconds: number;
}

export function createAccessTokens({ keys, issuer, seconds }: TokenDeps): AccessTokens {
  return {
    async sign(subject) {
      const { kid, privateKey } = await keys.current();
      const issuedAt = Math.floor(Date.now() / 1000);
      const token = await new SignJWT({
        email: subject.email,
        phone: '',
        app_metadata: subject.appMetadata,
        user_metadata: subject.userMetadata,
        role: 'authenticated',
        aal: subject.aal,
        amr: subject.amr,
        session_id: subject.sessionId,
        is_anonymous: false,
      })
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setSubject(subject.userId)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + seconds)
        .sign(privateKey);
      return { token, expiresAt: issuedAt + seconds, expiresIn: seconds };
    },
    async verify(token) {
      try {
        const { alg, kid } = decodeProtectedHeader(token);
        const key = alg === 'ES256' && kid ? await keys.find(kid) : null;
        if (key === null) return { ok: false, reason: 'invalid' };
        const { payload } = await jwtVerify(token, key, { algorithms: ['ES256'], issuer, audience });
        const claims = AccessClaims.safeParse(payload);
        return claims.success ? { ok: true, claims: claims.data } : { ok: false, reason: 'invalid' };
      } catch (error) {
        if (error instanceof errors.JWTExpired) return { ok: false, reason: 'expired' };
        if (error instanceof errors.JOSEError || error instanceof TypeError)
          return { ok: false, reason: 'invalid' };
        throw error;
      }
    },
  };
}
