-- Free credits are for addresses that may sign up. On a Supabase elsewhere a changed address meets no hook, and an
-- account whose mailbox has had them already would get them again by moving to a throw-away one.
CREATE OR REPLACE FUNCTION private.grant_free_credits(account uuid, email text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  mailbox bytea := private.hash_mailbox(email);
BEGIN
  IF mailbox IS NULL OR EXISTS (SELECT FROM public.credit_entries WHERE idempotency_key = 'free:' || account) THEN RETURN; END IF;
  IF private.refuse_signup(email) IS NOT NULL THEN RETURN; END IF;
  INSERT INTO private.granted_mailboxes (mailbox_hash) VALUES (mailbox) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM private.post_credit_entry(account, 'grant', 10, 5, '{"offer": "free"}', 'free:' || account);
END $$;
