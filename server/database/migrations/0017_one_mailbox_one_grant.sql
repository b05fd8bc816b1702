-- One mailbox, one form, for the count of free credits. Tags are left out for every provider; providers that give one
-- mailbox several domains have one of them here, and Gmail's dots and Proton's dots, hyphens and underscores go.
CREATE OR REPLACE FUNCTION private.canonical_mailbox(email text) RETURNS text LANGUAGE sql IMMUTABLE SET search_path = '' AS $$
  SELECT CASE
    WHEN domain IN ('gmail.com', 'googlemail.com') THEN coalesce(nullif(replace(name, '.', ''), ''), name) || '@gmail.com'
    WHEN domain IN ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me') THEN coalesce(nullif(regexp_replace(name, '[._-]', '', 'g'), ''), name) || '@proton.me'
    WHEN domain IN ('icloud.com', 'me.com', 'mac.com') THEN name || '@icloud.com'
    WHEN domain IN ('yandex.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'ya.ru') THEN replace(name, '-', '.') || '@yandex.ru'
    ELSE name || '@' || domain END
  FROM (SELECT coalesce(nullif(split_part(local, '+', 1), ''), local) AS name, domain
          FROM (SELECT regexp_replace(whole, '@[^@]*$', '') AS local, rtrim(substring(whole FROM '@([^@]*)$'), '.') AS domain
                  FROM (SELECT lower(btrim(email, E' \t\r\n')) AS whole) AS given) AS parts) AS named
$$;
--> statement-breakpoint
-- Null until the key has been written, which the server does when it starts.
CREATE OR REPLACE FUNCTION private.hash_form(form text) RETURNS bytea LANGUAGE sql STABLE SET search_path = '' AS $$
  SELECT sha256(value || sha256(value || convert_to(form, 'UTF8')))
    FROM private.settings WHERE name = 'mailbox-key'
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION private.hash_mailbox(email text) RETURNS bytea LANGUAGE sql STABLE SET search_path = '' AS $$
  SELECT private.hash_form(private.canonical_mailbox(email))
$$;
--> statement-breakpoint
-- What the hashes of this mailbox were made of before: the address as it was, and without its tag at each of the
-- provider's domains.
CREATE OR REPLACE FUNCTION private.list_former_forms(email text) RETURNS text[] LANGUAGE sql IMMUTABLE SET search_path = '' AS $$
  SELECT array_agg(DISTINCT spelling || '@' || one)
    FROM (SELECT regexp_replace(whole, '@[^@]*$', '') AS local, rtrim(substring(whole FROM '@([^@]*)$'), '.') AS domain
            FROM (SELECT lower(btrim(email, E' \t\r\n')) AS whole) AS given) AS parts,
         unnest(CASE
           WHEN domain IN ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me') THEN ARRAY['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me']
           WHEN domain IN ('icloud.com', 'me.com', 'mac.com') THEN ARRAY['icloud.com', 'me.com', 'mac.com']
           WHEN domain IN ('yandex.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'ya.ru') THEN ARRAY['yandex.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'ya.ru']
           ELSE ARRAY[domain] END) AS one,
         unnest(ARRAY[local, split_part(local, '+', 1), regexp_replace(split_part(local, '+', 1), '[._-]', '', 'g')]) AS spelling
   WHERE spelling <> '' AND (spelling IN (local, split_part(local, '+', 1)) OR domain IN ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'))
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION private.grant_free_credits(account uuid, email text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  mailbox bytea := private.hash_mailbox(email);
BEGIN
  IF mailbox IS NULL OR EXISTS (SELECT FROM public.credit_entries WHERE idempotency_key = 'free:' || account) THEN RETURN; END IF;
  IF private.refuse_signup(email) IS NOT NULL THEN RETURN; END IF;
  INSERT INTO private.granted_mailboxes (mailbox_hash) VALUES (mailbox) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN; END IF;
  IF EXISTS (SELECT FROM unnest(private.list_former_forms(email)) AS form
               JOIN private.granted_mailboxes granted ON granted.mailbox_hash = private.hash_form(form)
              WHERE granted.mailbox_hash <> mailbox) THEN RETURN; END IF;
  PERFORM private.post_credit_entry(account, 'grant', 10, 5, '{"offer": "free"}', 'free:' || account);
END $$;
--> statement-breakpoint
-- Accounts whose mailbox has had its credits under a former form get the present one beside it.
INSERT INTO private.granted_mailboxes (mailbox_hash)
  SELECT private.hash_mailbox(email) FROM auth.users
   WHERE coalesce(email, '') <> '' AND private.hash_mailbox(email) IS NOT NULL AND EXISTS (
     SELECT FROM unnest(private.list_former_forms(email)) AS form
       JOIN private.granted_mailboxes granted ON granted.mailbox_hash = private.hash_form(form))
  ON CONFLICT DO NOTHING;
--> statement-breakpoint
REVOKE ALL ON FUNCTION private.hash_form(text), private.list_former_forms(text) FROM PUBLIC, anon, authenticated;
