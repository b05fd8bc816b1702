/**
 * Settings, parsed once at boot. All are optional; the product runs without any. Values are never logged.
 * docs/operations.md lists them; a test keeps that list and this schema equal.
 */
// describes faulty settings in words
import './describe-issue.ts';
import path from 'node:path';
import { z } from 'zod';

const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));
/** With less, there may not be room for even one page at a time. */
const minMemoryBytes = 512 * 2 ** 20;
const Role = z.enum(['web', 'worker']);

/**
 * Public services that return an address's country over https, without a key and for any use: country.is (10
 * calls a second, keeps no log of them), geojs.io (no limit), ipwho.is (60 calls a minute).
 */
const countryServices = [
  'https://api.country.is/{ip}',
  'https://get.geojs.io/v1/ip/country/{ip}',
  'https://ipwho.is/{ip}?fields=success%2Ccountry_code',
];

const Schema = z
  .object({
    /** Port the web role listens on. */
    PORT: z.coerce.number().int().min(0).max(65535).default(3000),
    /** Address the web role binds. Loopback unless a proxy or a container needs more. */
    HOST: z.string().default('127.0.0.1'),
    /** The site's public address, used for links in mails and canonical addresses. */
    PUBLIC_URL: url.optional(),
    /** The API's address for the browser, if its origin differs from PUBLIC_URL's. */
    API_URL: url.optional(),
    /** Folder for everything this installation stores: database, files, logs, generated secrets. */
    DATA_DIR: z.string().default('data'),
    /** The roles of this process: web, worker, or both. */
    ROLES: z
      .string()
      .default('web,worker')
      .transform((value) => value.split(',').map((role) => role.trim()))
      .pipe(z.array(Role).min(1)),
    /** An external PostgreSQL (15 or later). Without it the embedded one runs under DATA_DIR. */
    DATABASE_URL: z.string().optional(),
    /** `file:FOLDER` or `s3://BUCKET[/PREFIX][?endpoint=…&region=…]`; without it, DATA_DIR/files. */
    STORAGE_URL: z.string().optional(),
    /** Credentials for an s3: storage (else the SDK's own chain). */
    AWS_ACCESS_KEY_ID: z.string().optional(),
    AWS_SECRET_ACCESS_KEY: z.string().optional(),
    /** Vision model: openai, anthropic, google, or openai-compatible (with AI_BASE_URL). */
    AI_PROVIDER: z.enum(['openai', 'anthropic', 'google', 'openai-compatible']).optional(),
    AI_MODEL: z.string().optional(),
    /** Address of the vendor or of any OpenAI-compatible server (a local Ollama or vLLM too). */
    AI_BASE_URL: url.optional(),
    AI_API_KEY: z.string().optional(),
    /** Seconds that a call of the model may take. Default: as long as people wait for a vendor's, an hour at AI_BASE_URL. */
    AI_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(86_400).optional(),
    /** Whether lines that the model doubts are shown to it once more, enlarged: one more call for such a page. */
    AI_SECOND_LOOK: z.enum(['on', 'off']).default('off'),
    /** Memory that the whole installation may use: `1500M`, `2G`. Default: the control group's limit, or the machine's memory. */
    MEMORY_LIMIT: z
      .string()
      .regex(/^\d+(?:\.\d+)?[MG]$/, { message: 'a number with M or G, such as 1500M or 2G' })
      .transform((value) => Number.parseFloat(value) * (value.endsWith('G') ? 2 ** 30 : 2 ** 20))
      .refine((bytes) => bytes >= minMemoryBytes, { message: 'at least 512M' })
      .optional(),
    /** Pages read in parallel in one worker process. */
    READ_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(8),
    /** Compiles in parallel in one process; default: half the cores. */
    COMPILE_CONCURRENCY: z.coerce.number().int().min(1).max(64).optional(),
    /** How documents are compiled: `auto` is the first of the others that works here. */
    TYPESETTER: z.enum(['auto', 'fork-server', 'cold']).default('auto'),
    /** A hosted or self-hosted Supabase that keeps accounts and sessions. Without it, the embedded backend does. */
    SUPABASE_URL: url.optional(),
    /** Its publishable (anonymous) key. */
    SUPABASE_ANON_KEY: z.string().optional(),
    /** Google sign-in, by the embedded backend: the OAuth client's id and secret. */
    GOOGLE_CLIENT_ID: z.string().optional(),
    GOOGLE_CLIENT_SECRET: z.string().optional(),
    /** Google's OIDC issuer; its discovery document gives every other address. */
    GOOGLE_ISSUER: url.default('https://accounts.google.com'),
    /** Pages outside PUBLIC_URL's origin that a sign-in may return to: full addresses, comma-separated. */
    REDIRECT_URLS: z
      .string()
      .default('')
      .transform((value) =>
        value
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      )
      .pipe(z.array(z.url())),
    /** Seconds an access token of the embedded backend is valid. */
    ACCESS_TOKEN_SECONDS: z.coerce.number().int().min(5).max(86_400).default(3600),
    /** Multiplies the limits on sign-ins, sign-ups and mails; a school with one address needs more. */
    AUTH_LIMIT_FACTOR: z.coerce.number().min(0.1).max(10_000).default(1),
    /** Mail server, `smtp://user:password@host:587`; without it mails go to a local inbox page. */
    SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
    /** Sender of mails; default: SUPPORT_EMAIL. */
    MAIL_FROM: z.string().optional(),
    SUPPORT_EMAIL: z.email().default('support@inkproof.example'),
    /** Key of the Stripe account that receives payments. Without it, a local checkout page in test mode sells. */
    STRIPE_SECRET_KEY: z.string().trim().optional(),
    /** Stripe signs its events with this. Without a Stripe key, the local checkout page signs with it. */
    STRIPE_WEBHOOK_SECRET: z.string().trim().optional(),
    /** Stripe's API at another address, for a stand-in: scheme, host and port only. */
    STRIPE_API_BASE: url
      .refine((value) => URL.parse(value)?.href === `${URL.parse(value)?.origin}/`, {
        message: 'an address without path or query',
      })
      .optional(),
    /** Services that return an address's country, asked in order (server/country). */
    GEOIP_URLS: z
      .string()
      .default(countryServices.join(','))
      .transform((value) =>
        value === 'off'
          ? []
          : value
              .split(',')
              .map((part) => part.trim())
              .filter(Boolean),
      )
      .pipe(
        z.array(
          z
            .url({ protocol: /^https?$/ })
            .refine((value) => !URL.parse(value)?.username, { message: 'an address without user name' }),
        ),
      ),
    /** Where "open in online editor" posts the LaTeX (fields `snip` and `engine`). */
    ONLINE_EDITOR_URL: url.default('https://www.overleaf.com/docs'),
    /** Number of proxies in front whose X-Forwarded-For is believed; 0 believes none. */
    TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
    /** Signs visitor cookies, encrypts keys and TOTP secrets at rest, keys the hashes of mailboxes. Generated into DATA_DIR when unset; required with an external database. */
    SECRET_KEY: z.string().min(32).optional(),
    /** Predecessors of SECRET_KEY, newest first, comma-separated. */
    FORMER_SECRET_KEYS: z
      .string()
      .default('')
      .transform((value) =>
        value
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      )
      .pipe(z.array(z.string().min(32))),
    /** Bearer token that permits reading /metrics; without it, only callers on this machine may. */
    METRICS_TOKEN: z.string().min(16).optional(),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  })
  .superRefine((env, context) => {
    const say = (key: string, message: string) => context.addIssue({ code: 'custom', path: [key], message });
    if (env.AI_PROVIDER === 'openai-compatible' && !env.AI_BASE_URL)
      say('AI_BASE_URL', 'AI_PROVIDER=openai-compatible needs the server’s address in AI_BASE_URL');
    if (env.SUPABASE_URL && !env.DATABASE_URL)
      say('DATABASE_URL', 'SUPABASE_URL needs the DATABASE_URL of the same project');
    if (env.SUPABASE_URL && !env.SUPABASE_ANON_KEY)
      say('SUPABASE_ANON_KEY', 'SUPABASE_URL needs the project’s publishable key in SUPABASE_ANON_KEY');
    if (Boolean(env.GOOGLE_CLIENT_ID) !== Boolean(env.GOOGLE_CLIENT_SECRET))
      say('GOOGLE_CLIENT_SECRET', 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET have to be set together');
    if (env.STRIPE_SECRET_KEY && !env.STRIPE_WEBHOOK_SECRET)
      say(
        'STRIPE_WEBHOOK_SECRET',
        'STRIPE_SECRET_KEY needs the endpoint’s signing secret in STRIPE_WEBHOOK_SECRET: credits are added only by signed events',
      );
    if (env.DATABASE_URL && !env.SECRET_KEY)
      say(
        'SECRET_KEY',
        'an external database needs SECRET_KEY (32 characters or more), the same in every process',
      );
  });

/** The names of all settings, for the test that compares them with docs/operations.md. */
export const settingNames: readonly string[] = Object.keys(Schema.shape);

/** Settings with their defaults filled in and relative folders made absolute. */
export type Env = z.infer<typeof Schema> & {
  PUBLIC_URL: string;
  /** The API's address as the browser uses it. */
  API_URL: string;
  /** True if a vision model is configured. */
  hasVisionModel: boolean;
};

/**
 * Parses settings. A key alone is enough for a vision model: AI_PROVIDER is inferred from its address or form.
 * @throws Error naming each bad setting, never its value.
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  // an empty string in a service file means "not set"
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const parsed = Schema.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(
      ({ path: [name], message }) => `  ${String(name)}: ${message.replace(/^“[^”]*”/, 'it')}`,
    );
    throw new Error(`These settings cannot be used:\n${lines.join('\n')}`);
  }
  const env = parsed.data;
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`;
  return {
    ...env,
    DATA_DIR: path.resolve(env.DATA_DIR),
    PUBLIC_URL: publicUrl,
    API_URL: env.API_URL ?? publicUrl,
    hasVisionModel: Boolean(env.AI_API_KEY || env.AI_BASE_URL),
  };
}
