-- Who asks, as policies see it: the claims of the token that the request came with.
CREATE FUNCTION auth.jwt() RETURNS jsonb LANGUAGE sql STABLE
  RETURN nullif(current_setting('request.jwt.claims', true), '')::jsonb;
--> statement-breakpoint
CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE
  RETURN nullif(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub', '')::uuid;
--> statement-breakpoint
CREATE FUNCTION auth.role() RETURNS text LANGUAGE sql STABLE
  RETURN nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role';
--> statement-breakpoint
CREATE FUNCTION auth.email() RETURNS text LANGUAGE sql STABLE
  RETURN nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email';
--> statement-breakpoint
-- the tables themselves stay the owner's alone
REVOKE ALL ON SCHEMA auth FROM PUBLIC;
--> statement-breakpoint
GRANT USAGE ON SCHEMA auth TO anon, authenticated;
--> statement-breakpoint
REVOKE ALL ON ALL TABLES IN SCHEMA auth FROM PUBLIC, anon, authenticated;
--> statement-breakpoint
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA auth TO anon, authenticated;
