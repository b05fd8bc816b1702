-- An account that has gone leaves its entries without its id: not in their key either ('free:' and the id, of the free
-- credits). The entry's own number takes its place, so that the key stays one of a kind.
CREATE OR REPLACE FUNCTION private.keep_credit_entry() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  -- an account that has gone is let go of: the foreign key does that
  IF TG_OP = 'UPDATE' AND OLD.user_id IS NOT NULL AND NEW.user_id IS NULL
     AND to_jsonb(NEW) - 'user_id' = to_jsonb(OLD) - 'user_id'
     AND NOT EXISTS (SELECT FROM auth.users WHERE id = OLD.user_id) THEN
    NEW.idempotency_key := replace(OLD.idempotency_key, OLD.user_id::text, 'entry-' || OLD.id);
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'credit entries are never changed or removed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
--> statement-breakpoint
-- Accounts that went before.
ALTER TABLE "credit_entries" DISABLE TRIGGER credit_entries_keep;
--> statement-breakpoint
UPDATE "credit_entries" SET idempotency_key = 'free:entry-' || id
 WHERE user_id IS NULL AND idempotency_key ~ '^free:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
--> statement-breakpoint
ALTER TABLE "credit_entries" ENABLE TRIGGER credit_entries_keep;
