-- What must hold whoever keeps the accounts: the embedded backend, or a Supabase that the browser talks to directly.
-- Needs auth.users with Supabase's columns, auth.uid(), and the roles anon and authenticated.
REVOKE ALL ON SCHEMA private FROM PUBLIC, anon, authenticated;
--> statement-breakpoint
REVOKE ALL ON "conversions", "conversion_pages", "conversion_events", "conversion_uploads", "credit_entries", "user_credits", "page_conversion_totals" FROM PUBLIC, anon, authenticated;
--> statement-breakpoint
REVOKE ALL ON SEQUENCE "credit_entries_id_seq" FROM PUBLIC, anon, authenticated;
--> statement-breakpoint
GRANT USAGE ON SCHEMA public TO anon, authenticated;
--> statement-breakpoint
GRANT SELECT ON "page_conversion_totals" TO anon, authenticated;
--> statement-breakpoint
GRANT SELECT ON "user_credits" TO authenticated;
--> statement-breakpoint
CREATE POLICY "page_conversion_totals_everybody_reads" ON "page_conversion_totals" FOR SELECT TO anon, authenticated USING (true);
--> statement-breakpoint
CREATE POLICY "user_credits_owner_reads" ON "user_credits" FOR SELECT TO authenticated USING ((SELECT auth.uid()) = user_id);
--> statement-breakpoint
INSERT INTO "page_conversion_totals" (id, net_pages) VALUES (1, 0);
--> statement-breakpoint
ALTER TABLE "user_credits" ADD CONSTRAINT "user_credits_account" FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_account" FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE SET NULL;
--> statement-breakpoint
-- The ledger: entries are added and carried into the balance; nothing else changes either.
CREATE OR REPLACE FUNCTION private.carry_credit_entry() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  UPDATE public.user_credits
     SET conversion_credits = conversion_credits + NEW.conversion, assistant_credits = assistant_credits + NEW.assistant
   WHERE user_id = NEW.user_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a credit entry needs an account that has a balance' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER credit_entries_carry AFTER INSERT ON "credit_entries" FOR EACH ROW EXECUTE FUNCTION private.carry_credit_entry();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION private.keep_credit_entry() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  -- an account that has gone is let go of: the foreign key does that
  IF TG_OP = 'UPDATE' AND OLD.user_id IS NOT NULL AND NEW.user_id IS NULL
     AND to_jsonb(NEW) - 'user_id' = to_jsonb(OLD) - 'user_id'
     AND NOT EXISTS (SELECT FROM auth.users WHERE id = OLD.user_id) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'credit entries are never changed or removed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER credit_entries_keep BEFORE UPDATE OR DELETE ON "credit_entries" FOR EACH ROW EXECUTE FUNCTION private.keep_credit_entry();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER credit_entries_keep_all BEFORE TRUNCATE ON "credit_entries" FOR EACH STATEMENT EXECUTE FUNCTION private.keep_credit_entry();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION private.guard_balance() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.conversion_credits = 0 AND NEW.assistant_credits = 0 THEN RETURN NEW; END IF;
  ELSIF TG_OP = 'UPDATE' THEN
    -- within the entry's own trigger, this one is the second
    IF NEW.user_id = OLD.user_id AND (pg_catalog.pg_trigger_depth() > 1
       OR (NEW.conversion_credits = OLD.conversion_credits AND NEW.assistant_credits = OLD.assistant_credits)) THEN
      RETURN NEW;
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF NOT EXISTS (SELECT FROM auth.users WHERE id = OLD.user_id) THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION 'a balance changes by a credit entry only' USING ERRCODE = 'integrity_constraint_violation';
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER user_credits_guard BEFORE INSERT OR UPDATE OR DELETE ON "user_credits" FOR EACH ROW EXECUTE FUNCTION private.guard_balance();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER user_credits_guard_all BEFORE TRUNCATE ON "user_credits" FOR EACH STATEMENT EXECUTE FUNCTION private.guard_balance();
--> statement-breakpoint
-- outcome: posted, already (the key was used for the very same entry), insufficient, or no-account.
-- The balance's row is locked first, so that entries of one account wait for one another.
CREATE OR REPLACE FUNCTION private.post_credit_entry(
  account uuid, entry_kind text, conversion_delta integer, assistant_delta integer, entry_cause jsonb, entry_key text,
  OUT outcome text, OUT entry_id bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  balance public.user_credits%ROWTYPE;
  known public.credit_entries%ROWTYPE;
BEGIN
  SELECT * INTO balance FROM public.user_credits WHERE user_id = account FOR UPDATE;
  IF NOT FOUND THEN
    outcome := 'no-account';
    RETURN;
  END IF;
  SELECT * INTO known FROM public.credit_entries WHERE idempotency_key = entry_key;
  IF FOUND THEN
    IF (known.user_id, known.kind, known.conversion, known.assistant)
       IS DISTINCT FROM (account, entry_kind, conversion_delta, assistant_delta) THEN
      RAISE EXCEPTION 'this idempotency key belongs to another credit entry' USING ERRCODE = 'unique_violation';
    END IF;
    outcome := 'already';
    entry_id := known.id;
    RETURN;
  END IF;
  IF balance.conversion_credits + conversion_delta < 0 OR balance.assistant_credits + assistant_delta < 0 THEN
    outcome := 'insufficient';
    RETURN;
  END IF;
  INSERT INTO public.credit_entries (user_id, kind, conversion, assistant, cause, idempotency_key)
  VALUES (account, entry_kind, conversion_delta, assistant_delta, entry_cause, entry_key)
  RETURNING id INTO entry_id;
  outcome := 'posted';
END $$;
--> statement-breakpoint
-- One mailbox, one form: Gmail knows no dots and no tags, and googlemail.com is gmail.com.
CREATE OR REPLACE FUNCTION private.canonical_mailbox(email text) RETURNS text LANGUAGE sql IMMUTABLE SET search_path = '' AS $$
  SELECT CASE WHEN domain IN ('gmail.com', 'googlemail.com')
    THEN replace(split_part(local, '+', 1), '.', '') || '@gmail.com'
    ELSE local || '@' || domain END
  FROM (SELECT regexp_replace(whole, '@[^@]*$', '') AS local, rtrim(substring(whole FROM '@([^@]*)$'), '.') AS domain
          FROM (SELECT lower(btrim(email, E' \t\r\n')) AS whole) AS given) AS parts
$$;
--> statement-breakpoint
-- Null until the key has been written, which the server does when it starts.
CREATE OR REPLACE FUNCTION private.hash_mailbox(email text) RETURNS bytea LANGUAGE sql STABLE SET search_path = '' AS $$
  SELECT sha256(value || sha256(value || convert_to(private.canonical_mailbox(email), 'UTF8')))
    FROM private.settings WHERE name = 'mailbox-key'
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION private.grant_free_credits(account uuid, email text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  mailbox bytea := private.hash_mailbox(email);
BEGIN
  IF mailbox IS NULL OR EXISTS (SELECT FROM public.credit_entries WHERE idempotency_key = 'free:' || account) THEN RETURN; END IF;
  INSERT INTO private.granted_mailboxes (mailbox_hash) VALUES (mailbox) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM private.post_credit_entry(account, 'grant', 10, 5, '{"offer": "free"}', 'free:' || account);
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION private.follow_account() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.user_credits (user_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  END IF;
  IF NEW.email_confirmed_at IS NOT NULL AND coalesce(NEW.email, '') <> '' THEN
    PERFORM private.grant_free_credits(NEW.id, NEW.email);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER inkproof_follow_account AFTER INSERT OR UPDATE OF email, email_confirmed_at ON auth.users FOR EACH ROW EXECUTE FUNCTION private.follow_account();
--> statement-breakpoint
-- Accounts from before these triggers, or confirmed before the key was there. Run at every start.
CREATE OR REPLACE FUNCTION private.catch_up_accounts() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  INSERT INTO public.user_credits (user_id) SELECT id FROM auth.users ON CONFLICT DO NOTHING;
  PERFORM private.grant_free_credits(id, email) FROM auth.users
    WHERE email_confirmed_at IS NOT NULL AND coalesce(email, '') <> ''
      AND NOT EXISTS (SELECT FROM public.credit_entries WHERE idempotency_key = 'free:' || users.id)
    ORDER BY created_at;
END $$;
--> statement-breakpoint
-- The domain or one it lies under, in either of the two ways an international one is written.
CREATE OR REPLACE FUNCTION private.is_disposable(mail_domain text) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT EXISTS (
    SELECT FROM private.disposable_domains known WHERE known.domain IN (
      SELECT array_to_string(labels[first:], '.')
        FROM (SELECT string_to_array(rtrim(lower(mail_domain), '.'), '.') AS labels) AS given,
             generate_series(1, least(cardinality(labels), 128)) AS first
    )
  )
$$;
--> statement-breakpoint
-- The sign-up rules; shared/sign-up-rules.ts has the same ones for the form. Null, or the message of the refusal.
CREATE OR REPLACE FUNCTION private.refuse_signup(email text) RETURNS text LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  alias constant text := 'Oops! Gmail aliases with "+" or dots aren''t supported right now. Could you try signing up with your regular Gmail address?';
  suspicious constant text := 'Sorry, sign-ups from temporary, disposable, or suspicious email addresses are not allowed. Please use a valid personal or business email address.';
  upper_case constant text := 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  lower_case constant text := 'abcdefghijklmnopqrstuvwxyz';
  whole text := translate(btrim(coalesce(email, ''), E' \t\r\n'), upper_case, lower_case);
  local text;
  domain text;
  letters integer;
  digits integer;
  has_spam_word boolean;
BEGIN
  IF whole !~ '@' THEN RETURN suspicious; END IF;
  local := regexp_replace(whole, '@[^@]*$', '');
  domain := translate(normalize(substring(whole FROM '@([^@]*)$'), NFKC), upper_case || U&'\3002', lower_case || '.');
  domain := regexp_replace(domain, '\.$', '');
  IF local = '' OR domain = '' THEN RETURN suspicious; END IF;
  IF domain IN ('gmail.com', 'googlemail.com') AND strpos(local, '+') > 0 THEN RETURN alias; END IF;
  letters := length(local);
  IF letters > 64 OR length(domain) > 253 OR strpos(domain, '.') = 0
     OR local ~ '[\u0001-\u0020"(),:;<>@\[\\\]\u007f-\u00a0\u00ad\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]'
     OR domain ~ '[\u0001-\u002c\u002f\u003a-\u0060\u007b-\u00a0\u00ad\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]'
     OR domain ~ '(^|\.)(\.|-|$)' OR domain ~ '-(\.|$)' OR domain ~ '[^.]{64}' THEN
    RETURN suspicious;
  END IF;
  IF private.is_disposable(domain) THEN RETURN suspicious; END IF;
  digits := length(regexp_replace(local, '[^0-9]', '', 'g'));
  has_spam_word := local ~ '(free|bonus|offer|cash|money|win|prize|credit|lotto|loan|bitcoin|crypto|investment)';
  IF (letters >= 15 AND digits * 10 > letters * 8)
     OR (letters >= 25 AND local !~ '[aeiou]' AND local !~ '[\u0080-\U0010ffff]')
     OR (has_spam_word AND digits * 10 > letters * 3)
     OR (domain ~ '\.(xyz|top|click|link|work|club|gq|cf|ml|ga|tk|fit|date|win)$'
         AND (digits * 2 > letters OR letters >= 25 OR has_spam_word)) THEN
    RETURN suspicious;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Supabase's before-user-created hook; the embedded backend calls it too.
CREATE OR REPLACE FUNCTION public.hook_before_user_created(event jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  address text := event -> 'user' ->> 'email';
  refusal text;
BEGIN
  -- an account by telephone number has no address to judge, and gets no free credits
  IF coalesce(address, '') = '' AND coalesce(event -> 'user' ->> 'phone', '') <> '' THEN RETURN '{}'; END IF;
  refusal := private.refuse_signup(address);
  IF refusal IS NULL THEN RETURN '{}'; END IF;
  RETURN jsonb_build_object('error', jsonb_build_object('http_code', 400, 'message', refusal));
END $$;
--> statement-breakpoint
-- Tells every server process that a row changed; each reads it anew with the rights of whoever listens.
CREATE OR REPLACE FUNCTION private.announce_row() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW IS NOT DISTINCT FROM OLD THEN RETURN NULL; END IF;
  PERFORM pg_notify('inkproof_rows', json_build_object('table', TG_TABLE_NAME, 'type', TG_OP, 'key', to_jsonb(NEW) ->> TG_ARGV[0])::text);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER user_credits_announce AFTER INSERT OR UPDATE ON "user_credits" FOR EACH ROW EXECUTE FUNCTION private.announce_row('user_id');
--> statement-breakpoint
CREATE OR REPLACE TRIGGER page_conversion_totals_announce AFTER INSERT OR UPDATE ON "page_conversion_totals" FOR EACH ROW EXECUTE FUNCTION private.announce_row('id');
--> statement-breakpoint
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA private FROM PUBLIC, anon, authenticated;
--> statement-breakpoint
REVOKE ALL ON FUNCTION public.hook_before_user_created(jsonb) FROM PUBLIC, anon, authenticated;
--> statement-breakpoint
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'supabase_auth_admin') THEN
    GRANT USAGE ON SCHEMA public TO supabase_auth_admin;
    GRANT EXECUTE ON FUNCTION public.hook_before_user_created(jsonb) TO supabase_auth_admin;
  END IF;
  IF EXISTS (SELECT FROM pg_publication WHERE pubname = 'supabase_realtime' AND NOT puballtables) THEN
    ALTER PUBLICATION supabase_realtime ADD TABLE public.user_credits, public.page_conversion_totals;
  END IF;
END $$;
--> statement-breakpoint
SELECT private.catch_up_accounts();
