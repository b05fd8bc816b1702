-- What was indexed is made again from the documents.
TRUNCATE "private"."document_search";--> statement-breakpoint
CREATE TABLE "private"."search_due" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "private"."search_due_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"document_id" uuid NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "private"."search_libraries" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "private"."search_libraries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"next_number" integer DEFAULT 0 NOT NULL,
	"documents" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "search_libraries_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "private"."search_postings" (
	"library" integer NOT NULL,
	"term" text COLLATE "C" NOT NULL,
	"first" integer NOT NULL,
	"documents" smallint NOT NULL,
	"postings" "bytea" NOT NULL,
	"is_common" smallint NOT NULL,
	CONSTRAINT "search_postings_library_term_first_pk" PRIMARY KEY("library","term","first")
);
--> statement-breakpoint
ALTER TABLE "private"."search_words" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "private"."search_words" CASCADE;--> statement-breakpoint
DROP INDEX "private"."document_search_user";--> statement-breakpoint
DROP INDEX "private"."document_search_tokens";--> statement-breakpoint
ALTER TABLE "private"."document_search" ADD COLUMN "library" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "private"."document_search" ADD COLUMN "number" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "private"."document_search" ADD COLUMN "format" smallint NOT NULL;--> statement-breakpoint
ALTER TABLE "private"."document_search" ADD COLUMN "saved_at" timestamp with time zone NOT NULL;--> statement-breakpoint
ALTER TABLE "private"."document_search" ADD COLUMN "headings" integer[] NOT NULL;--> statement-breakpoint
ALTER TABLE "private"."document_search" ADD COLUMN "words" text NOT NULL;--> statement-breakpoint
CREATE INDEX "search_due_document" ON "private"."search_due" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "search_postings_ends" ON "private"."search_postings" USING btree ("library",reverse(term) COLLATE "C") WHERE first = 0 and term >= 'a';--> statement-breakpoint
CREATE INDEX "search_postings_common" ON "private"."search_postings" USING btree ("library","term") WHERE first = 0 and is_common = 1 and term >= '0';--> statement-breakpoint
CREATE INDEX "document_search_saved" ON "private"."document_search" USING btree ("library","saved_at");--> statement-breakpoint
CREATE INDEX "documents_starred" ON "documents" USING btree ("user_id") WHERE starred_at is not null;--> statement-breakpoint
ALTER TABLE "private"."document_search" DROP COLUMN "user_id";--> statement-breakpoint
ALTER TABLE "private"."document_search" DROP COLUMN "changed_at";--> statement-breakpoint
ALTER TABLE "private"."document_search" DROP COLUMN "tokens";--> statement-breakpoint
ALTER TABLE "private"."document_search" ADD CONSTRAINT "document_search_number" UNIQUE("library","number");--> statement-breakpoint
ALTER TABLE "private"."document_search" DROP CONSTRAINT IF EXISTS "document_search_document";--> statement-breakpoint
-- A block always fits into a page, and is not worth compressing.
ALTER TABLE "private"."search_postings" ALTER COLUMN "postings" SET STORAGE PLAIN;--> statement-breakpoint
CREATE OR REPLACE FUNCTION private.mark_search_due() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  INSERT INTO private.search_due (document_id) VALUES (CASE WHEN TG_OP = 'DELETE' THEN OLD.id ELSE NEW.id END);
  RETURN NULL;
END $$;--> statement-breakpoint
REVOKE ALL ON FUNCTION private.mark_search_due() FROM PUBLIC, anon, authenticated;--> statement-breakpoint
CREATE OR REPLACE TRIGGER documents_search_due AFTER INSERT OR DELETE ON "documents" FOR EACH ROW EXECUTE FUNCTION private.mark_search_due();--> statement-breakpoint
CREATE OR REPLACE TRIGGER documents_search_due_again AFTER UPDATE ON "documents" FOR EACH ROW
WHEN (OLD.version <> NEW.version OR OLD.title <> NEW.title OR OLD.user_id <> NEW.user_id OR (OLD.trashed_at IS NULL) <> (NEW.trashed_at IS NULL))
EXECUTE FUNCTION private.mark_search_due();
