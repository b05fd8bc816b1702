DROP INDEX "documents_user_title";--> statement-breakpoint
CREATE INDEX "documents_user" ON "documents" USING btree ("user_id");--> statement-breakpoint
-- Numbers in names count as numbers. A PostgreSQL that was built without ICU sorts by code point.
DO $$ BEGIN
  CREATE COLLATION private.names (provider = icu, locale = 'und-u-kn-true');
EXCEPTION WHEN feature_not_supported THEN
  CREATE COLLATION private.names FROM "C";
END $$;
